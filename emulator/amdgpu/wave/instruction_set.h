//===-- emulator/amdgpu/wave/instruction_set.h - Makes one ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_WAVE_INSTRUCTION_SET_H
#define GPUEXEC_EMULATOR_AMDGPU_WAVE_INSTRUCTION_SET_H

#include "emulator/amdgpu/tiers/compiling.h"
#include "emulator/machine/code_cache_choice.h"
#include "emulator/machine/wave.h"

namespace gpuexec::emulator::amdgpu {

/// The instruction set of `cpu`, LLVM's name for the processor or generic
/// target. Fails for one that is not among PROCESSORS (wave/kernel.h). Memory
/// from which kernels are loaded must outlive the instruction set or be
/// forgotten (InstructionSet::forget). `kept`: where compiled code is kept
/// between runs.
llvm::Expected<std::unique_ptr<InstructionSet>>
create_instruction_set(llvm::StringRef cpu,
                       Compiling compiling = Compiling::as_environment_says,
                       const CodeCacheChoice &kept = {});

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_WAVE_INSTRUCTION_SET_H
