//===-- support/rint.cpp - Keeps libm out of gpuexec ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of libm's functions only LLVM's BranchProbability::dump() is left in gpuexec,
// which nobody calls but which the linker must keep. It calls rint(). This
// definition takes libm's place: to load libm.so.6 costs every start of gpuexec
// 0.05 ms, a twentieth of the start.
//===----------------------------------------------------------------------===//
#include <cmath>

extern "C" __attribute__((visibility("hidden"))) double rint(double value) {
  constexpr double HAS_NO_FRACTION = 4503599627370496; // 2^52
  if (!(std::fabs(value) < HAS_NO_FRACTION))
    return value;
  const double large = std::copysign(HAS_NO_FRACTION, value);
  return std::copysign((value + large) - large, value);
}
