//===-- libc-shim/math/remquo.c - remquo(), remquof() ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// newlib's return a quotient of +1 when x is -y. The last three bits of the
// quotient come from exact subtractions.
//===----------------------------------------------------------------------===//
#include <float.h>
#include <math.h>
#include <stdbool.h>

#define REMQUO(type, name, fmod, fabs, max, min)                               \
  type name(type x, type y, int *quotient) {                                   \
    *quotient = 0;                                                             \
    if (isnan(x) || isnan(y) || isinf(x) || y == 0)                            \
      return (x * y) / (x * y);                                                \
    if (isinf(y))                                                              \
      return x;                                                                \
    type rest = fabs(x), by = fabs(y);                                         \
    unsigned count = 0;                                                        \
    if (by <= max / 8)                                                         \
      rest = fmod(rest, 8 * by);                                               \
    if (by <= max / 4 && rest >= 4 * by)                                       \
      rest -= 4 * by, count += 4;                                              \
    if (by <= max / 2 && rest >= 2 * by)                                       \
      rest -= 2 * by, count += 2;                                              \
    /* Rounds the count, a tie to even; half of `by` must be exact. */         \
    const bool small = by < 2 * min;                                           \
    const type half = small ? by : by / 2;                                     \
    if ((small ? 2 * rest : rest) > half) {                                    \
      rest -= by, ++count;                                                     \
      if ((small ? 2 * rest : rest) >= half)                                   \
        rest -= by, ++count;                                                   \
    }                                                                          \
    const int bits = (int)(count & 7);                                         \
    *quotient = !signbit(x) == !signbit(y) ? bits : -bits;                     \
    return signbit(x) ? -rest : rest;                                          \
  }
REMQUO(double, remquo, fmod, fabs, DBL_MAX, DBL_MIN)
REMQUO(float, remquof, fmodf, fabsf, FLT_MAX, FLT_MIN)
