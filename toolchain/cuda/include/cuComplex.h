//===-- cuComplex.h - Complex numbers for C -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_CUCOMPLEX_H
#define GPUEXEC_CUDA_CUCOMPLEX_H

#include "vector_types.h"
#include <math.h>

#ifdef __CUDA__
#define GPUEXEC_BOTH __host__ __device__ static __inline__
#else
#define GPUEXEC_BOTH static __inline__
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// LETTER and F: the ends of the names of these functions and of C's.
#define GPUEXEC_COMPLEX(TYPE, NUMBER, PART, LETTER, F)                         \
  GPUEXEC_BOTH NUMBER cuCreal##LETTER(TYPE z) { return z.x; }                  \
  GPUEXEC_BOTH NUMBER cuCimag##LETTER(TYPE z) { return z.y; }                  \
  GPUEXEC_BOTH TYPE make_cu##PART##Complex(NUMBER real, NUMBER imaginary) {    \
    TYPE z;                                                                    \
    z.x = real;                                                                \
    z.y = imaginary;                                                           \
    return z;                                                                  \
  }                                                                            \
  GPUEXEC_BOTH TYPE cuConj##LETTER(TYPE z) {                                   \
    return make_cu##PART##Complex(z.x, -z.y);                                  \
  }                                                                            \
  GPUEXEC_BOTH TYPE cuCadd##LETTER(TYPE a, TYPE b) {                           \
    return make_cu##PART##Complex(a.x + b.x, a.y + b.y);                       \
  }                                                                            \
  GPUEXEC_BOTH TYPE cuCsub##LETTER(TYPE a, TYPE b) {                           \
    return make_cu##PART##Complex(a.x - b.x, a.y - b.y);                       \
  }                                                                            \
  GPUEXEC_BOTH TYPE cuCmul##LETTER(TYPE a, TYPE b) {                           \
    return make_cu##PART##Complex(a.x *b.x - a.y * b.y,                        \
                                  a.x *b.y + a.y * b.x);                       \
  }                                                                            \
  /* Divided by the size of b first, against overflow. */                      \
  GPUEXEC_BOTH TYPE cuCdiv##LETTER(TYPE a, TYPE b) {                           \
    const NUMBER size = fabs##F(b.x) + fabs##F(b.y);                           \
    const NUMBER ax = a.x / size, ay = a.y / size;                             \
    const NUMBER bx = b.x / size, by = b.y / size;                             \
    const NUMBER square = bx * bx + by * by;                                   \
    return make_cu##PART##Complex((ax * bx + ay * by) / square,                \
                                  (ay * bx - ax * by) / square);               \
  }                                                                            \
  GPUEXEC_BOTH NUMBER cuCabs##LETTER(TYPE z) { return hypot##F(z.x, z.y); }    \
  GPUEXEC_BOTH TYPE cuCfma##LETTER(TYPE a, TYPE b, TYPE c) {                   \
    return cuCadd##LETTER(cuCmul##LETTER(a, b), c);                            \
  }
GPUEXEC_COMPLEX(cuFloatComplex, float, Float, f, f)
GPUEXEC_COMPLEX(cuDoubleComplex, double, Double, , )
#undef GPUEXEC_COMPLEX

GPUEXEC_BOTH cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
GPUEXEC_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex(z.x, z.y);
}
GPUEXEC_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}
#undef GPUEXEC_BOTH

#endif
