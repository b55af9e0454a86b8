//===-- toolchain/passes/language/ignore_exceptions.cpp - No handlers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call that may throw becomes an ordinary one: an exception ends the program
// where it is thrown (libc-shim/abi/no_unwind.c), so no landing pad is reached.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

PreservedAnalyses gpuexec::ignore_exceptions(Module &module,
                                             ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module) {
    if (!function.hasPersonalityFn())
      continue;
    for (BasicBlock &block : function)
      if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()))
        changeToCall(invoke);
    removeUnreachableBlocks(function);
    function.setPersonalityFn(nullptr);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
