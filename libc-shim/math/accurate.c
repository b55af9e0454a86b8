//===-- libc-shim/math/accurate.c - Within one ulp ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose versions in newlib have larger errors (test/libc/accuracy.c).
// Functions of double compute in double-double, functions of float in double.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/double_double.h"
#include <errno.h>
#include <math.h>

static double sum(dd x) { return x.hi + x.lo; }
static double fail(int error, double result) {
  errno = error;
  return result;
}

double sinh(double x) {
  double a = fabs(x);
  if (!(a <= 710.4758600739439)) {
    if (isfinite(x))
      errno = ERANGE;
    return x + x == x || isnan(x) ? x : copysign(INFINITY, x);
  }
  if (a < 0x1p-28)
    return x;
  if (a > 40) {
    int exponent;
    dd m = __dd_exp_parts((dd){a, 0}, &exponent);
    return copysign(ldexp(sum(dd_add((dd){1, 0}, m)), exponent - 1), x);
  }
  dd m = __dd_expm1((dd){a, 0});
  dd both = dd_add(m, dd_divide(m, dd_add((dd){1, 0}, m)));
  return copysign(sum(both) / 2, x);
}

double cosh(double x) {
  double a = fabs(x);
  if (!(a <= 710.4758600739439)) {
    if (isfinite(x))
      errno = ERANGE;
    return a * INFINITY;
  }
  int exponent;
  dd e = dd_add((dd){1, 0}, __dd_exp_parts((dd){a, 0}, &exponent));
  if (a > 40)
    return ldexp(sum(e), exponent - 1);
  e = dd_scale(e, ldexp(1, exponent));
  return sum(dd_add(e, dd_divide((dd){1, 0}, e))) / 2;
}

double tanh(double x) {
  double a = fabs(x);
  if (isnan(x) || a < 0x1p-28)
    return x;
  if (a > 20)
    return copysign(1, x);
  dd m = __dd_expm1((dd){2 * a, 0});
  return copysign(sum(dd_divide(m, dd_add((dd){2, 0}, m))), x);
}

static const dd log_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

double acosh(double x) {
  if (x < 1)
    return fail(EDOM, NAN);
  if (!isfinite(x))
    return x;
  if (x > 1e8)
    return sum(dd_add(__dd_log((dd){x, 0}), log_2));
  dd t = dd_two_sum(x, -1);
  dd root = dd_sqrt(dd_add(dd_scale(t, 2), dd_multiply(t, t)));
  return sum(__dd_log1p(dd_add(t, root)));
}

//===-- Gamma -------------------------------------------------------------===//

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
  dd result = dd_multiply(dd_add(x, (dd){-0.5, 0}), __dd_log(x));
  result = dd_add(result, dd_negate(x));
  result = dd_add(result, half_log_two_pi);
  double square = 1 / (x.hi * x.hi),
         series =
             -1.0 / 360 +
             square * (1.0 / 1260 +
                       square * (-1.0 / 1680 +
                                 square * (1.0 / 1188 +
                                           square * (-691.0 / 360360 +
                                                     square * (1.0 / 156)))));
  result = dd_add(result, dd_divide((dd){1, 0}, dd_scale(x, 12)));
  return dd_add(result, (dd){series * square / x.hi, 0});
}

/// sin(pi x) for |x| <= 1/2, by Taylor's series.
static dd sine_of_pi(double x) {
  const dd pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  const dd angle = dd_multiply(pi, (dd){x, 0});
  const dd square = dd_multiply(angle, angle);
  dd series = {1, 0};
  for (int i = 24; i > 0; i -= 2) {
    dd term = dd_divide(dd_multiply(square, series), (dd){i * (i + 1), 0});
    series = dd_add((dd){1, 0}, dd_negate(term));
  }
  return dd_multiply(angle, series);
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
  const double nearest = __builtin_elementwise_rint(x);
  dd sine = sine_of_pi(x - nearest);
  if (fmod(nearest, 2) != 0)
    sine = dd_negate(sine);
  const dd pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  return in_range(
      ldexp(sum(dd_divide(pi, dd_multiply(sine, value))), -exponent));
}

/// newlib's lgamma, used near its zeros and for tiny and negative arguments.
double __newlib_lgamma(double);

double lgamma(double x) {
  if (!(x >= 1e-280) || !isfinite(x) || fabs(x - 1) < 0.02 ||
      fabs(x - 2) < 0.02) {
    double result = __newlib_lgamma(x);
    return isinf(result) && !isinf(x) ? fail(ERANGE, result) : result;
  }
  signgam = 1;
  if (x > 1e305)
    return x > 2.5e305 ? fail(ERANGE, INFINITY) : __newlib_lgamma(x);
  dd at = {x, 0};
  dd product = rising(&at);
  dd result = stirling(at);
  if (product.hi != 1)
    result = dd_add(result, dd_negate(__dd_log(product)));
  return sum(result);
}

//===-- float, by way of double -------------------------------------------===//

/// Rounds the result for the argument `x` to float. Overflow or underflow in
/// this step sets errno to ERANGE.
static float narrow(double value, double x) {
  float result = (float)value;
  if ((isinf(result) && isfinite(x)) || (result == 0 && value != 0))
    errno = ERANGE;
  return result;
}

#define BY_DOUBLE(name)                                                        \
  float name##f(float x) { return narrow(name(x), x); }

BY_DOUBLE(tgamma)
BY_DOUBLE(lgamma)

float hypotf(float x, float y) {
  if (isinf(x) || isinf(y))
    return INFINITY;
  const double a = x, b = y; // their squares are exact
  return narrow(__builtin_elementwise_sqrt(a * a + b * b), 0);
}
