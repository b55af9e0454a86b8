// fenv.h where every instruction has its direction of rounding from the compiler: fesetround refuses and changes nothing.
// REQUIRES: nvptx
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads 64 %t
#include <fenv.h>

int main(void) {
  static volatile double one = 1, three = 3;
  fenv_t kept;
  if (fegetround() != FE_TONEAREST || fesetround(FE_TONEAREST) || fegetenv(&kept) || fesetenv(FE_DFL_ENV))
    return 1;
  static const int others[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 3; ++i)
    if (!fesetround(others[i]) || fegetround() != FE_TONEAREST || one / three != 0x1.5555555555555p-2)
      return 2;
  return fesetenv(&kept);
}
