//===-- libc-shim/math/fenv.c - The floating-point environment ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See <sys/fenv.h>: the rounding direction where the hardware can change it, no
// exception flags. As C says, functions for an empty set of exceptions succeed.
//===----------------------------------------------------------------------===//
#include <fenv.h>

const fenv_t __gpuexec_default_environment = FE_TONEAREST;

#ifdef __AMDGPU__
// For s_getreg and s_setreg: 4 bits of MODE, register 1, from bit 0 on. They
// are the rounding directions of single and of double precision.
enum { MODE_ROUNDING = 1 | 0 << 6 | (4 - 1) << 11 };

int fegetround(void) { return __builtin_amdgcn_s_getreg(MODE_ROUNDING) & 3; }

// Not inlined, so that arithmetic is not moved across the call.
__attribute__((noinline)) int fesetround(int direction) {
  if (direction & ~3)
    return 1;
  const unsigned both = (unsigned)(direction | direction << 2);
  __builtin_amdgcn_s_setreg(MODE_ROUNDING,
                            __builtin_amdgcn_readfirstlane(both));
  return 0;
}
#else
int fegetround(void) { return FE_TONEAREST; }
int fesetround(int direction) { return direction != FE_TONEAREST; }
#endif

int fegetenv(fenv_t *to) {
  *to = fegetround();
  return 0;
}
int fesetenv(const fenv_t *from) { return fesetround(*from); }
int feholdexcept(fenv_t *to) { return fegetenv(to); }
int feupdateenv(const fenv_t *from) { return fesetenv(from); }

int feclearexcept(int which) { return which != 0; }
int feraiseexcept(int which) { return which != 0; }
int fetestexcept(int which) {
  (void)which;
  return 0;
}
int fegetexceptflag(fexcept_t *to, int which) {
  *to = 0;
  return which != 0;
}
int fesetexceptflag(const fexcept_t *from, int which) {
  (void)from;
  return which != 0;
}
