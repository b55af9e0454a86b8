//===-- toolchain/cuda/include/cooperative_groups/memcpy_async.h - Copies by a group -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy is done when the call returns in all threads; wait() is what makes
// it visible to the others.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define GPUEXEC_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#ifdef __CUDA__
namespace cooperative_groups {

/// Copies `bytes` bytes.
template <class G, class T, class U>
__device__ void memcpy_async(const G &group, T *to, const U *from,
                             size_t bytes) {
  constexpr size_t STEP = sizeof(T) < 16 ? sizeof(T) : 1;
  for (size_t i = group.thread_rank() * STEP; i + STEP <= bytes;
       i += group.size() * STEP)
    __builtin_memcpy((char *)to + i, (const char *)from + i, STEP);
}
template <class G> __device__ void wait(const G &group) { group.sync(); }
/// Waits for all copies but the last N; here, for all.
template <unsigned int N, class G> __device__ void wait_prior(const G &group) {
  group.sync();
}

} // namespace cooperative_groups
#endif

#endif
