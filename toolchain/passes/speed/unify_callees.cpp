//===-- toolchain/passes/speed/unify_callees.cpp - Calls of one thread ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruction selection makes a call through a pointer a loop over the
// functions that the lanes of the wave call, even if a wave has one thread. In
// programs with one thread a block this pass passes the pointer through
// readfirstlane, which tells LLVM that it is uniform.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

PreservedAnalyses gpuexec::unify_callees(Function &function,
                                         FunctionAnalysisManager &) {
  if (function.getFnAttribute("amdgpu-flat-work-group-size")
          .getValueAsString() != "1,1")
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || call->isInlineAsm() || isa<Constant>(call->getCalledOperand()))
      continue;
    Value *callee = call->getCalledOperand();
    call->setCalledOperand(IRBuilder<>(call).CreateIntrinsic(
        Intrinsic::amdgcn_readfirstlane, {callee->getType()}, {callee}));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
