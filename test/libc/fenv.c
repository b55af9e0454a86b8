// fenv.h: rounding is to nearest, and nothing can be said of other directions or of exceptions: a program that asks with
// #ifdef, as this one, finds neither. The functions are there and agree with that.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads 64 %t
#define _GNU_SOURCE
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#if defined FE_UPWARD || defined FE_DOWNWARD || defined FE_TOWARDZERO
#error a direction that arithmetic does not obey
#endif
#if defined FE_DIVBYZERO || defined FE_INEXACT || defined FE_INVALID || defined FE_OVERFLOW || defined FE_UNDERFLOW || FE_ALL_EXCEPT
#error an exception without a flag
#endif

static int failed;
#define EXPECT(condition) ((condition) ? (void)0 : (void)(printf("line %d: %s\n", __LINE__, #condition), failed = 1))

static volatile double one = 1, three = 3, half = 0.5, zero;

int main(void) {
  fenv_t kept;
  femode_t mode;
  fexcept_t flags = 5;
  EXPECT(FLT_ROUNDS == 1 && fegetround() == FE_TONEAREST && !fesetround(FE_TONEAREST));
  for (int direction = 1; direction <= 0xc00; ++direction)
    if (!fesetround(direction))
      EXPECT(!"refused");
  EXPECT(fegetround() == FE_TONEAREST && one / three == 0x1.5555555555555p-2);
  EXPECT(rint(2 + half) == 2 && nearbyint(3 + half) == 4 && lrint(-half) == 0);
  EXPECT(!fegetenv(&kept) && !fesetenv(FE_DFL_ENV) && !fesetenv(&kept));
  EXPECT(!feholdexcept(&kept) && !feupdateenv(&kept));
  EXPECT(!fegetmode(&mode) && !fesetmode(&mode) && !fesetmode(FE_DFL_MODE));
  EXPECT(isinf(one / zero) && !fetestexcept(-1) && !fetestexcept(FE_ALL_EXCEPT));
  // Bits that name no exception are ignored, as by glibc on x86-64.
  EXPECT(!feclearexcept(FE_ALL_EXCEPT) && !feclearexcept(1234567) && !feraiseexcept(1234567) && !fesetexcept(1234567));
  EXPECT(!fegetexceptflag(&flags, 1234567) && flags == 0 && !fesetexceptflag(&flags, 1234567) && !fetestexceptflag(&flags, 1234567));
  EXPECT(feenableexcept(1234567) == 0 && fegetexcept() == 0 && fedisableexcept(1234567) == 0);
  EXPECT((math_errhandling & MATH_ERREXCEPT) == 0);
  return failed;
}
