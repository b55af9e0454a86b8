//===-- libc-shim/math/long_double.c - Names for long double --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GNU's functions of long double that newlib lacks. long double is double.
//===----------------------------------------------------------------------===//
#include <math.h>

_Static_assert(sizeof(long double) == sizeof(double), "one type by two names");

#define ONE(name)                                                              \
  long double name##l(long double x) { return name((double)x); }
#define TWO(name)                                                              \
  long double name##l(long double x, long double y) {                          \
    return name((double)x, (double)y);                                         \
  }
#define OF_ORDER(name)                                                         \
  long double name##l(int n, long double x) { return name(n, (double)x); }

ONE(exp10)
ONE(significand)
ONE(j0)
ONE(j1)
ONE(y0)
ONE(y1)
OF_ORDER(jn)
OF_ORDER(yn)
TWO(drem)
TWO(scalb)

void sincosl(long double x, long double *sine, long double *cosine) {
  double both[2];
  sincos((double)x, &both[0], &both[1]);
  *sine = both[0], *cosine = both[1];
}
int isinfl(long double x) { return __builtin_isinf_sign((double)x); }
int isnanl(long double x) { return __builtin_isnan((double)x); }
