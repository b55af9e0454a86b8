//===-- libc-shim/math/fenv.c - The floating-point environment ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See <sys/fenv.h>: rounding to nearest and no exception flags. As glibc's on
// x86-64, the functions ignore bits that name no exception; here none does, and
// so they succeed.
//===----------------------------------------------------------------------===//
#include <fenv.h>

const fenv_t __gpuexec_default_environment = FE_TONEAREST;

int fegetround(void) { return FE_TONEAREST; }
int fesetround(int direction) { return direction != FE_TONEAREST; }

int fegetenv(fenv_t *to) {
  *to = FE_TONEAREST;
  return 0;
}
int fesetenv(const fenv_t *from) { return fesetround(*from); }
int feholdexcept(fenv_t *to) { return fegetenv(to); }
int feupdateenv(const fenv_t *from) { return fesetenv(from); }
int fegetmode(femode_t *to) { return fegetenv(to); }
int fesetmode(const femode_t *from) { return fesetenv(from); }

#define NOTHING_TO_DO(name, parameters)                                        \
  int name parameters { return 0; }
NOTHING_TO_DO(feclearexcept, (int which))
NOTHING_TO_DO(feraiseexcept, (int which))
NOTHING_TO_DO(fesetexcept, (int which))
NOTHING_TO_DO(fetestexcept, (int which))
NOTHING_TO_DO(fetestexceptflag, (const fexcept_t *flags, int which))
NOTHING_TO_DO(fesetexceptflag, (const fexcept_t *from, int which))
NOTHING_TO_DO(feenableexcept, (int which))
NOTHING_TO_DO(fedisableexcept, (int which))
NOTHING_TO_DO(fegetexcept, (void))

int fegetexceptflag(fexcept_t *to, int which) {
  *to = 0;
  return 0;
}
