// complex.h where C17's annex G says what comes out: zeros of both signs, infinities, NaNs and finite parts, all pairs of
// them, in double, float and long double; signs that the annex leaves open as glibc has them.
// RUN: %hostcc -fno-builtin -w -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -fno-builtin -w -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define SLICES 8
#include "libc_test.h"
#include <complex.h>
#include <math.h>

static const double values[] = {0.0, -0.0, 2.0, -0.5, 1.0, 800.0, -3e200, INFINITY, -INFINITY, NAN};
enum { COUNT = sizeof values / sizeof *values };

static const char *show(double x, char *text) {
  if (isnan(x))
    return "nan";
  snprintf(text, 40, "%.5g", x);
  return text;
}

static const char *kind(double complex z, char *text) {
  if (isinf(creal(z)) || isinf(cimag(z)))
    return "infinite";
  if (isnan(creal(z)) || isnan(cimag(z)))
    return "nan";
  snprintf(text, 80, "%.5g %.5g", creal(z) + 0.0, cimag(z) + 0.0);
  return text;
}

static void one(struct test *t, const char *name, double complex (*f)(double complex), float complex (*single)(float complex),
                long double complex (*extended)(long double complex)) {
  char a[40], b[40], c[40], d[40];
#pragma nounroll
  for (int i = 0; i < COUNT; ++i)
#pragma nounroll
    for (int j = 0; j < COUNT; ++j) {
      const double x = values[i], y = values[j];
      const double complex w = f(__builtin_complex(x, y));
      const float complex v = single(__builtin_complex((float)x, (float)y));
      out(t, "%s(%g, %g) = %s %s, %s %s", name, x, y, show(creal(w), a), show(cimag(w), b), show(crealf(v), c), show(cimagf(v), d));
      // Wider ones have more room; their special values are the same.
      const long double complex u = extended(__builtin_complex((long double)x, (long double)y));
      if ((fabs(x) < 10 || !isfinite(x)) && (fabs(y) < 10 || !isfinite(y)))
        out(t, "%s %s", show((double)creall(u), a), show((double)cimagl(u), b));
    }
}

static void run(struct test *t) {
#define ONE(name) if (section(t)) one(t, #name, name, name##f, name##l);
  ONE(cacos) ONE(cacosh) ONE(casin) ONE(casinh) ONE(catan) ONE(catanh) ONE(ccos) ONE(ccosh) ONE(cexp) ONE(clog) ONE(conj)
  ONE(cproj) ONE(csin) ONE(csinh) ONE(csqrt) ONE(ctan) ONE(ctanh)
  char a[80], b[80];
  if (section(t))
    for (int i = 0; i < COUNT; ++i)
      for (int j = 0; j < COUNT; ++j) {
        const double complex z = __builtin_complex(values[i], values[j]);
        out(t, "%s %s", show(cabs(z), a), show(carg(z), b));
        for (int k = 0; k < COUNT; ++k) {
          const double complex product = z * __builtin_complex(values[k], values[j]), quotient = z / __builtin_complex(values[j], values[k]);
          // Which part of an infinity is infinite, and a quotient's zero's sign, are the compiler's.
          out(t, "%d %d %d: %s, %s", i, j, k, kind(product, a), kind(quotient, b));
        }
      }
}
