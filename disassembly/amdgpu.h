//===-- disassembly/amdgpu.h - LLVM's AMDGPU disassembler -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's MC layer for one AMD processor, made safe for any bytes: LLVM 22's
// decoder and printer crash on some bytes that are no instruction. gpuexec-info
// and the emulator use it.
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
class MCInstrInfo;
class MCRegisterInfo;
} // namespace llvm

namespace gpuexec {

/// A disassembler for one processor. Not thread-safe: each thread needs an
/// object of its own.
class AmdgpuDisassembler {
public:
  /// `cpu`: as in clang's -mcpu. `features`: in LLVM's notation
  /// ("+wavefrontsize64"). Fails for a processor that LLVM does not know or
  /// cannot disassemble. In programs that borrow the emulator's disassembler
  /// (borrowed.cpp), also fails when that library cannot be used.
  static llvm::Expected<std::unique_ptr<AmdgpuDisassembler>>
  create(llvm::StringRef cpu, llvm::StringRef features = "");
  virtual ~AmdgpuDisassembler() = default;

  /// Decodes the first instruction of `bytes`, which lie at address `pc`.
  /// Returns its size in bytes, or 0 when the bytes are no whole instruction of
  /// the processor. All operands of `inst` are registers or immediates.
  virtual unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                          llvm::MCInst &inst) = 0;

  /// The text of an instruction that decode() returned: one line, no indent.
  virtual std::string print(const llvm::MCInst &inst, uint64_t pc) = 0;

  virtual const llvm::MCInstrInfo &instructions() const = 0;
  virtual const llvm::MCRegisterInfo &registers() const = 0;
};

} // namespace gpuexec
