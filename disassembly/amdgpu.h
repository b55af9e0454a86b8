//===-- disassembly/amdgpu.h - LLVM's AMDGPU disassembler -------*- C++ -*-===//
// LLVM's MC layer for one AMD processor, safe on any bytes: LLVM 22's decoder
// and printer crash on some that are no instruction. Knows nothing of images,
// devices or the emulator, and is used by all of them.
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

/// Not thread-safe; each thread has its own.
class AmdgpuDisassembler {
public:
  /// `cpu` as clang's -mcpu has it, `features` as LLVM writes them
  /// ("+wavefrontsize64"). Fails for a processor that LLVM does not know.
  static llvm::Expected<std::unique_ptr<AmdgpuDisassembler>>
  create(llvm::StringRef cpu, llvm::StringRef features = "");
  ~AmdgpuDisassembler();

  /// Decodes the instruction that `bytes` begin with, at address `pc`. Returns
  /// its size in bytes, or 0 if these are no instruction of the processor or
  /// only the beginning of one. All its operands are registers or immediates.
  unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                  llvm::MCInst &inst);

  /// The text of what decode() gave, on one line and without a margin.
  std::string print(const llvm::MCInst &inst, uint64_t pc);

  const llvm::MCInstrInfo &instructions() const { return *mii; }
  const llvm::MCRegisterInfo &registers() const { return *mri; }

private:
  AmdgpuDisassembler();
  std::unique_ptr<const llvm::MCRegisterInfo> mri;
  std::unique_ptr<const llvm::MCAsmInfo> mai;
  std::unique_ptr<const llvm::MCAsmInfo> longer; // what `context` knows
  std::unique_ptr<const llvm::MCInstrInfo> mii;
  std::unique_ptr<const llvm::MCSubtargetInfo> sti;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  bool is_gfx9 = false;
};

} // namespace gpuexec
