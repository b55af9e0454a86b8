//===-- toolchain/passes/fixes/keep_recursion_divergent.cpp - Recursion ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a function that calls itself, ptxas 13.0 (with -c; sm_75 to sm_120) takes
// values for uniform, the same in all lanes of a wave, unless the function is
// also on a longer cycle of calls or its address is taken. It then counts loops
// in uniform registers, of which a wave has one set: lanes that have diverged
// overwrite each other's counters. So this pass adds a table, which nothing
// reads, with the addresses of these functions.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

static bool calls_itself(const Function &function) {
  return any_of(function.users(), [&](const User *user) {
    const auto *call = dyn_cast<CallBase>(user);
    return call && call->getCalledOperand() == &function &&
           call->getFunction() == &function;
  });
}

PreservedAnalyses gpuexec::keep_recursion_divergent(Module &module,
                                                    ModuleAnalysisManager &) {
  constexpr unsigned GLOBAL = 1;
  SmallVector<Constant *> recursive;
  for (Function &function : module)
    if (!function.isDeclaration() && calls_itself(function))
      recursive.push_back(&function);
  if (recursive.empty())
    return PreservedAnalyses::all();
  auto *type = ArrayType::get(PointerType::getUnqual(module.getContext()),
                              recursive.size());
  auto *table =
      new GlobalVariable(module, type, true, GlobalValue::InternalLinkage,
                         ConstantArray::get(type, recursive),
                         name_of(RuntimeName::recursive_functions), nullptr,
                         GlobalValue::NotThreadLocal, GLOBAL);
  appendToCompilerUsed(module, {table});
  return PreservedAnalyses::none();
}
