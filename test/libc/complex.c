// complex.h: every function over a grid of values to ten digits; poles, branch cuts and infinities by kind.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -fno-builtin -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define SLICES 16
#include "libc_test.h"
#include <complex.h>
#include <math.h>

#ifndef CMPLX // glibc's header thinks that clang has none
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

static void show(struct test *t, const char *name, double complex z, double complex w, int digits) {
  // What cancels to nothing in one library is a tiny number in another.
  double scale = cabs(w), re = creal(w), im = cimag(w);
  if (isfinite(scale) && fabs(re) < scale * 1e-9)
    re = 0;
  if (isfinite(scale) && fabs(im) < scale * 1e-9)
    im = 0;
  // The smaller part has the digits that the larger one leaves it.
  out(t, "%s(%g%+gi) = %.*g %.*g", name, creal(z), cimag(z), fabs(re) < scale * 1e-3 ? digits / 2 : digits, re + 0.0,
      fabs(im) < scale * 1e-3 ? digits / 2 : digits, im + 0.0);
}

static const double grid[] = {-20.5, -2, -1, -0.5, -1e-5, 0.25, 0.75, 1, 1.25, 3, 11.5};

static void one(struct test *t, const char *name, double complex (*f)(double complex), float complex (*single)(float complex)) {
  for (unsigned i = 0; i < sizeof grid / sizeof *grid; ++i)
    for (unsigned j = 0; j < sizeof grid / sizeof *grid; ++j) {
      double complex z = CMPLX(grid[i], grid[j]);
      show(t, name, z, f(z), 10);
      if (fabs(grid[i]) < 4 && fabs(grid[j]) < 4 && fabs(grid[i]) > 1e-3 && fabs(grid[j]) > 1e-3)
        show(t, name, z, single((float complex)z), 4);
    }
}

static void run(struct test *t) {
#define ONE(name) if (section(t)) one(t, #name, name, name##f);
  ONE(cacos) ONE(cacosh) ONE(casin) ONE(casinh) ONE(catan) ONE(catanh) ONE(ccos) ONE(ccosh) ONE(cexp) ONE(clog) ONE(conj)
  ONE(cproj) ONE(csin) ONE(csinh) ONE(csqrt) ONE(ctan) ONE(ctanh)
  for (unsigned i = 0; i < sizeof grid / sizeof *grid; ++i)
    for (unsigned j = 0; j < sizeof grid / sizeof *grid; ++j) {
      if (!section(t))
        continue;
      double complex z = CMPLX(grid[i], grid[j]);
      out(t, "%.11g %.11g %g %g %.5g %.5g", cabs(z), carg(z), creal(z), cimag(z), cabsf((float complex)z), cargf((float complex)z));
      if (fabs(grid[i]) < 4)
        show(t, "cpow", z, cpow(z, CMPLX(grid[j] / 8, grid[i])), 9);
      show(t, "product", z, z * CMPLX(1.5, -2), 12);
      show(t, "quotient", z, z / CMPLX(1.5, -2), 12);
    }
  if (!section(t))
    return;
  // C17 annex G.
  out(t, "%g %g", creal(csqrt(CMPLX(-4, 0.0))), cimag(csqrt(CMPLX(-4, 0.0))));
  out(t, "%g %g", creal(csqrt(CMPLX(-4, -0.0))), cimag(csqrt(CMPLX(-4, -0.0))));
  for (int i = -1; i <= 1; ++i) {
    double complex z = clog(CMPLX(0.6, 0.8 + i * 1e-9)), w = csqrt(CMPLX(1e300 * i, -1e-300));
    out(t, "%.12g %.12g %.12g %.12g", i ? creal(z) : 0, cimag(z), creal(w), cimag(w));
  }
  out(t, "%g %g", creal(csqrt(CMPLX(-INFINITY, -1))), cimag(csqrt(CMPLX(-INFINITY, -1))));
  out(t, "%g %g", creal(csqrt(CMPLX(INFINITY, -1))), cimag(csqrt(CMPLX(3, -INFINITY))));
  out(t, "%g %g", creal(clog(CMPLX(-1, 0.0))), cimag(clog(CMPLX(-1, -0.0))));
  out(t, "%g %g", creal(cexp(CMPLX(-INFINITY, 1))), cimag(cexp(CMPLX(-INFINITY, 1))));
  out(t, "%g %g", creal(cproj(CMPLX(INFINITY, -3))), cimag(cproj(CMPLX(2, -INFINITY))));
  out(t, "%g %d", cabs(CMPLX(INFINITY, NAN)), isinf(creal(CMPLX(INFINITY, 0) * CMPLX(2, 0))));
  out(t, "%d", isinf(cabs(CMPLX(INFINITY, NAN) * CMPLX(2, 1))));
}
