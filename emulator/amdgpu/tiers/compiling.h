//===-- emulator/amdgpu/tiers/compiling.h - Which tiers run -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_TIERS_COMPILING_H
#define GPUEXEC_EMULATOR_AMDGPU_TIERS_COMPILING_H

namespace gpuexec::emulator::amdgpu {

/// Whether hot code is compiled.
enum class Compiling {
  as_environment_says, // GPUEXEC_EMULATOR_JIT
  never,
  at_once, // by the baseline compiler alone, with slices of some instructions
  eagerly, // at the first sample of a wave with one lane on; waits for it
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_TIERS_COMPILING_H
