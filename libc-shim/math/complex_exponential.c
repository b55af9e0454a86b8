//===-- libc-shim/math/complex_exponential.c - cexp, csinh, ... -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special values are those of C17's annex G, which newlib's functions do not
// follow. The circular functions use the hyperbolic ones: sin(z) = -i sinh(iz),
// cos(z) = cosh(iz), tan(z) = -i tanh(iz). Functions of float and long double
// call those of double.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/complex_forms.h"
#include <math.h>

/// exp(|x|) / 2 * factor, also where exp(|x|) overflows and the product does
/// not.
static double half_exp(double x, double factor) {
  if (factor == 0)
    return factor;
  if (fabs(x) < 700)
    return exp(fabs(x)) * 0.5 * factor;
  const double half = exp(fmin(fabs(x), 1500) * 0.5);
  return half * 0.5 * factor * half;
}

double complex cexp(double complex z) {
  const double x = creal(z), y = cimag(z);
  if (y == 0) // for all x, infinities and NaN too
    return CMPLX(exp(x), y);
  if (!isfinite(y)) {
    if (isinf(x) && x < 0)
      return CMPLX(0, copysign(0, y));
    return isinf(x) ? CMPLX(x, NAN) : CMPLX(NAN, NAN);
  }
  if (isnan(x))
    return CMPLX(NAN, NAN);
  if (isinf(x))
    return x < 0 ? CMPLX(copysign(0, cos(y)), copysign(0, sin(y)))
                 : CMPLX(copysign(x, cos(y)), copysign(x, sin(y)));
  if (x > 700)
    return CMPLX(2 * half_exp(x, cos(y)), 2 * half_exp(x, sin(y)));
  const double scale = exp(x);
  return CMPLX(scale * cos(y), scale * sin(y));
}

double complex ccosh(double complex z) {
  const double x = creal(z), y = cimag(z);
  if (isfinite(x) && isfinite(y)) {
    if (fabs(x) > 40) // |sinh(x)| and cosh(x) are equal
      return CMPLX(half_exp(x, cos(y)), copysign(1, x) * half_exp(x, sin(y)));
    return CMPLX(cosh(x) * cos(y), sinh(x) * sin(y));
  }
  // Signs that the annex leaves open are as in glibc.
  if (x == 0) // y is infinite or NaN
    return CMPLX(NAN, 0);
  if (y == 0)
    return CMPLX(x * x, isnan(x) ? copysign(0, y) : copysign(0, x) * y);
  if (isinf(x) && isfinite(y))
    return CMPLX(copysign(INFINITY, cos(y)), x * sin(y));
  if (isinf(x))
    return CMPLX(INFINITY, NAN);
  return CMPLX(NAN, NAN);
}

double complex csinh(double complex z) {
  const double x = creal(z), y = cimag(z);
  if (isfinite(x) && isfinite(y)) {
    if (fabs(x) > 40)
      return CMPLX(copysign(1, x) * half_exp(x, cos(y)), half_exp(x, sin(y)));
    return CMPLX(sinh(x) * cos(y), cosh(x) * sin(y));
  }
  if (x == 0)
    return CMPLX(x, NAN);
  if (y == 0)
    return CMPLX(x, y);
  if (isinf(x) && isfinite(y))
    return CMPLX(x * cos(y), copysign(INFINITY, sin(y)));
  if (isinf(x))
    return CMPLX(INFINITY, NAN);
  return CMPLX(NAN, NAN);
}

double complex ctanh(double complex z) {
  const double x = creal(z), y = cimag(z);
  if (isinf(x))
    return CMPLX(copysign(1, x),
                 copysign(0, isfinite(y) ? sin(y) * cos(y) : y));
  if (isnan(x))
    return CMPLX(NAN, y == 0 ? y : NAN);
  if (!isfinite(y))
    return CMPLX(x == 0 ? x : NAN, NAN);
  if (fabs(x) > 22)
    return CMPLX(copysign(1, x), 4 * sin(y) * cos(y) * exp(-2 * fabs(x)));
  // Kahan's formula, with numerator and denominator multiplied by cos(y)^2.
  const double s = sin(y), c = cos(y), h = sinh(x);
  const double below = c * c + h * h;
  return CMPLX(h * cosh(x) / below, s * c / below);
}

static double complex turned_back(double complex z) { // -iz
  return CMPLX(cimag(z), -creal(z));
}
double complex ccos(double complex z) { return ccosh(turned(z)); }
double complex csin(double complex z) {
  const double complex found = turned_back(csinh(turned(z)));
  return isnan(creal(found)) && isinf(cimag(found)) ? CMPLX(NAN, INFINITY)
                                                    : found;
}
double complex ctan(double complex z) { return turned_back(ctanh(turned(z))); }

OTHERS(cexp)
OTHERS(ccosh)
OTHERS(csinh)
OTHERS(ctanh)
OTHERS(ccos)
OTHERS(csin)
OTHERS(ctan)
