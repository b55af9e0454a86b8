//===-- emulator/amdgpu/isa.h - The AMDGPU instruction set ------*- C++ -*-===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_ISA_H
#define GPUEXEC_EMULATOR_AMDGPU_ISA_H

#include "emulator/engine/wave.h"

namespace gpuexec::emulator::amdgpu {

/// The instruction set of `cpu`, LLVM's name for the processor: gfx942, gfx90a
/// or the generic targets gfx9-4-generic and gfx9-generic. Fails for any other.
/// The memory that kernels are loaded from must outlive it or be forgotten
/// (InstructionSet::forget).
llvm::Expected<std::unique_ptr<InstructionSet>> create_instruction_set(llvm::StringRef cpu);

/// One line per opcode that LLVM knows for `cpu`: "MNEMONIC known|unknown".
/// For the coverage report; what is executed is recorded when
/// GPUEXEC_EMULATOR_COVERAGE names a file to append executed mnemonics to.
llvm::Expected<std::string> list_opcodes(llvm::StringRef cpu);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_ISA_H
