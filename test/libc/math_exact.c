// math.h: what must be exact, special values, errno.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#include "libc_test.h"
#include <math.h>

static const char *show(double value, char *text) {
  if (isnan(value))
    strcpy(text, "nan");
  else
    snprintf(text, 40, "%a", value);
  return text;
}

#define F1(f) (errno = 0, out(t, #f "(%a) = %s %d", x, show(f(x), text), errno))
#define F1S(f) (errno = 0, out(t, #f "(%a) = %s %d", (double)(float)x, show(f((float)x), text), errno))

static void run(struct test *t) {
  static const double values[] = {0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, 2.5, -2.5, 3.49999, 1e15 + 0.5, 4503599627370497.5, 1e300,
                                  -1e300, 5e-324, 2.2250738585072014e-308, INFINITY, -INFINITY, NAN, 0.3, 1048577.25};
  char text[64];
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
    double x = values[i];
    F1(floor); F1(ceil); F1(trunc); F1(rint); F1(nearbyint); F1(round); F1(fabs); F1(sqrt); F1(logb);
    F1S(floorf); F1S(ceilf); F1S(truncf); F1S(rintf); F1S(roundf); F1S(sqrtf); F1S(fabsf);
    int exponent = 0;
    double whole = 0;
    out(t, "frexp %s", show(frexp(x, &exponent), text));
    out(t, "%d", isfinite(x) ? exponent : 0);
    out(t, "modf %s", show(modf(x, &whole), text));
    out(t, "%s %d %d %d %d", show(whole, text), !!signbit(x), !!isnan(x), !!isinf(x), fpclassify(x) == FP_NORMAL);
    for (unsigned j = 0; j < sizeof values / sizeof *values; ++j) {
      double y = values[j];
      out(t, "fmod %s", show(fmod(x, y), text));
      out(t, "remainder %s", show(remainder(x, y), text));
      out(t, "copysign %s", show(copysign(x, y), text));
      out(t, "nextafter %s", show(nextafter(x, y), text));
      out(t, "fdim %s", show(fdim(x, y), text));
      out(t, "fma %s", show(fma(x, y, 1.0 / 3), text));
      if (x != 0 || y != 0) // either zero may come back
        out(t, "fmax %s", show(fmax(x, y), text));
    }
    for (int n = -1100; n <= 1100; n += 275)
      out(t, "ldexp %s", show(ldexp(x, n), text));
    if (fabs(x) < 1e18 && !isnan(x))
      out(t, "%ld %ld %lld %ld", lrint(x), lround(x), llround(x), lrintf((float)x));
  }
  double x;
  x = -1; F1(log); F1(sqrt); F1(acosh); F1(lgamma);
  x = 0; F1(log); F1(exp); F1(sin); F1(cos); F1(atan); F1(cbrt);
  x = 2; F1(acos); F1(asin); F1(atanh);
  x = 1000; F1(exp); F1(cosh); F1(sinh);
  x = -1000; F1(exp);
  x = INFINITY; F1(sin); F1(exp); F1(log); F1(tanh); F1(atan);
  errno = 0; out(t, "pow %s", show(pow(0, -1), text)); out(t, "%d", errno);
  errno = 0; out(t, "pow %s", show(pow(-2, 0.5), text)); out(t, "%d", errno);
  out(t, "pow %s", show(pow(2, 10), text));
  out(t, "pow %s", show(pow(-2, 3), text));
  out(t, "pow %s", show(pow(NAN, 0), text));
  // Odd functions keep the sign of zero.
  for (int i = 0; i < 2; ++i) {
    x = i ? -0.0 : 0.0;
    F1(sin); F1(tan); F1(asin); F1(atan); F1(sinh); F1(tanh); F1(asinh); F1(atanh); F1(cbrt); F1(erf); F1(expm1); F1(log1p);
    F1S(sinf); F1S(tanf); F1S(asinf); F1S(atanf); F1S(sinhf); F1S(tanhf); F1S(asinhf); F1S(atanhf); F1S(cbrtf); F1S(erff);
    F1S(expm1f); F1S(log1pf);
  }
  // Bessel functions: poles, below 0, beyond the arguments that newlib's wrappers take.
  static const double bessel[] = {0, -1, -0.0, 1e17, 1.5e300, INFINITY, NAN};
  for (unsigned i = 0; i < sizeof bessel / sizeof *bessel; ++i) {
    x = bessel[i];
    errno = 0, out(t, "%.9g %.9g %.9g", j0(x), j1(x), jn(2, x));
    errno = 0, out(t, "%s %d", isnan(y0(x)) ? "nan" : "number", errno);
    out(t, "%.9g", isnan(y0(x)) ? 0 : y0(x));
    out(t, "%.9g %.6g", isnan(y1(x)) ? 0 : y1(x), isnan(yn(2, x)) ? 0 : yn(2, x));
    out(t, "%.5g %.5g", (double)j0f((float)x), isnan(y0f((float)x)) ? 0 : (double)y0f((float)x));
  }
  out(t, "hypot %s", show(hypot(3, 4), text));
  out(t, "hypot %s", show(hypot(INFINITY, NAN), text));
  out(t, "atan2 %s", show(atan2(0.0, -0.0), text));
}
