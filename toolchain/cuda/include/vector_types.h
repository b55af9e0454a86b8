//===-- vector_types.h - char1 to double4 and dim3 ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of CUDA's interface.
// Vectors of two and four numbers are aligned as a whole, to at most 16 bytes,
// so that one instruction can load them; those of three are not.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_VECTOR_TYPES_H
#define GPUEXEC_CUDA_VECTOR_TYPES_H
// Programs ask for the guard that NVIDIA has here.
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define GPUEXEC_VECTORS(NAME, TYPE, ALIGN2, ALIGN4)                            \
  struct NAME##1 {                                                             \
    TYPE x;                                                                    \
  };                                                                           \
  struct __attribute__((aligned(ALIGN2))) NAME##2 {                            \
    TYPE x, y;                                                                 \
  };                                                                           \
  struct NAME##3 {                                                             \
    TYPE x, y, z;                                                              \
  };                                                                           \
  struct __attribute__((aligned(ALIGN4))) NAME##4 {                            \
    TYPE x, y, z, w;                                                           \
  };                                                                           \
  typedef struct NAME##1 NAME##1;                                              \
  typedef struct NAME##2 NAME##2;                                              \
  typedef struct NAME##3 NAME##3;                                              \
  typedef struct NAME##4 NAME##4;
GPUEXEC_VECTORS(char, signed char, 2, 4)
GPUEXEC_VECTORS(uchar, unsigned char, 2, 4)
GPUEXEC_VECTORS(short, short, 4, 8)
GPUEXEC_VECTORS(ushort, unsigned short, 4, 8)
GPUEXEC_VECTORS(int, int, 8, 16)
GPUEXEC_VECTORS(uint, unsigned int, 8, 16)
GPUEXEC_VECTORS(long, long, 16, 16)
GPUEXEC_VECTORS(ulong, unsigned long, 16, 16)
GPUEXEC_VECTORS(longlong, long long, 16, 16)
GPUEXEC_VECTORS(ulonglong, unsigned long long, 16, 16)
GPUEXEC_VECTORS(float, float, 8, 16)
GPUEXEC_VECTORS(double, double, 16, 16)
#undef GPUEXEC_VECTORS

/// Sizes of grids and blocks. What is not given is 1.
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
#ifdef __CUDA__
  __host__ __device__
#endif
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
#ifdef __CUDA__
  __host__ __device__
#endif
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#ifdef __CUDA__
  __host__ __device__
#endif
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
// NOLINTEND
