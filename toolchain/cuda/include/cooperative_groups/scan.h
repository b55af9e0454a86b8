//===-- toolchain/cuda/include/cooperative_groups/scan.h - Running sums of groups -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define GPUEXEC_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#ifdef __CUDA__
namespace cooperative_groups {

/// The result of the threads up to this one.
template <class G, class T, class F>
__device__ T inclusive_scan(const G &group, T value, F &&operation) {
  const unsigned int size = group.size(), rank = group.thread_rank();
  for (unsigned int by = 1; by < size; by *= 2) {
    const T other = group.shfl_up(value, by);
    if (rank >= by)
      value = operation(other, value);
  }
  return value;
}
template <class G, class T>
__device__ T inclusive_scan(const G &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// The result of the threads before this one; T() in the first.
template <class G, class T, class F>
__device__ T exclusive_scan(const G &group, T value, F &&operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() ? before : T();
}
template <class G, class T>
__device__ T exclusive_scan(const G &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif

#endif
