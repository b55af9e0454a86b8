//===-- toolchain/link/program.h - Machine code of a program ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LINK_PROGRAM_H
#define GPUEXEC_TOOLCHAIN_LINK_PROGRAM_H

#include "toolchain/link/codegen.h"
#include "toolchain/link/store.h"
#include "llvm/IR/Module.h"
#include <functional>

namespace gpuexec {

/// A compiled piece and the name of its first definition.
struct NamedObject {
  std::string name;
  llvm::SmallString<0> object;
};

/// What compile_program() did.
struct Work {
  size_t pieces = 0; ///< of the program
  size_t kept = 0;   ///< of them, how many were in the store
};

/// Splits an optimised program and compiles its pieces with up to `jobs`
/// threads, except those that are in the store. The kernels' object is the
/// first. `progress`, if any, is told after each piece how many of how many are
/// done, by one thread at a time.
llvm::Expected<std::vector<NamedObject>>
compile_program(llvm::Module &module, const CodeGenSettings &settings,
                const std::vector<std::string> &llvm_options,
                const Store &store, unsigned jobs, Work &work,
                std::function<void(size_t, size_t)> progress = {});

} // namespace gpuexec

#endif
