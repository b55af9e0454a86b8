//===-- toolchain/passes/fixes/bind_weak_symbols.cpp - Undefined symbols --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address of a weak symbol that nothing defines is null. ptxas refuses it
// instead ('Unresolved extern function'). At the link it is known which symbols
// have no definition: what is only declared in the whole program is null.
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
