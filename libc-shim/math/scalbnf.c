//===-- libc-shim/math/scalbnf.c - Floats times powers of two -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product is computed in double, where it is exact, so that it is rounded
// once. newlib's functions return zero for results that should round to the
// least subnormal.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>

float scalbnf(float x, int n) {
  n = n > 400 ? 400 : n < -400 ? -400 : n;
  float result = (float)scalbn((double)x, n);
  if (isfinite(x) && x != 0 && (isinf(result) || result == 0))
    errno = ERANGE;
  return result;
}
float ldexpf(float x, int n) { return scalbnf(x, n); }
float scalblnf(float x, long n) {
  return scalbnf(x, n > 400 ? 400 : n < -400 ? -400 : (int)n);
}
