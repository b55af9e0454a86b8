// fenv.h: what arithmetic gives in each direction of rounding, in double and float, and that environments come back.
// (fenv_fixed.c: where the hardware cannot change it.)
// UNSUPPORTED: nvptx
// RUN: %hostcc -frounding-math -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 64 --blocks 64 %t $(tail -1 %t.expected)
#include "libc_test.h"
#include <fenv.h>
#include <float.h>
#include <math.h>

static void arithmetic(struct test *t, const char *direction) {
  static volatile double one = 1, three = 3, big = 1e308, tiny = 5e-324, half = 0.5;
  static volatile float onef = 1, threef = 3, bigf = 3e38f;
  out(t, "%s: %a %a %a %a %a", direction, one / three, -one / three, one + tiny, big * three, tiny * half);
  out(t, "%s: %a %a %a %a", direction, onef / threef, -onef / threef, bigf * threef, threef * 0.1f);
  out(t, "%s: %a %a", direction, sqrt(three), (double)(float)(one / three));
}

static void run(struct test *t) {
  static const struct {
    int direction;
    const char *name;
  } all[] = {{FE_TONEAREST, "nearest"}, {FE_UPWARD, "up"}, {FE_DOWNWARD, "down"}, {FE_TOWARDZERO, "zero"}};
  out(t, "%d", fegetround() == FE_TONEAREST);
  for (int i = 0; i < 4; ++i) {
    int failed = fesetround(all[i].direction);
    out(t, "%s %d %d", all[i].name, failed, fegetround() == all[i].direction);
    arithmetic(t, all[i].name);
    fenv_t kept;
    failed = feholdexcept(&kept);
    failed |= fesetenv(FE_DFL_ENV);
    out(t, "%d %d", failed, fegetround() == FE_TONEAREST);
    failed = feupdateenv(&kept);
    out(t, "%d %d", failed, fegetround() == all[i].direction);
  }
  out(t, "%d", fesetround(12345) != 0);
  fesetround(FE_TONEAREST);
  out(t, "%d %d %d", feclearexcept(0), feraiseexcept(0), fetestexcept(0));
  fexcept_t flags;
  out(t, "%d %d", fegetexceptflag(&flags, 0), fesetexceptflag(&flags, 0));
  fenv_t environment;
  int failed = fegetenv(&environment);
  failed |= fesetround(FE_UPWARD);
  failed |= fesetenv(&environment);
  out(t, "%d %d", failed, fegetround() == FE_TONEAREST);
}
