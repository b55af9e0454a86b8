//===-- toolchain/cuda/include/cooperative_groups/reduce.h - Sums and maxima of groups -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define GPUEXEC_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

#ifdef __CUDA__
namespace cooperative_groups {

#define GPUEXEC_OPERATION(NAME, EXPRESSION)                                    \
  template <class T = void> struct NAME {                                      \
    __device__ T operator()(T a, T b) const { return EXPRESSION; }             \
  };                                                                           \
  template <> struct NAME<void> {                                              \
    template <class T> __device__ T operator()(T a, T b) const {               \
      return EXPRESSION;                                                       \
    }                                                                          \
  };
GPUEXEC_OPERATION(plus, a + b)
GPUEXEC_OPERATION(less, b < a ? b : a)
GPUEXEC_OPERATION(greater, a < b ? b : a)
GPUEXEC_OPERATION(bit_and, a &b)
GPUEXEC_OPERATION(bit_or, a | b)
GPUEXEC_OPERATION(bit_xor, a ^ b)
#undef GPUEXEC_OPERATION

/// The result of all threads of the group, in each of them.
template <unsigned int SIZE, class P, class T, class F>
__device__ T reduce(const thread_block_tile<SIZE, P> &group, T value,
                    F &&operation) {
  for (unsigned int by = SIZE / 2; by; by /= 2)
    value = operation(value, group.shfl_xor(value, by));
  return value;
}
template <class T, class F>
__device__ T reduce(const coalesced_group &group, T value, F &&operation) {
  const unsigned int size = group.size(), rank = group.thread_rank();
  for (unsigned int by = 1; by < size; by *= 2) {
    const T other = group.shfl_down(value, by);
    if (rank % (2 * by) == 0 && rank + by < size)
      value = operation(value, other);
  }
  return group.shfl(value, 0);
}

} // namespace cooperative_groups
#endif

#endif
