//===-- libc-shim/math/bessel.c - Bessel functions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// newlib's kernels without its wrappers, which give 0 for arguments above
// 1.4e16. Functions of float compute in double. Poles and arguments below 0
// set errno as in glibc.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>

double __ieee754_j0(double), __ieee754_j1(double), __ieee754_jn(int, double);
double __ieee754_y0(double), __ieee754_y1(double), __ieee754_yn(int, double);

/// Does a function of the second kind have a value? Else sets errno and stores
/// the result: `pole` for 0, NaN below 0.
static _Bool has_value(double x, double pole, double *result) {
  if (!(x <= 0))
    return 1;
  errno = x < 0 ? EDOM : ERANGE;
  *result = x < 0 ? NAN : pole;
  return 0;
}

double j0(double x) { return __ieee754_j0(x); }
double j1(double x) { return __ieee754_j1(x); }
double jn(int n, double x) { return __ieee754_jn(n, x); }
double y0(double x) {
  double result;
  return has_value(x, -INFINITY, &result) ? __ieee754_y0(x) : result;
}
double y1(double x) {
  double result;
  return has_value(x, -INFINITY, &result) ? __ieee754_y1(x) : result;
}
double yn(int n, double x) {
  double result;
  const double pole = n < 0 && n % 2 ? INFINITY : -INFINITY;
  return has_value(x, pole, &result) ? __ieee754_yn(n, x) : result;
}

float j0f(float x) { return (float)j0(x); }
float j1f(float x) { return (float)j1(x); }
float jnf(int n, float x) { return (float)jn(n, x); }
float y0f(float x) { return (float)y0(x); }
float y1f(float x) { return (float)y1(x); }
float ynf(int n, float x) { return (float)yn(n, x); }
