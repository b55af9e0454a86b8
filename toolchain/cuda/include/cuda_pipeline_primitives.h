//===-- cuda_pipeline_primitives.h - Copies into shared memory -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA C++ Programming Guide, "Pipeline Primitives Interface". A copy is done
// when the call returns; what was asked for one thread is seen by the others
// after __syncthreads(), as the guide says.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_PIPELINE_PRIMITIVES_H
#define GPUEXEC_CUDA_PIPELINE_PRIMITIVES_H

#include <cuda_runtime.h>

#ifdef __CUDA__
/// Copies `size` - `zeros` bytes to shared memory and sets `zeros` bytes behind
/// them to 0. `size`: 4, 8 or 16, and what both addresses are multiples of.
static __inline__ __device__ void
__pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                        size_t size, size_t zeros = 0) {
  if (!zeros && size == 16)
    *(uint4 *)to = *(const uint4 *)from;
  else if (!zeros && size == 8)
    *(uint2 *)to = *(const uint2 *)from;
  else if (!zeros && size == 4)
    *(unsigned int *)to = *(const unsigned int *)from;
  else
    for (size_t i = 0; i < size; ++i)
      ((char *)to)[i] = i < size - zeros ? ((const char *)from)[i] : 0;
}
static __inline__ __device__ void __pipeline_commit() {}
/// Waits for all of this thread's copies but those of the last `count` commits.
static __inline__ __device__ void __pipeline_wait_prior(size_t) {}
#endif

#endif
