//===-- toolchain/link/program.h - Machine code of a program ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LINK_PROGRAM_H
#define GPUEXEC_TOOLCHAIN_LINK_PROGRAM_H

#include "toolchain/link/codegen.h"
#include "toolchain/link/store.h"
#include "llvm/IR/Module.h"
#include <functional>

namespace gpuexec {

/// A compiled piece, with the name of its first definition.
struct NamedObject {
  std::string name;
  llvm::SmallString<0> object;
};

/// Statistics of compile_program().
struct Work {
  size_t pieces = 0; ///< pieces of the program
  size_t kept = 0;   ///< pieces that were in the store
};

/// Splits an optimised program into pieces and compiles those that are not in
/// the store, with up to `jobs` threads (0: one per processor). Returns the
/// objects, that of the kernels first. After each piece calls `progress`, if
/// any, with the number of pieces done and the number of all pieces, from one
/// thread at a time.
llvm::Expected<std::vector<NamedObject>>
compile_program(llvm::Module &module, const CodeGenSettings &settings,
                const std::vector<std::string> &llvm_options,
                const Store &store, unsigned jobs, Work &work,
                std::function<void(size_t, size_t)> progress = {});

} // namespace gpuexec

#endif
