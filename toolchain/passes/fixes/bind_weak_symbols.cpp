//===-- toolchain/passes/fixes/bind_weak_symbols.cpp - Undefined symbols --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address of a weak symbol that nothing defines is null, but ptxas refuses
// the symbol ('Unresolved extern function'). At the link this pass replaces
// each weak symbol that the whole program only declares by null.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::bind_weak_symbols(Module &module,
                                             ModuleAnalysisManager &) {
  bool changed = false;
  for (GlobalValue &symbol : make_early_inc_range(module.global_values()))
    if (symbol.hasExternalWeakLinkage()) {
      symbol.replaceAllUsesWith(Constant::getNullValue(symbol.getType()));
      symbol.eraseFromParent();
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
