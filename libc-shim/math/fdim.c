//===-- libc-shim/math/fdim.c - The positive difference -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// newlib's returns infinity for two infinities.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>

double fdim(double x, double y) {
  if (x <= y)
    return 0;
  double result = x - y; // NaN when either is
  if (isinf(result) && isfinite(x) && isfinite(y))
    errno = ERANGE;
  return result;
}
float fdimf(float x, float y) {
  if (x <= y)
    return 0;
  float result = x - y;
  if (isinf(result) && isfinite(x) && isfinite(y))
    errno = ERANGE;
  return result;
}
long double fdiml(long double x, long double y) {
  return fdim((double)x, (double)y);
}
