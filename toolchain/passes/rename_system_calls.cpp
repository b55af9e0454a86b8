//===-- toolchain/passes/rename_system_calls.cpp - Not CUDA's own ---------===//
// ptxas knows a few functions by name, CUDA's system calls, and calls them in a
// way of their own wherever it does not see them defined: ours, which the link
// puts there, then finds neither its arguments nor the way back. Code that is
// made before the link (-fno-lto) calls them by other names
// (libc-shim/abi/ptxas_names.c).
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::rename_system_calls(Module &module,
                                               ModuleAnalysisManager &) {
  bool changed = false;
  for (StringRef name : {"vprintf", "malloc", "free"})
    if (Function *function = module.getFunction(name);
        function && function->isDeclaration()) {
      function->setName("__gpuexec_" + name);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
