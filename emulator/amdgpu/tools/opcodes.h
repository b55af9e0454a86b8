//===-- emulator/amdgpu/tools/opcodes.h - Which opcodes are known ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_TOOLS_OPCODES_H
#define GPUEXEC_EMULATOR_AMDGPU_TOOLS_OPCODES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace gpuexec::emulator::amdgpu {

/// One opcode of a processor.
struct Opcode {
  std::string mnemonic; // without the encoding's suffix
  std::string format;   // "VOP2", "SDWA", "SMEM" ...
  bool known = false;   // the emulator can execute it
};

/// Every opcode that LLVM's disassembler knows for `cpu`, sorted by name. Which
/// of them a program executes is recorded by Coverage (code/coverage.h).
llvm::Expected<std::vector<Opcode>> list_opcodes(llvm::StringRef cpu);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_TOOLS_OPCODES_H
