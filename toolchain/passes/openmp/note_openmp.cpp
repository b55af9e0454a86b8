//===-- toolchain/passes/openmp/note_openmp.cpp - Files with threads ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At the link passes see whether a program has OpenMP threads: then libc's
// stack for shared variables is linked (shared/threads.h). A file compiled with
// -fopenmp -fno-lto has to assume it. This pass gives its module a flag, which
// share_variables reads. clang's own flag does not serve, because modules at
// the link have it, too.
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
