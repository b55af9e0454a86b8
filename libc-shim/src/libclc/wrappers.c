//===-- libc-shim/src/libclc/wrappers.c - What libclc does better ---------===//
// The functions of <math.h> that LLVM's libclc computes within 0.6 units in the
// last place and in fewer instructions than newlib (docs/c-library.md has both
// measured; its pow is wrong for huge exponents). libclc knows no errno. Its
// bitcode is linked to this file's when the library is built, and its names,
// which are also those that C++ gives to overloads in a program, are made local
// (libc-shim/CMakeLists.txt).
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>

double _Z3expd(double);
double exp(double x) {
  double result = _Z3expd(x);
  if ((isinf(result) || result == 0) && isfinite(x))
    errno = ERANGE;
  return result;
}

// A pole at `pole`; below it there is nothing.
#define LOGARITHM(type, name, clc, pole)                                       \
  type clc(type);                                                              \
  type name(type x) {                                                          \
    if (x <= (pole)) {                                                         \
      errno = x == (pole) ? ERANGE : EDOM;                                     \
      return x == (pole) ? -(type)INFINITY : (type)NAN;                        \
    }                                                                          \
    return clc(x);                                                             \
  }

LOGARITHM(double, log2, _Z4log2d, 0)
LOGARITHM(float, log2f, _Z4log2f, 0)
LOGARITHM(double, log10, _Z5log10d, 0)
LOGARITHM(float, log10f, _Z5log10f, 0)
LOGARITHM(double, log1p, _Z5log1pd, -1)
LOGARITHM(float, log1pf, _Z5log1pf, -1)

double _Z4cbrtd(double);
double cbrt(double x) { return _Z4cbrtd(x); }
