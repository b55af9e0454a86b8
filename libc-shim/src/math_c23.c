//===-- libc-shim/src/math_c23.c - What C23 adds to <math.h> --------------===//
// The functions of IEEE 754-2019 that LLVM's C library for GPUs has too, for
// double, float, long double (a double here) and _Float16; narrowing
// arithmetic, which rounds once. newlib has none of them.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define TYPE double
#define BITS uint64_t
#define MANTISSA 52
#define N(name) name
#include "math_c23.inc"
#undef N
#undef TYPE
#define TYPE long double
#define N(name) name##l
#include "math_c23.inc"
#undef N
#undef TYPE
#undef BITS
#undef MANTISSA
#define TYPE float
#define BITS uint32_t
#define MANTISSA 23
#define N(name) name##f
#include "math_c23.inc"
#undef N
#undef TYPE
#undef BITS
#undef MANTISSA
#define TYPE _Float16
#define BITS uint16_t
#define MANTISSA 10
#define N(name) name##f16
#include "math_c23.inc"

//===-- Narrowing: the exact result, rounded to float once ----------------===//

/// `high` + `rest` as a float, where |rest| is at most half of the last place
/// of `high`: the last bit of high is made odd where there is a rest, so that
/// no tie is one that was not there.
static float narrow(double high, double rest) {
  uint64_t bits;
  rest = isnan(rest) ? 0 : rest;
  __builtin_memcpy(&bits, &high, sizeof bits);
  if (rest != 0 && isfinite(high) && high != 0 && !(bits & 1)) {
    bits += (rest > 0) == (high > 0) ? 1 : -1;
    __builtin_memcpy(&high, &bits, sizeof bits);
  }
  const float result = (float)high;
  if (isfinite(high) && (isinf(result) || (result == 0 && high != 0)))
    errno = ERANGE;
  return result;
}

float fadd(double x, double y) {
  const double sum = x + y, part = sum - x;
  return narrow(sum, (x - (sum - part)) + (y - part));
}
float fsub(double x, double y) { return fadd(x, -y); }
float fmul(double x, double y) {
  const double product = x * y;
  return narrow(product, fma(x, y, -product));
}
float fdiv(double x, double y) {
  const double quotient = x / y, rest = fma(-quotient, y, x);
  return narrow(quotient, y < 0 ? -rest : rest);
}
float fsqrt(double x) {
  const double root = sqrt(x);
  return narrow(root, fma(-root, root, x));
}
float ffma(double x, double y, double z) {
  const double whole = fma(x, y, z), product = x * y;
  if (!isfinite(whole) || !isfinite(product))
    return narrow(whole, 0);
  const double low = fma(x, y, -product);
  const double sum = product + z, part = sum - product;
  const double rest = (product - (sum - part)) + (z - part) + low;
  const double high = sum + rest;
  return narrow(high, rest - (high - sum));
}

float faddl(long double x, long double y) { return fadd((double)x, (double)y); }
float fsubl(long double x, long double y) { return fsub((double)x, (double)y); }
float fmull(long double x, long double y) { return fmul((double)x, (double)y); }
float fdivl(long double x, long double y) { return fdiv((double)x, (double)y); }
float fsqrtl(long double x) { return fsqrt((double)x); }
float ffmal(long double x, long double y, long double z) {
  return ffma((double)x, (double)y, (double)z);
}
double daddl(long double x, long double y) { return (double)(x + y); }
double dsubl(long double x, long double y) { return (double)(x - y); }
double dmull(long double x, long double y) { return (double)(x * y); }
double ddivl(long double x, long double y) { return (double)(x / y); }
double dsqrtl(long double x) { return sqrt((double)x); }
double dfmal(long double x, long double y, long double z) {
  return fma((double)x, (double)y, (double)z);
}

//===-- float's multiples of pi, powers less one --------------------------===//

static const double pi = 0x1.921fb54442d18p+1;

float sinpif(float x) {
  if (!isfinite(x))
    return isinf(x) ? (errno = EDOM, NAN) : x;
  const double turn = (double)x - 2 * round((double)x / 2); // exact
  if (turn == trunc(turn))
    return copysignf(0, x);
  return (float)sin(pi * turn);
}
float cospif(float x) {
  if (!isfinite(x))
    return isinf(x) ? (errno = EDOM, NAN) : x;
  const double turn = fabs((double)x - 2 * round((double)x / 2));
  return turn == 0.5 ? 0 : (float)sin(pi * (0.5 - turn));
}
float tanpif(float x) {
  if (!isfinite(x))
    return isinf(x) ? (errno = EDOM, NAN) : x;
  const double turn = (double)x - round((double)x);
  if (turn == 0) // C23: the sign of zero changes with every turn
    return copysignf(0, fmod((double)x, 2) == 0 ? x : -x);
  if (fabs(turn) == 0.5) {
    errno = ERANGE;
    return fmod(floor((double)x), 2) == 0 ? INFINITY : -INFINITY;
  }
  return (float)tan(pi * turn);
}
float asinpif(float x) { return (float)(asin((double)x) / pi); }
float exp2m1f(float x) {
  const float result = (float)expm1((double)x * 0x1.62e42fefa39efp-1);
  if (isinf(result) && isfinite(x))
    errno = ERANGE;
  return result;
}
