//===-- libc-shim/math/libclc/wrappers.c - Functions of libclc ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of <math.h> that LLVM's libclc computes within one ulp and in fewer
// instructions than newlib and our own code. Functions of float call its double
// functions where its float ones have larger errors (measured in
// docs/c-library.md). libclc does not set errno; these wrappers do. The build
// links its bitcode into this file's and makes its names local, because a C++
// program may define overloads with the same mangled names. Functions to keep
// are listed in libc-shim/CMakeLists.txt.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>

// Functions that set ERANGE for overflow and for underflow to zero.
#define CHECKED(type, name, clc)                                               \
  type clc(type);                                                              \
  type name(type x) {                                                          \
    type result = clc(x);                                                      \
    if ((isinf(result) || result == 0) && isfinite(x))                         \
      errno = ERANGE;                                                          \
    return result;                                                             \
  }
CHECKED(double, __gpuexec_clc_exp, _Z3expd) // exponential.c
CHECKED(double, exp2, _Z4exp2d)

// A function without errors.
double _Z4cbrtd(double);
double cbrt(double x) { return _Z4cbrtd(x); }

// Odd functions without errors. libclc's lose the sign of zero.
#define ODD(type, name, clc)                                                   \
  type clc(type);                                                              \
  type name(type x) { return __builtin_elementwise_copysign(clc(x), x); }
ODD(double, erf, _Z3erfd)
ODD(float, erff, _Z3erff)

double _Z5asinhd(double);
double asinh(double x) { return fabs(x) < 0x1p-28 ? x : _Z5asinhd(x); }

// Functions that set EDOM for |x| > 1.
static double beyond_one(void) {
  errno = EDOM;
  return NAN;
}
double _Z4asind(double);
double asin(double x) {
  return fabs(x) > 1 ? beyond_one() : copysign(_Z4asind(x), x);
}
float _Z4asinf(float);
float asinf(float x) {
  return fabsf(x) > 1 ? (float)beyond_one() : copysignf(_Z4asinf(x), x);
}
double _Z4acosd(double);
double acos(double x) { return fabs(x) > 1 ? beyond_one() : _Z4acosd(x); }

double _Z5atanhd(double);
double atanh(double x) {
  const double a = fabs(x);
  if (a >= 1) {
    errno = a == 1 ? ERANGE : EDOM;
    return a == 1 ? copysign(INFINITY, x) : NAN;
  }
  return a < 0x1p-28 ? x : _Z5atanhd(x);
}

// Functions that set ERANGE at `pole` and EDOM below it.
#define LOGARITHM(type, name, clc, pole)                                       \
  type clc(type);                                                              \
  type name(type x) {                                                          \
    if (x <= (pole)) {                                                         \
      errno = x == (pole) ? ERANGE : EDOM;                                     \
      return x == (pole) ? -(type)INFINITY : (type)NAN;                        \
    }                                                                          \
    return clc(x);                                                             \
  }
LOGARITHM(double, log2, _Z4log2d, 0)
LOGARITHM(float, log2f, _Z4log2f, 0)
LOGARITHM(double, log10, _Z5log10d, 0)
LOGARITHM(float, log10f, _Z5log10f, 0)
LOGARITHM(double, log1p, _Z5log1pd, -1)
LOGARITHM(float, log1pf, _Z5log1pf, -1)

static double fail(int error, double result) {
  errno = error;
  return result;
}

double _Z3powdd(double, double);
double pow(double x, double y) {
  // An exponent beyond +-2^64 is even and has the same result as +-2^64. libclc
  // would multiply it by a logarithm, and the product may overflow.
  const double most = 0x1p64;
  const double exponent = y > most ? most : y < -most ? -most : y;
  const double result = _Z3powdd(x, isinf(y) ? y : exponent);
  if (isfinite(x) && isfinite(y)) {
    if (isnan(result))
      return fail(EDOM, result);
    if (isinf(result) || (result == 0 && x != 0))
      errno = ERANGE;
  }
  return result;
}

//===-- float, by way of double -------------------------------------------===//

/// Rounds the result for the argument `x` to float. Overflow and underflow set
/// errno to ERANGE.
static float narrow(double value, float x) {
  const float result = (float)value;
  if ((isinf(result) && isfinite(x)) || (result == 0 && value != 0))
    errno = ERANGE;
  return result;
}

#define BY_DOUBLE(name, clc)                                                   \
  double clc(double);                                                          \
  float name##f(float x) { return narrow(clc(x), x); }
BY_DOUBLE(sinh, _Z4sinhd)
BY_DOUBLE(cosh, _Z4coshd)
BY_DOUBLE(tanh, _Z4tanhd)

double _Z4erfcd(double);
float erfcf(float x) {
  const float result = (float)_Z4erfcd(x);
  if (result == 0 && isfinite(x))
    errno = ERANGE;
  return result;
}
float cbrtf(float x) { return (float)_Z4cbrtd(x); }
float asinhf(float x) { return (float)_Z5asinhd(x); }
float atanhf(float x) { return (float)atanh(x); }
double _Z5atan2dd(double, double);
float atan2f(float y, float x) { return narrow(_Z5atan2dd(y, x), INFINITY); }

double _Z3tand(double);
float tanf(float x) {
  if (isinf(x)) {
    errno = EDOM;
    return NAN;
  }
  return x == 0 ? x : (float)_Z3tand(x); // libclc's of -0 is 0
}

double _Z5acoshd(double);
float acoshf(float x) {
  if (x < 1) {
    errno = EDOM;
    return NAN;
  }
  return (float)_Z5acoshd(x);
}
