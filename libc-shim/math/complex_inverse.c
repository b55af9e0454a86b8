//===-- libc-shim/math/complex_inverse.c - cacos, casinh, catanh, ... -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special values are those of C17's annex G, which newlib's functions do not
// follow. Arc sine and arc cosine use the algorithm of Hull, Fairgrieve and
// Tang (ACM TOMS 23, 1997): formulas without cancellation, from the distances
// to the two branch points. Functions of float and long double call those of
// double.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/complex_forms.h"
#include <math.h>

typedef struct {
  double sine,
      cosine;       ///< the real parts of asin and acos, in the first quadrant
  double imaginary; ///< the absolute value of both imaginary parts
} arcs;

/// asin and acos of x + iy, where x and y are finite and not negative.
static arcs arcs_of(double x, double y) {
  arcs result;
  const double pi_2 = 0x1.921fb54442d18p0;
  if (x > 1e8 || y > 1e8) { // the imaginary part is log(2|z|)
    result.cosine = atan2(y, x);
    result.sine = atan2(x, y);
    result.imaginary = log(hypot(x / 2, y / 2)) + 2 * 0x1.62e42fefa39efp-1;
    return result;
  }
  if (y == 0 || y < 1e-150) { // y^2 underflows
    if (x < 1) {
      const double root = sqrt((1 - x) * (1 + x));
      result.sine = atan2(x, root);
      result.cosine = atan2(root, x);
      result.imaginary = y / root;
    } else if (x > 1) {
      const double root = sqrt((x - 1) * (x + 1));
      result.cosine = y / root;
      result.sine = pi_2 - result.cosine;
      result.imaginary = log1p((x - 1) + root);
    } else {
      result.cosine = result.imaginary = sqrt(y);
      result.sine = pi_2 - result.cosine;
    }
    return result;
  }
  const double r = hypot(x + 1, y), s = hypot(x - 1, y), a = (r + s) / 2;
  const double right = x < 1 ? y * (y / (s + (1 - x))) : s + (x - 1);
  const double left = x > 1 ? y * (y / (s + (x - 1))) : s + (1 - x);
  const double far = y * (y / (r + (x + 1))); // r - (x + 1)
  // a - 1, and a squared less x squared.
  const double above = (far + right) / 2;
  const double root =
      x <= 1
          ? sqrt((a + x) / 2 * (far + left))
          : y * sqrt(((a + x) / (r + (x + 1)) + (a + x) / (s + (x - 1))) / 2);
  result.imaginary = a < 1.5 ? log1p(above + sqrt(above * (a + 1)))
                             : log(a + sqrt((a - 1) * (a + 1)));
  result.sine = atan2(x, root);
  result.cosine = atan2(root, x);
  return result;
}

double complex casinh(double complex z) {
  const double x = creal(z), y = cimag(z);
  if (!isfinite(x) || !isfinite(y)) {
    if (isinf(x))
      return CMPLX(x, isnan(y)   ? y
                      : isinf(y) ? copysign(0x1.921fb54442d18p-1, y)
                                 : copysign(0, y));
    if (isinf(y))
      return CMPLX(copysign(INFINITY, x),
                   isnan(x) ? NAN : copysign(0x1.921fb54442d18p0, y));
    return CMPLX(NAN, y == 0 ? y : NAN);
  }
  if (x == 0 && y == 0)
    return z;
  const arcs found = arcs_of(fabs(y), fabs(x)); // asin(iz) = i asinh(z)
  return CMPLX(copysign(found.imaginary, x), copysign(found.sine, y));
}

double complex cacos(double complex z) {
  const double x = creal(z), y = cimag(z);
  const double pi = 0x1.921fb54442d18p1;
  if (!isfinite(x) || !isfinite(y)) {
    if (isinf(x))
      return isnan(y) ? CMPLX(NAN, -INFINITY)
                      : CMPLX(isinf(y) ? (x < 0 ? 3 * (pi / 4) : pi / 4)
                              : x < 0  ? pi
                                       : 0,
                              -copysign(INFINITY, y));
    if (isinf(y))
      return CMPLX(isnan(x) ? NAN : pi / 2, -y);
    return CMPLX(x == 0 ? pi / 2 : NAN, NAN);
  }
  const arcs found = arcs_of(fabs(x), fabs(y));
  return CMPLX(signbit(x) && x != 0 ? pi - found.cosine : found.cosine,
               -copysign(found.imaginary, y));
}

double complex cacosh(double complex z) {
  const double complex found = cacos(z);
  if (isnan(cimag(found)) || isnan(creal(found)))
    return CMPLX(isinf(cimag(found)) || isinf(creal(found)) ? INFINITY : NAN,
                 creal(z) == 0 ? creal(found) : NAN);
  return signbit(cimag(z)) ? CMPLX(cimag(found), -creal(found))
                           : CMPLX(-cimag(found), creal(found));
}

double complex catanh(double complex z) {
  const double x = creal(z), y = cimag(z);
  const double pi_2 = 0x1.921fb54442d18p0;
  if (!isfinite(x) || !isfinite(y)) {
    if (isinf(y))
      return CMPLX(copysign(0, x), copysign(pi_2, y));
    if (isinf(x))
      return CMPLX(copysign(0, x), isnan(y) ? y : copysign(pi_2, y));
    return CMPLX(x == 0 ? x : NAN, NAN);
  }
  const double ax = fabs(x), ay = fabs(y);
  double re, im;
  if (ax > 1e8 || ay > 1e8) { // about 1/z + i pi/2
    const double size = hypot(ax / 2, ay / 2);
    re = ax / size / size / 4;
    im = pi_2 - ay / size / size / 4;
  } else if (ax == 1 && ay < 1e-150) {
    re = ay == 0 ? 1 / ay : (log(2 / ay)) / 2;
    im = ay == 0 ? 0 : pi_2 / 2;
  } else {
    const double beside = 1 - ax;
    const double square = ay < 1e-150 ? 0 : ay * ay;
    re = log1p(4 * ax / (beside * beside + square)) / 4;
    im = atan2(2 * ay, beside * (1 + ax) - square) / 2;
  }
  return CMPLX(copysign(re, x), copysign(im, y));
}

/// -iz, the result for the argument `from`. If the imaginary part of `from` is
/// NaN, the standard leaves the sign of the result's imaginary part open, and
/// GPUs differ in the sign of a negated NaN: here it is always plus.
static double complex turned_back(double complex z, double complex from) {
  return CMPLX(cimag(z), isnan(cimag(from)) ? fabs(creal(z)) : -creal(z));
}
double complex casin(double complex z) {
  return turned_back(casinh(turned(z)), z);
}
double complex catan(double complex z) {
  return turned_back(catanh(turned(z)), z);
}

OTHERS(cacos)
OTHERS(cacosh)
OTHERS(casin)
OTHERS(casinh)
OTHERS(catan)
OTHERS(catanh)
