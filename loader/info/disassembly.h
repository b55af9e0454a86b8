//===-- loader/info/disassembly.h - Which instructions an image uses ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts opcodes per function and finds the highest registers they use. AMDGPU
// code is disassembled with LLVM, PTX is read as text. Cubins are not covered:
// NVIDIA publishes no description of its machine code.

#ifndef GPUEXEC_LOADER_INFO_DISASSEMBLY_H
#define GPUEXEC_LOADER_INFO_DISASSEMBLY_H

#include "loader/image/image.h"
#include <map>

namespace gpuexec::info {

struct FunctionCode {
  std::map<std::string, uint64_t>
      opcodes; ///< mnemonic -> number of instructions
  uint32_t vgprs = 0, agprs = 0,
           sgprs = 0;     ///< highest register used plus one; AMDGPU only
  uint64_t undecoded = 0; ///< bytes that could not be decoded
  /// Bytes from the function's begin to the first instruction that uses the
  /// highest register, and to the first access of the stack; AMDGPU only
  uint64_t vgprs_at = 0, agprs_at = 0, sgprs_at = 0, stack_at = 0;
};

/// Functions and kernels by name. Empty for cubins. Fails when LLVM was built
/// without the target.
llvm::Expected<std::map<std::string, FunctionCode>>
disassemble(const Image &image);

/// The sum of `opcodes` over all functions.
std::map<std::string, uint64_t>
all_opcodes(const std::map<std::string, FunctionCode> &functions);

} // namespace gpuexec::info

#endif
