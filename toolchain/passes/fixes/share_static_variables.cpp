//===-- toolchain/passes/fixes/share_static_variables.cpp - GlobalsAA -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's GlobalsAA finds out which functions access a static variable whose
// address is never taken, but ignores atomic operations: with it LLVM moves a
// load of such a variable across the call of a function that locks a mutex. In
// a program with threads another thread may change the variable meanwhile. So
// this pass makes LLVM believe that the variable's address is taken: it adds
// the variable to llvm.compiler.used.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/threads.h"
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace {

/// Sets `loads` and `stores` if the program loads from or stores to the
/// address, or one computed from it.
void find_accesses(const Value &address, bool &loads, bool &stores) {
  for (const User *user : address.users()) {
    if (isa<LoadInst>(user))
      loads = true;
    else if (auto *store = dyn_cast<StoreInst>(user))
      stores |= store->getPointerOperand() == &address;
    else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(user))
      loads = stores = true;
    else if (isa<GEPOperator, AddrSpaceCastOperator>(user))
      find_accesses(*user, loads, stores);
  }
}

bool can_change(const GlobalVariable &variable) {
  if (variable.isConstant() || variable.isThreadLocal() ||
      variable.isDeclaration())
    return false;
  bool loads = false, stores = false;
  find_accesses(variable, loads, stores);
  return loads && stores;
}

} // namespace

PreservedAnalyses gpuexec::share_static_variables(Module &module,
                                                  ModuleAnalysisManager &) {
  if (!gpuexec::more_frames(module))
    return PreservedAnalyses::all();
  SmallVector<GlobalValue *> shared;
  for (GlobalVariable &variable : module.globals())
    if (can_change(variable))
      shared.push_back(&variable);
  appendToCompilerUsed(module, shared);
  return PreservedAnalyses::none();
}
