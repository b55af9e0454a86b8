//===-- libc-shim/math/builtins.c - Functions of the hardware -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for which LLVM has one instruction or a short, correctly rounded
// sequence. (newlib's compute with integers.) Only sqrt sets errno.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>

#define ONE(name, builtin)                                                     \
  double name(double x) { return __builtin_elementwise_##builtin(x); }         \
  float name##f(float x) { return __builtin_elementwise_##builtin(x); }        \
  long double name##l(long double x) {                                         \
    return __builtin_elementwise_##builtin(x);                                 \
  }

#define TWO(name, builtin)                                                     \
  double name(double x, double y) {                                            \
    return __builtin_elementwise_##builtin(x, y);                              \
  }                                                                            \
  float name##f(float x, float y) {                                            \
    return __builtin_elementwise_##builtin(x, y);                              \
  }                                                                            \
  long double name##l(long double x, long double y) {                          \
    return __builtin_elementwise_##builtin(x, y);                              \
  }

ONE(fabs, abs)
ONE(floor, floor)
ONE(ceil, ceil)
ONE(trunc, trunc)
ONE(rint, rint)
ONE(nearbyint, nearbyint)
ONE(round, round)
ONE(roundeven, roundeven)
TWO(copysign, copysign)
TWO(fmin, minnum)
TWO(fmax, maxnum)

double fma(double x, double y, double z) {
  return __builtin_elementwise_fma(x, y, z);
}
float fmaf(float x, float y, float z) {
  return __builtin_elementwise_fma(x, y, z);
}
long double fmal(long double x, long double y, long double z) {
  return __builtin_elementwise_fma(x, y, z);
}

double sqrt(double x) {
  if (x < 0)
    errno = EDOM;
  return __builtin_elementwise_sqrt(x);
}
float sqrtf(float x) {
  if (x < 0)
    errno = EDOM;
  return __builtin_elementwise_sqrt(x);
}
long double sqrtl(long double x) { return sqrt((double)x); }
// newlib's own functions call these.
double __ieee754_sqrt(double x) { return __builtin_elementwise_sqrt(x); }
float __ieee754_sqrtf(float x) { return __builtin_elementwise_sqrt(x); }

long lrint(double x) { return (long)__builtin_elementwise_rint(x); }
long lrintf(float x) { return (long)__builtin_elementwise_rint(x); }
long lrintl(long double x) { return (long)__builtin_elementwise_rint(x); }
long long llrint(double x) { return (long long)__builtin_elementwise_rint(x); }
long long llrintf(float x) { return (long long)__builtin_elementwise_rint(x); }
long long llrintl(long double x) {
  return (long long)__builtin_elementwise_rint(x);
}
long lround(double x) { return (long)__builtin_elementwise_round(x); }
long lroundf(float x) { return (long)__builtin_elementwise_round(x); }
long lroundl(long double x) { return (long)__builtin_elementwise_round(x); }
long long llround(double x) {
  return (long long)__builtin_elementwise_round(x);
}
long long llroundf(float x) {
  return (long long)__builtin_elementwise_round(x);
}
long long llroundl(long double x) {
  return (long long)__builtin_elementwise_round(x);
}
