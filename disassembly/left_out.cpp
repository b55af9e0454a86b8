//===-- disassembly/left_out.cpp - Parts of LLVM that only write ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM registers its AMDGPU assembler together with the disassembler. These two
// functions replace LLVM's, which only the assembler calls and we never do: the
// linker then takes no definition from LLVM's archives, and 1.1 MB of the
// assembler's tables are left out.
//===----------------------------------------------------------------------===//
namespace llvm {

class MCAsmBackend;
class MCCodeEmitter;
class MCContext;
class MCInstrInfo;
class MCRegisterInfo;
class MCSubtargetInfo;
class MCTargetOptions;
class Target;

// NOLINTBEGIN(readability-identifier-naming): LLVM's names
MCCodeEmitter *createAMDGPUMCCodeEmitter(const MCInstrInfo &, MCContext &) {
  return nullptr;
}

MCAsmBackend *createAMDGPUAsmBackend(const Target &, const MCSubtargetInfo &,
                                     const MCRegisterInfo &,
                                     const MCTargetOptions &) {
  return nullptr;
}
// NOLINTEND(readability-identifier-naming)

} // namespace llvm
