//===-- emulator/amdgpu/code/coverage.h - Executed opcodes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records which opcodes a run executes: it shows which ones the tests cover.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_CODE_COVERAGE_H
#define GPUEXEC_EMULATOR_AMDGPU_CODE_COVERAGE_H

#include "emulator/amdgpu/ops/types.h"

#include <memory>

namespace gpuexec::emulator::amdgpu {

/// Appends the name of each opcode that the process executes for the first time
/// to the file that GPUEXEC_EMULATOR_COVERAGE names. Thread-safe.
class Coverage {
public:
  /// Null when the environment variable is not set.
  static std::unique_ptr<Coverage> from_environment();
  ~Coverage();
  void executed(unsigned opcode, const char *name) {
    if (!__atomic_exchange_n(&seen[opcode], ops::u8(1), __ATOMIC_RELAXED))
      write(name);
  }

private:
  Coverage() = default;
  void write(const char *name);
  int file = -1;
  std::unique_ptr<ops::u8[]> seen;
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_CODE_COVERAGE_H
