//===-- emulator/amdgpu/isa.h - The AMDGPU instruction set ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_ISA_H
#define GPUEXEC_EMULATOR_AMDGPU_ISA_H

#include "emulator/machine/code_cache_choice.h"
#include "emulator/machine/wave.h"

namespace gpuexec::emulator::amdgpu {

/// Whether hot code is compiled.
enum class Compiling {
  as_environment_says, // GPUEXEC_EMULATOR_JIT
  never,
  at_once, // by the baseline compiler alone, with slices of some instructions
  eagerly, // at the first sample of a wave with one lane on; waits for it
};

/// The instruction set of `cpu`, LLVM's name for the processor: gfx942, gfx90a
/// or the generic targets gfx9-4-generic and gfx9-generic. Fails for any other.
/// The memory that kernels are loaded from must outlive it or be forgotten
/// (InstructionSet::forget). `kept`: where compiled code is kept between runs.
llvm::Expected<std::unique_ptr<InstructionSet>>
create_instruction_set(llvm::StringRef cpu,
                       Compiling compiling = Compiling::as_environment_says,
                       const CodeCacheChoice &kept = {});

/// One opcode of a processor.
struct Opcode {
  std::string mnemonic; // without the encoding's suffix
  std::string format;   // "VOP2", "SDWA", "SMEM" ...
  bool known = false;   // the emulator can execute it
};

/// Every opcode that LLVM's disassembler knows for `cpu`, by name. What of them
/// a program executes is recorded when the environment variable
/// GPUEXEC_EMULATOR_COVERAGE names a file: each mnemonic and encoding is
/// appended to it when it is first executed.
llvm::Expected<std::vector<Opcode>> list_opcodes(llvm::StringRef cpu);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_ISA_H
