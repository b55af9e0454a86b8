//===-- emulator/amdgpu/level.cpp - Choosing the handlers -------*- C++ -*-===//
// GPUEXEC_EMULATOR_LEVEL=v2|v3|v4 chooses a lower level than the processor's
// best, for tests.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/table.h"

#include <cstdlib>
#include <cstring>

namespace gpuexec::emulator::amdgpu {

static const Level &choose() {
  const char *wanted = std::getenv("GPUEXEC_EMULATOR_LEVEL");
  int most = wanted && std::strlen(wanted) == 2 && wanted[0] == 'v' ? wanted[1] - '0' : 4;
  if (most >= 4 && __builtin_cpu_supports("x86-64-v4"))
    return level_v4();
  if (most >= 3 && __builtin_cpu_supports("x86-64-v3"))
    return level_v3();
  return level_v2();
}

const Level &best_level() {
  static const Level &level = choose();
  return level;
}

} // namespace gpuexec::emulator::amdgpu
