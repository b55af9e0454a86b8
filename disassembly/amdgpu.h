//===-- disassembly/amdgpu.h - LLVM's AMDGPU disassembler -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's MC layer for one AMD processor, made safe on any bytes: LLVM 22's
// decoder and printer crash on some bytes that are no instruction. The image
// parser, gpuexec-info and the emulator use it; it knows none of them.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class MCAsmInfo;
class MCContext;
class MCDisassembler;
class MCInstPrinter;
class MCInstrInfo;
class MCRegisterInfo;
class MCSubtargetInfo;
} // namespace llvm

namespace gpuexec {

/// Not thread-safe: each thread needs an object of its own.
class AmdgpuDisassembler {
public:
  /// `cpu`: as in clang's -mcpu. `features`: in LLVM's notation
  /// ("+wavefrontsize64"). Fails for a processor that LLVM does not know.
  static llvm::Expected<std::unique_ptr<AmdgpuDisassembler>>
  create(llvm::StringRef cpu, llvm::StringRef features = "");
  ~AmdgpuDisassembler();

  /// Decodes the first instruction of `bytes`, which lie at address `pc`.
  /// Returns its size in bytes, or 0 when the bytes are no whole instruction of
  /// the processor. All operands of `inst` are registers or immediates.
  unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                  llvm::MCInst &inst);

  /// The text of an instruction that decode() returned: one line, no indent.
  std::string print(const llvm::MCInst &inst, uint64_t pc);

  const llvm::MCInstrInfo &instructions() const { return *mii; }
  const llvm::MCRegisterInfo &registers() const { return *mri; }

private:
  AmdgpuDisassembler();
  std::unique_ptr<const llvm::MCRegisterInfo> mri;
  std::unique_ptr<const llvm::MCAsmInfo> mai;
  std::unique_ptr<const llvm::MCAsmInfo> longer; // for `context`
  std::unique_ptr<const llvm::MCInstrInfo> mii;
  std::unique_ptr<const llvm::MCSubtargetInfo> sti;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  bool is_gfx9 = false;
};

} // namespace gpuexec
