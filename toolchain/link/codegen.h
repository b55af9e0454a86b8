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

/// How many registers of each kind functions use: the highest number and one.
struct Registers {
  uint32_t vector = 0, accumulation = 0, scalar = 0;

  void raise_to(const Registers &other);
};

/// How machine code is made; the same for all pieces of a program.
struct CodeGenSettings {
  std::string processor;               ///< gfx942
  std::vector<std::string> attributes; ///< +xnack
  llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Default;
  std::vector<std::string> plugins; ///< initialize_codegen() loads them
  bool one_thread = false;          ///< a block has no more than one thread
};

/// What became of a piece.
struct ObjectCode {
  llvm::SmallString<0> object; ///< a relocatable ELF file
  Registers registers;         ///< of all its functions
  bool silent = true;          ///< no message was printed
};

/// Prepares LLVM; `options` are those of its command line (-mllvm), `plugins` the
/// files of plugins that add passes to code generation. Once per process, before
/// the other functions.
llvm::Error initialize_codegen(const std::vector<std::string> &options,
                               const std::vector<std::string> &plugins);

/// Compiles bitcode that extract() made. May run in several threads. LLVM's own
/// messages go to standard error; those that are errors make it fail.
///
/// Kernels call functions of other pieces, whose registers LLVM does not know
/// then: they get at least `least`. Other objects have no notes: the loader
/// reads those of the kernels.
llvm::Expected<ObjectCode> compile(llvm::MemoryBufferRef bitcode,
                                   const CodeGenSettings &settings,
                                   bool kernels, const Registers &least);

} // namespace gpuexec

#endif
