//===-- toolchain/passes/openmp/note_openmp.cpp - Files with threads ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At the link it is known whether a program has OpenMP's threads: those link
// libc's stack for variables that all threads see. A file that is compiled with
// -fopenmp -fno-lto must assume it. Its module gets a flag, which
// share_variables reads. clang's own flag is in programs that are linked, too.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/shared_stack.h"
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::note_openmp(Module &module,
                                       ModuleAnalysisManager &) {
  if (!module.getModuleFlag("openmp-device"))
    return PreservedAnalyses::all();
  module.addModuleFlag(Module::Override, OPENMP_WITHOUT_LINK, 1);
  return PreservedAnalyses::none();
}
