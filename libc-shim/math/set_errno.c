//===-- libc-shim/math/set_errno.c - errno that newlib does not set -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos and tan of an infinity, for example, are domain errors. newlib's own
// functions, renamed when they are compiled (toolchain/newlib/files.txt), only
// return NaN.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <limits.h>
#include <math.h>

#define WITH_DOMAIN_ERROR(type, name)                                          \
  type __newlib_##name(type);                                                  \
  type name(type x) {                                                          \
    if (isinf(x))                                                              \
      errno = EDOM;                                                            \
    return __newlib_##name(x);                                                 \
  }

WITH_DOMAIN_ERROR(double, tan)

// Remainders set EDOM for an infinite dividend and for a divisor of zero,
// unless the other operand is NaN.
#define WITH_DIVISOR_ERROR(type, name, newlib)                                 \
  type newlib(type, type);                                                     \
  type name(type x, type y) {                                                  \
    if (isnan(x) || isnan(y))                                                  \
      return x + y;                                                            \
    if (!isinf(x) && y != 0)                                                   \
      return newlib(x, y);                                                     \
    errno = EDOM;                                                              \
    return NAN;                                                                \
  }

WITH_DIVISOR_ERROR(double, fmod, __ieee754_fmod)
WITH_DIVISOR_ERROR(float, fmodf, __ieee754_fmodf)
WITH_DIVISOR_ERROR(double, remainder, __ieee754_remainder)
WITH_DIVISOR_ERROR(float, remainderf, __ieee754_remainderf)

#define WITH_NO_EXPONENT(type, name)                                           \
  int __newlib_##name(type);                                                   \
  int name(type x) {                                                           \
    if (x == 0 || !isfinite(x)) {                                              \
      errno = EDOM;                                                            \
      return isinf(x) ? INT_MAX : FP_ILOGB0;                                   \
    }                                                                          \
    return __newlib_##name(x);                                                 \
  }

WITH_NO_EXPONENT(double, ilogb)
WITH_NO_EXPONENT(float, ilogbf)

double modf(double x, double *whole) {
  *whole = __builtin_elementwise_trunc(x);
  return copysign(isinf(x) ? 0 : x - *whole, x);
}
float modff(float x, float *whole) {
  *whole = __builtin_elementwise_trunc(x);
  return copysignf(isinf(x) ? 0 : x - *whole, x);
}
long double modfl(long double x, long double *whole) {
  double part;
  double rest = modf((double)x, &part);
  *whole = part;
  return rest;
}
