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

//===-- float, by way of double -------------------------------------------===//

/// Rounds the result for the argument `x` to float. Overflow or underflow in
/// this step sets errno to ERANGE.
static float narrow(double value, double x) {
  float result = (float)value;
  if ((isinf(result) && isfinite(x)) || (result == 0 && value != 0))
    errno = ERANGE;
  return result;
}

float hypotf(float x, float y) {
  if (isinf(x) || isinf(y))
    return INFINITY;
  const double a = x, b = y; // their squares are exact
  return narrow(__builtin_elementwise_sqrt(a * a + b * b), 0);
}
