//===-- libc-shim/src/math_half.c - <math.h> for _Float16 -----------------===//
// By way of float, which has more than twice the digits: the result is rounded
// to what it would be by itself. errno where a result is none or too large.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>

static _Float16 half(float value) {
  const _Float16 result = (_Float16)value;
  if (isinf((float)result) && isfinite(value))
    errno = ERANGE;
  return result;
}

#define ONE(name)                                                              \
  _Float16 name##f16(_Float16 x) { return half(name##f((float)x)); }
#define TWO(name)                                                              \
  _Float16 name##f16(_Float16 x, _Float16 y) {                                 \
    return half(name##f((float)x, (float)y));                                  \
  }
#define TO_INTEGER(type, name)                                                 \
  type name##f16(_Float16 x) { return name##f((float)x); }
__HALF_ONE(ONE)
__HALF_TWO(TWO)
TO_INTEGER(long, lrint)
TO_INTEGER(long, lround)
TO_INTEGER(long long, llrint)
TO_INTEGER(long long, llround)
TO_INTEGER(int, ilogb)

_Float16 fmaf16(_Float16 x, _Float16 y, _Float16 z) {
  return (_Float16)fma((double)x, (double)y, (double)z);
}
_Float16 frexpf16(_Float16 x, int *exponent) {
  return (_Float16)frexpf((float)x, exponent);
}
_Float16 ldexpf16(_Float16 x, int exponent) {
  return half(ldexpf((float)x, exponent));
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

// Arithmetic of wider types, rounded to half once: a double's last place is far
// below what decides.
#define ARITHMETIC(name, operation)                                            \
  _Float16 f16##name(double x, double y) { return (_Float16)(x operation y); } \
  _Float16 f16##name##f(float x, float y) {                                    \
    return (_Float16)((double)x operation(double) y);                          \
  }                                                                            \
  _Float16 f16##name##l(long double x, long double y) {                        \
    return (_Float16)(x operation y);                                          \
  }
ARITHMETIC(add, +)
ARITHMETIC(sub, -)
ARITHMETIC(mul, *)
ARITHMETIC(div, /)
_Float16 f16sqrt(double x) { return (_Float16)sqrt(x); }
_Float16 f16sqrtf(float x) { return (_Float16)sqrt((double)x); }
_Float16 f16sqrtl(long double x) { return (_Float16)sqrt((double)x); }
_Float16 f16fma(double x, double y, double z) { return (_Float16)fma(x, y, z); }
_Float16 f16fmaf(float x, float y, float z) {
  return (_Float16)fma((double)x, (double)y, (double)z);
}
_Float16 f16fmal(long double x, long double y, long double z) {
  return (_Float16)fma((double)x, (double)y, (double)z);
}
