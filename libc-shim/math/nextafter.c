//===-- libc-shim/math/nextafter.c - Neighbours of floating-point numbers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nextafter(x, y) with x == y is y, so that a zero takes y's sign; newlib's
// returns x. errno is ERANGE when the result is infinite or subnormal.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>
#include <stdint.h>

double nextafter(double x, double y) {
  if (isnan(x) || isnan(y))
    return x + y;
  if (x == y)
    return y;
  uint64_t bits;
  if (x == 0) {
    bits = (uint64_t)signbit(y) << 63 | 1;
  } else {
    bits = __builtin_bit_cast(uint64_t, x);
    bits += (x < y) == (x > 0) ? 1 : -1ull;
  }
  double result = __builtin_bit_cast(double, bits);
  if (!isnormal(result))
    errno = ERANGE;
  return result;
}

float nextafterf(float x, float y) {
  if (isnan(x) || isnan(y))
    return x + y;
  if (x == y)
    return y;
  uint32_t bits;
  if (x == 0) {
    bits = (uint32_t)signbit(y) << 31 | 1;
  } else {
    bits = __builtin_bit_cast(uint32_t, x);
    bits += (x < y) == (x > 0) ? 1 : -1u;
  }
  float result = __builtin_bit_cast(float, bits);
  if (!isnormal(result))
    errno = ERANGE;
  return result;
}

long double nextafterl(long double x, long double y) {
  return nextafter((double)x, (double)y);
}
double nexttoward(double x, long double y) { return nextafter(x, (double)y); }
long double nexttowardl(long double x, long double y) {
  return nextafter((double)x, (double)y);
}
float nexttowardf(float x, long double y) {
  if (x == (double)y)
    return (float)y;
  if (isnan(x) || isnan((double)y))
    return x + (float)y;
  return nextafterf(x, x < (double)y ? INFINITY : -INFINITY);
}
