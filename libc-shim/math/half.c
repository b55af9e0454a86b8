//===-- libc-shim/math/half.c - <math.h> for _Float16 ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions compute in float where the second rounding, to half, does no harm,
// else in double: a transcendental result rounded to float may be a tie between
// two halves where the exact result is none (test/libc/half.c tries all
// arguments). errno is set for domain errors and overflow.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/round_to_odd.h"
#include <errno.h>
#include <math.h>

static _Float16 half(double value) {
  const _Float16 result = (_Float16)value;
  if (isinf((float)result) && isfinite(value))
    errno = ERANGE;
  return result;
}
static _Float16 half_of_float(float value) {
  const _Float16 result = (_Float16)value;
  if (isinf((float)result) && isfinite(value))
    errno = ERANGE;
  return result;
}

#define BY_FLOAT(name)                                                         \
  _Float16 name##f16(_Float16 x) { return half_of_float(name##f((float)x)); }
#define BY_DOUBLE(name)                                                        \
  _Float16 name##f16(_Float16 x) { return half(name((double)x)); }
#define TWO_BY_FLOAT(name)                                                     \
  _Float16 name##f16(_Float16 x, _Float16 y) {                                 \
    return half_of_float(name##f((float)x, (float)y));                         \
  }
#define TWO_BY_DOUBLE(name)                                                    \
  _Float16 name##f16(_Float16 x, _Float16 y) {                                 \
    return half(name((double)x, (double)y));                                   \
  }
#define TO_INTEGER(type, name)                                                 \
  type name##f16(_Float16 x) { return name##f((float)x); }
BY_FLOAT(ceil)
BY_FLOAT(fabs) BY_FLOAT(floor) BY_FLOAT(logb) BY_FLOAT(nearbyint) BY_FLOAT(rint)
    BY_FLOAT(round) BY_FLOAT(roundeven) BY_FLOAT(trunc) BY_FLOAT(sqrt)
        BY_FLOAT(sinpi) BY_FLOAT(cospi) BY_DOUBLE(acos) BY_DOUBLE(acosh)
            BY_DOUBLE(asin) BY_DOUBLE(asinh) BY_DOUBLE(atan) BY_DOUBLE(atanh)
                BY_DOUBLE(cos) BY_DOUBLE(cosh) BY_DOUBLE(exp) BY_DOUBLE(exp10)
                    BY_DOUBLE(exp2) BY_DOUBLE(expm1) BY_DOUBLE(log)
                        BY_DOUBLE(log10) BY_DOUBLE(log1p) BY_DOUBLE(log2)
                            BY_DOUBLE(sin) BY_DOUBLE(sinh) BY_DOUBLE(tan)
                                BY_DOUBLE(tanh) _Float16 tanpif16(_Float16 x) {
  return half(__tanpi((double)x));
}
_Float16 asinpif16(_Float16 x) { return half(__asinpi((double)x)); }
_Float16 exp2m1f16(_Float16 x) { return half(__exp2m1((double)x)); }
TWO_BY_FLOAT(copysign)
TWO_BY_FLOAT(fdim) TWO_BY_FLOAT(fmax) TWO_BY_FLOAT(fmin) TWO_BY_FLOAT(fmod)
    TWO_BY_FLOAT(remainder) TWO_BY_DOUBLE(atan2) TWO_BY_DOUBLE(hypot)
        TWO_BY_DOUBLE(pow) TO_INTEGER(long, lrint) TO_INTEGER(long, lround)
            TO_INTEGER(long long, llrint) TO_INTEGER(long long, llround)
                TO_INTEGER(int, ilogb)

                    _Float16 fmaf16(_Float16 x, _Float16 y, _Float16 z) {
  return (_Float16)fma((double)x, (double)y, (double)z);
}
_Float16 frexpf16(_Float16 x, int *exponent) {
  return (_Float16)frexpf((float)x, exponent);
}
_Float16 ldexpf16(_Float16 x, int exponent) {
  return half_of_float(ldexpf((float)x, exponent));
}
_Float16 scalbnf16(_Float16 x, int exponent) { return ldexpf16(x, exponent); }
_Float16 scalblnf16(_Float16 x, long exponent) {
  return ldexpf16(x, exponent > 999    ? 999
                     : exponent < -999 ? -999
                                       : (int)exponent);
}
_Float16 modff16(_Float16 x, _Float16 *whole) {
  float part;
  const float rest = modff((float)x, &part);
  *whole = (_Float16)part;
  return (_Float16)rest;
}
_Float16 remquof16(_Float16 x, _Float16 y, int *quotient) {
  return (_Float16)remquof((float)x, (float)y, quotient);
}
_Float16 nanf16(const char *text) { return (_Float16)nanf(text); }
_Float16 nextafterf16(_Float16 x, _Float16 y) {
  return isnan((float)x) || isnan((float)y) ? x + y
         : x == y                           ? y
         : x < y                            ? nextupf16(x)
                                            : nextdownf16(x);
}
_Float16 nexttowardf16(_Float16 x, long double y) {
  return isnan((float)x) || isnan(y) ? x + (_Float16)y
         : x == y                    ? (_Float16)y
         : x < y                     ? nextupf16(x)
                                     : nextdownf16(x);
}

// Arithmetic of wider types whose result is rounded to half once.
static _Float16 narrow(double wide) {
  const _Float16 result = (_Float16)wide;
  if (isfinite(wide) && (isinf((float)result) || (result == 0 && wide != 0)))
    errno = ERANGE;
  return result;
}
#define ARITHMETIC(name, call)                                                 \
  _Float16 f16##name(double x, double y) { return narrow(call); }              \
  _Float16 f16##name##f(float x, float y) { return f16##name(x, y); }          \
  _Float16 f16##name##l(long double x, long double y) {                        \
    return f16##name((double)x, (double)y);                                    \
  }
ARITHMETIC(add, __add_to_odd(x, y))
ARITHMETIC(sub, __add_to_odd(x, -y))
ARITHMETIC(mul, __multiply_to_odd(x, y))
ARITHMETIC(div, __divide_to_odd(x, y))
_Float16 f16sqrt(double x) { return narrow(__sqrt_to_odd(x)); }
_Float16 f16sqrtf(float x) { return f16sqrt(x); }
_Float16 f16sqrtl(long double x) { return f16sqrt((double)x); }
_Float16 f16fma(double x, double y, double z) {
  return narrow(__fma_to_odd(x, y, z));
}
_Float16 f16fmaf(float x, float y, float z) { return f16fma(x, y, z); }
_Float16 f16fmal(long double x, long double y, long double z) {
  return f16fma((double)x, (double)y, (double)z);
}
