//===-- host_defines.h - CUDA's words for functions and variables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of CUDA's interface.
// __global__, __device__ and so on. In a plain C or C++ file they mean nothing.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_HOST_DEFINES_H
#define GPUEXEC_CUDA_HOST_DEFINES_H
// Programs ask for the guard that NVIDIA has here.
#define __HOST_DEFINES_H__

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __managed__ __attribute__((gpuexec_managed)) // toolchain/cuda/plugin
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#else
#define __device__
#define __host__
#define __constant__
#define __shared__
#define __launch_bounds__(...)
#endif

#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
// __noinline__ is no macro: that would break libstdc++ and glibc, which write
// __attribute__((__noinline__)). In CUDA sources clang knows the word itself.
#define __align__(BYTES) __attribute__((aligned(BYTES)))
#define __builtin_align__(BYTES) __align__(BYTES)
#define __annotate__(WORDS) __attribute__((WORDS))
#define __location__(WORDS) __annotate__(WORDS)
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __CUDA_ARCH_HAS_FEATURE__(FEATURE) 0
#ifndef CUDARTAPI
#define CUDARTAPI
#endif

#endif
// NOLINTEND
