//===-- toolchain/cuda/include/gpuexec/compiler.h - What every .cu file sees first -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc includes this file before each CUDA source. It has the part of clang's
// own __clang_cuda_runtime_wrapper.h, which needs NVIDIA's toolkit. The order
// matters: clang's declarations of device functions come before <cmath>, the
// rest after it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_COMPILER_H
#define GPUEXEC_CUDA_COMPILER_H

#include <__clang_cuda_math_forward_declares.h>

// libstdc++ uses no __float128 where it sees this.
#define __CUDACC__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define CUDA_VERSION 12040
// libcu++ has atomics of the device for nvcc alone unless it is told so.
#define _LIBCUDACXX_COMPILER_NVCC

// libc's headers, before clang's declare functions of the same names for the
// device. Programs count on those that nvcc reads before a file, too.
#include <assert.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#include <__clang_cuda_builtin_vars.h>

#include <cuda_types.h> // cuuint32_t, for __clang_cuda_intrinsics.h
#include <host_defines.h>
#include <vector_types.h>

#include <__clang_cuda_libdevice_declares.h>
// device_functions.h has these as CUDA before 9 had them, for all processors.
#define __all gpuexec_clang_all
#define __any gpuexec_clang_any
#define __ballot gpuexec_clang_ballot
#define __shfl gpuexec_clang_shfl
#define __shfl_up gpuexec_clang_shfl_up
#define __shfl_down gpuexec_clang_shfl_down
#define __shfl_xor gpuexec_clang_shfl_xor
// clang-format off: these follow each other
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
// clang-format on
#include "math_overloads.h"

extern "C" {
// What a CUDA driver gives device code. clang makes vprintf of printf.
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *message, const char *file,
                             unsigned line, const char *function,
                             size_t char_size);
/// What glibc's assert() calls.
__device__ static inline void __assert_fail(const char *message,
                                            const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, 1);
}
/// What a launch with <<<>>> calls on the host.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     void *stream = 0);
}

namespace std {
__device__ static inline void free(void *memory) { ::free(memory); }
__device__ static inline void *malloc(size_t size) { return ::malloc(size); }
} // namespace std

// clang declares these conversions of threadIdx, blockIdx, blockDim and
// gridDim.
#define GPUEXEC_INDEX(NAME)                                                    \
  __device__ inline NAME::operator dim3() const { return dim3(x, y, z); }      \
  __device__ inline NAME::operator uint3() const { return uint3{x, y, z}; }
GPUEXEC_INDEX(__cuda_builtin_threadIdx_t)
GPUEXEC_INDEX(__cuda_builtin_blockIdx_t)
GPUEXEC_INDEX(__cuda_builtin_blockDim_t)
GPUEXEC_INDEX(__cuda_builtin_gridDim_t)
#undef GPUEXEC_INDEX

#include "address_spaces.h"
#include <__clang_cuda_cmath.h>
#include <vector_functions.h>
// clang-format off
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
// clang-format on
#undef __all
#undef __any
#undef __ballot
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef CUDA_VERSION

#include <cuda_runtime.h>
#include <new> // clang's: device code places objects without including it

#endif
