//===-- libc-shim/math/magnitudes.c - fmaxmag() and fminmag() -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IEEE 754-2008's, which glibc keeps: with a NaN and a number the result is the
// number, and of two with one magnitude that of fmax() or fmin().
//===----------------------------------------------------------------------===//
#include <math.h>

#define MAGNITUDES(type, suffix)                                               \
  type fmaxmag##suffix(type x, type y) {                                       \
    const type a = fabs##suffix(x), b = fabs##suffix(y);                       \
    return a > b ? x : a < b ? y : fmax##suffix(x, y);                         \
  }                                                                            \
  type fminmag##suffix(type x, type y) {                                       \
    const type a = fabs##suffix(x), b = fabs##suffix(y);                       \
    return a < b ? x : a > b ? y : fmin##suffix(x, y);                         \
  }
MAGNITUDES(double, )
MAGNITUDES(float, f)
MAGNITUDES(long double, l)
