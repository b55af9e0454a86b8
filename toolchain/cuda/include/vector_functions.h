//===-- vector_functions.h - make_int2 and its like -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_VECTOR_FUNCTIONS_H
#define GPUEXEC_CUDA_VECTOR_FUNCTIONS_H
// Programs ask for the guard that NVIDIA has here.
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#ifdef __CUDA__
#define GPUEXEC_MAKE static __inline__ __host__ __device__
#else
#define GPUEXEC_MAKE static inline
#endif
#ifdef __cplusplus
#define GPUEXEC_VALUE(TYPE, ...) TYPE{__VA_ARGS__}
#else
#define GPUEXEC_VALUE(TYPE, ...) ((TYPE){__VA_ARGS__})
#endif
#define GPUEXEC_MAKERS(NAME, TYPE)                                             \
  GPUEXEC_MAKE NAME##1 make_##NAME##1(TYPE x) {                                \
    return GPUEXEC_VALUE(NAME##1, x);                                          \
  }                                                                            \
  GPUEXEC_MAKE NAME##2 make_##NAME##2(TYPE x, TYPE y) {                        \
    return GPUEXEC_VALUE(NAME##2, x, y);                                       \
  }                                                                            \
  GPUEXEC_MAKE NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) {                \
    return GPUEXEC_VALUE(NAME##3, x, y, z);                                    \
  }                                                                            \
  GPUEXEC_MAKE NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) {        \
    return GPUEXEC_VALUE(NAME##4, x, y, z, w);                                 \
  }
GPUEXEC_MAKERS(char, signed char)
GPUEXEC_MAKERS(uchar, unsigned char)
GPUEXEC_MAKERS(short, short)
GPUEXEC_MAKERS(ushort, unsigned short)
GPUEXEC_MAKERS(int, int)
GPUEXEC_MAKERS(uint, unsigned int)
GPUEXEC_MAKERS(long, long)
GPUEXEC_MAKERS(ulong, unsigned long)
GPUEXEC_MAKERS(longlong, long long)
GPUEXEC_MAKERS(ulonglong, unsigned long long)
GPUEXEC_MAKERS(float, float)
GPUEXEC_MAKERS(double, double)
#undef GPUEXEC_MAKERS
#undef GPUEXEC_VALUE
#undef GPUEXEC_MAKE

#endif
