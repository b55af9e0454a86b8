//===-- libc-shim/math/c23.c - What C23 adds to <math.h> ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of C23 that newlib lacks: those of IEEE 754-2019 that LLVM's C
// library for GPUs has too, for double, float, long double (a double here) and
// _Float16; and narrowing arithmetic, which rounds once.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/round_to_odd.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define TYPE double
#define BITS uint64_t
#define MANTISSA 52
#define N(name) name
#include "libc-shim/math/c23.inc"
#undef N
#undef TYPE
#define TYPE long double
#define N(name) name##l
#include "libc-shim/math/c23.inc"
#undef N
#undef TYPE
#undef BITS
#undef MANTISSA
#define TYPE float
#define BITS uint32_t
#define MANTISSA 23
#define N(name) name##f
#include "libc-shim/math/c23.inc"
#undef N
#undef TYPE
#undef BITS
#undef MANTISSA
#define TYPE _Float16
#define BITS uint16_t
#define MANTISSA 10
#define N(name) name##f16
#include "libc-shim/math/c23.inc"

//===-- Narrowing: the exact result, rounded to float once ----------------===//

double __round_to_odd(double high, double rest) {
  uint64_t bits;
  rest = isnan(rest) ? 0 : rest;
  __builtin_memcpy(&bits, &high, sizeof bits);
  if (rest != 0 && isfinite(high) && high != 0 && !(bits & 1)) {
    bits += (rest > 0) == (high > 0) ? 1 : -1;
    __builtin_memcpy(&high, &bits, sizeof bits);
  }
  return high;
}
double __add_to_odd(double x, double y) {
  const double sum = x + y, part = sum - x;
  return __round_to_odd(sum, (x - (sum - part)) + (y - part));
}
double __multiply_to_odd(double x, double y) {
  const double product = x * y;
  return __round_to_odd(product, fma(x, y, -product));
}
double __divide_to_odd(double x, double y) {
  const double quotient = x / y, rest = fma(-quotient, y, x);
  return __round_to_odd(quotient, y < 0 ? -rest : rest);
}
double __sqrt_to_odd(double x) {
  const double root = sqrt(x);
  return __round_to_odd(root, fma(-root, root, x));
}
double __fma_to_odd(double x, double y, double z) {
  const double whole = fma(x, y, z), product = x * y;
  if (!isfinite(whole) || !isfinite(product))
    return whole;
  const double low = fma(x, y, -product);
  const double sum = product + z, part = sum - product;
  const double rest = (product - (sum - part)) + (z - part) + low;
  const double high = sum + rest;
  return __round_to_odd(high, rest - (high - sum));
}

static float narrow(double wide) {
  const float result = (float)wide;
  if (isfinite(wide) && (isinf(result) || (result == 0 && wide != 0)))
    errno = ERANGE;
  return result;
}

float fadd(double x, double y) { return narrow(__add_to_odd(x, y)); }
float fsub(double x, double y) { return narrow(__add_to_odd(x, -y)); }
float fmul(double x, double y) { return narrow(__multiply_to_odd(x, y)); }
float fdiv(double x, double y) { return narrow(__divide_to_odd(x, y)); }
float fsqrt(double x) { return narrow(__sqrt_to_odd(x)); }
float ffma(double x, double y, double z) {
  return narrow(__fma_to_odd(x, y, z));
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

//===-- sinpif and its like, exp2m1f --------------------------------------===//

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
double __tanpi(double x) {
  if (!isfinite(x))
    return isinf(x) ? (errno = EDOM, NAN) : x;
  const double turn = x - round(x);
  if (turn == 0) // C23: the sign of zero changes with every turn
    return copysign(0, fmod(x, 2) == 0 ? x : -x);
  if (fabs(turn) == 0.5) {
    errno = ERANGE;
    return fmod(floor(x), 2) == 0 ? INFINITY : -INFINITY;
  }
  return fabs(turn) == 0.25 ? copysign(1, turn) : tan(pi * turn);
}
double __asinpi(double x) { return asin(x) / pi; }
double __exp2m1(double x) {
  return fabs(x) < 1 ? expm1(x * 0x1.62e42fefa39efp-1) : exp2(x) - 1;
}
float tanpif(float x) { return (float)__tanpi(x); }
float asinpif(float x) { return (float)__asinpi(x); }
float exp2m1f(float x) {
  const float result = (float)__exp2m1(x);
  if (isinf(result) && isfinite(x))
    errno = ERANGE;
  return result;
}
