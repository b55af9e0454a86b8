//===-- toolchain/link/codegen.h - Machine code of a piece ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LINK_CODEGEN_H
#define GPUEXEC_TOOLCHAIN_LINK_CODEGEN_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpuexec {

/// The registers of each kind that functions use: the highest number plus one.
struct Registers {
  uint32_t vector = 0, accumulation = 0, scalar = 0;

  /// Raises each number to that of `other` where it is lower.
  void raise_to(const Registers &other);
};

/// Settings of code generation, the same for all pieces of a program.
struct CodeGenSettings {
  std::string processor;               ///< gfx942
  std::vector<std::string> attributes; ///< +xnack
  llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Default;
  std::vector<std::string> plugins; ///< initialize_codegen() loads them
  bool one_thread = false;          ///< each block has one thread
};

/// The machine code of a piece.
struct ObjectCode {
  llvm::SmallString<0> object; ///< a relocatable ELF file
  Registers registers;         ///< the most that any of its functions uses
  bool silent = true;          ///< no message was printed
};

/// Prepares LLVM. `options`: LLVM's own command-line options (-mllvm).
/// `plugins`: files of plugins that add passes to code generation. Call it once
/// per process, before compile().
llvm::Error initialize_codegen(const std::vector<std::string> &options,
                               const std::vector<std::string> &plugins);

/// Compiles bitcode that extract() made. Thread-safe. LLVM's own messages go to
/// standard error; an error among them makes the call fail.
///
/// `kernels`: the piece has the kernels. They call functions of other pieces,
/// whose registers LLVM does not see, so they get at least the registers
/// `least`. The object of any other piece has no note section: the loader reads
/// the notes of the kernels only.
llvm::Expected<ObjectCode> compile(llvm::MemoryBufferRef bitcode,
                                   const CodeGenSettings &settings,
                                   bool kernels, const Registers &least);

} // namespace gpuexec

#endif
