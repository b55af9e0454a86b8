//===-- emulator/amdgpu/wave/instruction_set.h - Makes one ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_WAVE_INSTRUCTION_SET_H
#define GPUEXEC_EMULATOR_AMDGPU_WAVE_INSTRUCTION_SET_H

#include "emulator/amdgpu/tiers/compiling.h"
#include "emulator/machine/code_cache_choice.h"
#include "emulator/machine/wave.h"

namespace gpuexec::emulator::amdgpu {

/// The instruction set of `cpu`, LLVM's name for the processor: gfx942, gfx90a
/// or the generic targets gfx9-4-generic and gfx9-generic. Fails for any other.
/// The memory that kernels are loaded from must outlive it or be forgotten
/// (InstructionSet::forget). `kept`: where compiled code is kept between runs.
llvm::Expected<std::unique_ptr<InstructionSet>>
create_instruction_set(llvm::StringRef cpu,
                       Compiling compiling = Compiling::as_environment_says,
                       const CodeCacheChoice &kept = {});

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_WAVE_INSTRUCTION_SET_H
