//===-- libc-shim/math/complex_forms.h - What complex functions share -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_COMPLEX_FORMS_H
#define GPUEXEC_LIBC_COMPLEX_FORMS_H

#include <complex.h>

static inline double complex turned(double complex z) { // iz
  return CMPLX(-cimag(z), creal(z));
}

/// Defines the functions of float and long double, which call that of double.
#define OTHERS(name)                                                           \
  float complex name##f(float complex z) {                                     \
    return (float complex)name((double complex)z);                             \
  }                                                                            \
  long double complex name##l(long double complex z) {                         \
    return (long double complex)name((double complex)z);                       \
  }

#endif
