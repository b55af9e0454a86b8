//===-- toolchain/passes/shared/lifetimes.cpp - See lifetimes.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/lifetimes.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/StackLifetime.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

SmallVector<AllocaInst *>
gpuexec::variables_with_lifetimes(Function &function) {
  SmallPtrSet<const Value *, 16> marked;
  for (Instruction &instruction : instructions(function))
    if (auto *marker = dyn_cast<LifetimeIntrinsic>(&instruction))
      marked.insert(marker->getArgOperand(marker->arg_size() - 1));
  SmallVector<AllocaInst *> found;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      if (variable->isStaticAlloca() && marked.contains(variable) &&
          !variable->isSwiftError() && !variable->isUsedWithInAlloca())
        found.push_back(variable);
  return found;
}

gpuexec::LiveVariables::LiveVariables(const Function &function,
                                      ArrayRef<AllocaInst *> variables) {
  if (variables.empty())
    return;
  SmallVector<const AllocaInst *> seen(variables.begin(), variables.end());
  StackLifetime lifetimes(function, seen, StackLifetime::LivenessType::May);
  lifetimes.run();
  for (const Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && !isa<IntrinsicInst>(call))
      for (AllocaInst *variable : variables)
        if (lifetimes.isAliveAfter(variable, call))
          alive[call].push_back(variable);
}

SmallVector<AllocaInst *>
gpuexec::LiveVariables::alive_after(const CallInst &call) const {
  return alive.lookup(&call);
}

void gpuexec::end_lifetimes(IRBuilder<> &builder,
                            ArrayRef<AllocaInst *> variables) {
  for (AllocaInst *variable : variables)
    builder.CreateLifetimeEnd(variable);
}
