//===-- disassembly/left_out.cpp - Parts of LLVM that only write ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM registers an assembler together with a disassembler. These two stand for
// what only the assembler needs, and keep 1.1 MB of its tables out of what is
// linked: the linker takes no second definition from LLVM's archives. Nobody
// here asks for an assembler.
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
