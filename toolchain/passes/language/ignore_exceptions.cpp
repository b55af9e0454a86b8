//===-- toolchain/passes/language/ignore_exceptions.cpp - No handlers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In machine code made before the link (-fno-lto) a call that may throw becomes
// an ordinary one. No landing pad is reached: need_link refuses what throws and
// catches, and the link what an exception would have to pass through.
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
