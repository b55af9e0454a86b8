//===-- libc-shim/src/math_errors.c - errno where newlib forgets it -------===//
// sin, cos and tan of an infinity are domain errors; newlib's own functions,
// renamed when they are compiled (toolchain/newlib/files.txt), only give NaN.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>

#define WITH_DOMAIN_ERROR(type, name)                                          \
  type __newlib_##name(type);                                                  \
  type name(type x) {                                                          \
    if (isinf(x))                                                              \
      errno = EDOM;                                                            \
    return __newlib_##name(x);                                                 \
  }

WITH_DOMAIN_ERROR(double, sin)
WITH_DOMAIN_ERROR(double, cos)
WITH_DOMAIN_ERROR(double, tan)

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
