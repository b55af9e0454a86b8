//===-- toolchain/passes/fixes/rename_system_calls.cpp - Names of ptxas ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas knows CUDA's system calls (vprintf, malloc, free) by name and uses
// another calling convention for them when it does not see their definitions.
// Our definitions, which the link adds, then get neither their arguments nor
// the return address. In machine code made before the link (-fno-lto) this pass
// makes the calls use other names (libc-shim/abi/ptxas_names.c).
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::rename_system_calls(Module &module,
                                               ModuleAnalysisManager &) {
  bool changed = false;
  for (const auto &[name, renamed] : SYSTEM_CALLS)
    if (Function *function = module.getFunction(name);
        function && function->isDeclaration()) {
      function->setName(renamed);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
