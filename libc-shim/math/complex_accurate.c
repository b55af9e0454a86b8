//===-- libc-shim/math/complex_accurate.c - clog and csqrt ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// newlib's clog loses all digits of the real part near |z| = 1, and its csqrt
// the sign of the imaginary part on the branch cut. C17 annex G.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/double_double.h"
#include <complex.h>
#include <math.h>

/// log|x + iy|, computed with squares in double-double.
static double log_of_modulus(double x, double y) {
  if (isinf(x) || isinf(y))
    return INFINITY;
  if (isnan(x) || isnan(y))
    return NAN;
  if (x == 0 && y == 0)
    return log(0.0); // sets errno
  int exponent;
  frexp(fmax(fabs(x), fabs(y)), &exponent);
  if (exponent >= 0 && exponent <= 1) // near 1, do not scale
    exponent = 0;
  x = ldexp(x, -exponent), y = ldexp(y, -exponent);
  const dd square = dd_add(dd_two_product(x, x), dd_two_product(y, y));
  const dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  const dd result = dd_add(dd_scale(__dd_log(square), 0.5),
                           dd_multiply((dd){exponent, 0}, ln2));
  return result.hi + result.lo;
}

double complex clog(double complex z) {
  return CMPLX(log_of_modulus(creal(z), cimag(z)), carg(z));
}
float complex clogf(float complex z) { return (float complex)clog(z); }

double complex csqrt(double complex z) {
  double x = creal(z), y = cimag(z);
  if (x == 0 && y == 0)
    return CMPLX(0, y);
  if (isinf(y))
    return CMPLX(INFINITY, y);
  if (isnan(x))
    return CMPLX(NAN, NAN);
  if (isinf(x))
    return x > 0 ? CMPLX(x, isnan(y) ? y : copysign(0, y))
                 : CMPLX(isnan(y) ? y : 0, copysign(INFINITY, y));
  if (isnan(y))
    return CMPLX(NAN, NAN);
  // Scales by an even power of two, against overflow and underflow.
  int exponent;
  frexp(fmax(fabs(x), fabs(y)), &exponent);
  exponent &= ~1;
  x = ldexp(x, -exponent), y = ldexp(y, -exponent);
  const dd square = dd_add(dd_two_product(x, x), dd_two_product(y, y));
  const dd half = dd_scale(dd_add((dd){fabs(x), 0}, dd_sqrt(square)), 0.5);
  const dd root = dd_sqrt(half);
  const dd other = dd_divide((dd){fabs(y) / 2, 0}, root);
  const double large = ldexp(root.hi + root.lo, exponent / 2);
  const double small = ldexp(other.hi + other.lo, exponent / 2);
  return x >= 0 ? CMPLX(large, copysign(small, y))
                : CMPLX(small, copysign(large, y));
}
float complex csqrtf(float complex z) { return (float complex)csqrt(z); }
long double complex clogl(long double complex z) {
  return (long double complex)clog((double complex)z);
}
long double complex csqrtl(long double complex z) {
  return (long double complex)csqrt((double complex)z);
}
