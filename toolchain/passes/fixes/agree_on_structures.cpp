//===-- toolchain/passes/fixes/agree_on_structures.cpp - C beside C++ -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of C take and return large structures by addresses of private memory,
// files of C++ by generic pointers. complete_calls joins calls by name. A call
// by a function's address passed one where the other was expected. Where C++ is
// in the program, its functions and calls use generic pointers alone.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/generic_structures.h"

llvm::PreservedAnalyses
gpuexec::agree_on_structures(llvm::Module &module,
                             llvm::ModuleAnalysisManager &) {
  return make_structures_generic(module, Structures::of_program);
}
