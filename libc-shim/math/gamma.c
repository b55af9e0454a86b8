//===-- libc-shim/math/gamma.c - tgamma, lgamma and their like ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stirling's series in double-double, for negative arguments with the
// reflection gamma(x) gamma(1 - x) = pi / sin(pi x). lgamma has zeros between
// negative integers; what is subtracted there has an error of about 1e-28.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/double_double.h"
#include <errno.h>
#include <math.h>

static double sum(dd x) { return x.hi + x.lo; }
static double fail(int error, double result) {
  errno = error;
  return result;
}

/// The product x (x + 1) (x + 2) ... of all factors below 20. *x becomes the
/// first factor that is not below 20.
static dd rising(dd *x) {
  dd product = {1, 0};
  while (x->hi < 20) {
    product = dd_multiply(product, *x);
    *x = dd_add(*x, (dd){1, 0});
  }
  return product;
}

/// log(gamma(x)) for x >= 20 by Stirling's series.
static dd stirling(dd x) {
  const dd half_log_two_pi = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
  // 1/12, -1/360, 1/1260 and -1/1680.
  static const dd first[] = {{0x1.5555555555555p-4, 0x1.5555555555555p-58},
                             {-0x1.6c16c16c16c17p-9, 0x1.f49f49f49f49fp-64},
                             {0x1.a01a01a01a01ap-11, 0x1.a01a01a01a01ap-71},
                             {-0x1.3813813813814p-11, 0x1.fb1fb1fb1fb20p-65}};
  static const double rest[] = {
      1.0 / 1188,       -691.0 / 360360,        1.0 / 156,
      -3617.0 / 122400, 43867.0 / 244188,       -174611.0 / 125400,
      77683.0 / 5796,   -236364091.0 / 1506960, 657931.0 / 300};
  dd result = dd_multiply(dd_add(x, (dd){-0.5, 0}), __dd_log(x));
  result = dd_add(result, dd_negate(x));
  result = dd_add(result, half_log_two_pi);
  const dd inverse = dd_divide((dd){1, 0}, x);
  const dd square = dd_multiply(inverse, inverse);
  double tail = 0;
  for (int i = 8; i >= 0; --i)
    tail = dd_fma(tail, square.hi, rest[i]);
  dd series = {tail, 0};
  for (int i = 3; i >= 0; --i)
    series = dd_add(first[i], dd_multiply(series, square));
  return dd_add(result, dd_multiply(series, inverse));
}

static const dd pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/// sin(pi x) for |x| <= 1/2, by Taylor's series.
static dd sine_of_pi(double x) {
  const dd angle = dd_multiply(pi, (dd){x, 0});
  const dd square = dd_multiply(angle, angle);
  dd series = {1, 0};
  for (int i = 30; i > 0; i -= 2) {
    dd term = dd_divide(dd_multiply(square, series), (dd){i * (i + 1), 0});
    series = dd_add((dd){1, 0}, dd_negate(term));
  }
  return dd_multiply(angle, series);
}

/// sin(pi x) for an x that is no integer.
static dd sine_of_all(double x) {
  const double nearest = __builtin_elementwise_rint(x);
  const dd sine = sine_of_pi(x - nearest);
  return fmod(nearest, 2) != 0 ? dd_negate(sine) : sine;
}

/// Returns the result. Sets errno to ERANGE if it is infinite or zero: it has
/// overflowed or underflowed.
static double in_range(double result) {
  return isinf(result) || result == 0 ? fail(ERANGE, result) : result;
}

double tgamma(double x) {
  if (isnan(x) || x == INFINITY)
    return x;
  if (x == 0)
    return fail(ERANGE, copysign(INFINITY, x));
  if (x < 0 && x == floor(x))
    return fail(EDOM, NAN);
  if (x > 171.7)
    return fail(ERANGE, INFINITY);
  if (x < -190)
    return fail(ERANGE, fmod(floor(x), 2) == 0 ? 0.0 : -0.0);
  if (fabs(x) < 0x1p-60)
    return in_range(1 / x);
  dd at = x < 0 ? dd_two_sum(1, -x) : (dd){x, 0};
  dd product = rising(&at);
  int exponent;
  dd m = __dd_exp_parts(stirling(at), &exponent);
  dd value = dd_divide(dd_add((dd){1, 0}, m), product);
  if (x > 0)
    return in_range(ldexp(sum(value), exponent));
  // gamma(x) = pi / (sin(pi x) gamma(1 - x))
  return in_range(
      ldexp(sum(dd_divide(pi, dd_multiply(sine_of_all(x), value))), -exponent));
}

/// newlib's lgamma, used near its zeros 1 and 2.
double __ieee754_lgamma_r(double, int *);

/// log |gamma(x)| of a finite x below 0 that is no integer.
static double reflected(double x) {
  dd at = dd_two_sum(1, -x);
  const dd product = rising(&at); // gamma(1 - x) = gamma(at) / product
  dd sine = sine_of_all(x);
  if (sine.hi < 0)
    sine = dd_negate(sine);
  const dd quotient = dd_divide(dd_multiply(pi, product), sine);
  return sum(dd_add(__dd_log(quotient), dd_negate(stirling(at))));
}

/// lgamma(x); *sign becomes that of gamma(x).
static double log_gamma(double x, int *sign) {
  *sign = 1;
  if (isnan(x) || isinf(x))
    return x * x;
  if (x == 0) {
    *sign = signbit(x) ? -1 : 1;
    return fail(ERANGE, INFINITY);
  }
  if (x < 0) {
    const double whole = floor(x);
    if (x == whole)
      return fail(ERANGE, INFINITY); // a pole, as all numbers below -2^52 are
    if (fmod(whole, 2) != 0)
      *sign = -1;
  }
  if (fabs(x) < 0x1p-60)
    return -log(fabs(x));
  if (x < 0)
    return reflected(x);
  if (x > 2.5e305)
    return fail(ERANGE, INFINITY);
  if (x > 1e305 || fabs(x - 1) < 0.02 || fabs(x - 2) < 0.02)
    return __ieee754_lgamma_r(x, sign);
  dd at = {x, 0};
  const dd product = rising(&at);
  dd result = stirling(at);
  if (product.hi != 1)
    result = dd_add(result, dd_negate(__dd_log(product)));
  return sum(result);
}

double lgamma_r(double x, int *sign) { return log_gamma(x, sign); }
double lgamma(double x) { return log_gamma(x, &signgam); }
double gamma(double x) { return log_gamma(x, &signgam); }
long double lgammal_r(long double x, int *sign) {
  return log_gamma((double)x, sign);
}
long double gammal(long double x) { return log_gamma((double)x, &signgam); }

/// Rounds the result for the argument `x` to float. Overflow or underflow in
/// this step sets errno to ERANGE.
static float narrow(double value, double x) {
  float result = (float)value;
  if ((isinf(result) && isfinite(x)) || (result == 0 && value != 0))
    errno = ERANGE;
  return result;
}
float tgammaf(float x) { return narrow(tgamma(x), x); }
float lgammaf(float x) { return narrow(lgamma(x), x); }
float gammaf(float x) { return narrow(lgamma(x), x); }
float lgammaf_r(float x, int *sign) { return narrow(log_gamma(x, sign), x); }
