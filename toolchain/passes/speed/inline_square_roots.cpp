//===-- toolchain/passes/speed/inline_square_roots.cpp - No call of sqrt --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang calls sqrt() and sqrtf(), because a negative argument sets errno
// (-fmath-errno). GPUs have an instruction for the square root. This pass uses
// it and leaves the call for negative arguments only; with -ffast-math, by
// which the program promises that there are no NaNs, it removes the call.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;
using gpuexec::Runtime;

namespace {

bool is_square_root(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || call.isNoBuiltin() || call.isMustTailCall() ||
      call.arg_size() != 1)
    return false;
  const Type *type = call.getType();
  return type == call.getArgOperand(0)->getType() &&
         ((callee->getName() == name_of(Runtime::sqrt) && type->isDoubleTy()) ||
          (callee->getName() == name_of(Runtime::sqrtf) && type->isFloatTy()));
}

void inline_call(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *argument = call.getArgOperand(0);
  Value *root = builder.CreateUnaryIntrinsic(Intrinsic::sqrt, argument, &call);
  if (call.doesNotAccessMemory() || call.hasNoNaNs()) { // errno is not set
    call.replaceAllUsesWith(root);
    call.eraseFromParent();
    return;
  }
  Value *negative =
      builder.CreateFCmpOLT(argument, ConstantFP::getZero(argument->getType()));
  BasicBlock *before = call.getParent();
  Instruction *end = SplitBlockAndInsertIfThen(
      negative, call.getIterator(), false,
      MDBuilder(call.getContext()).createUnlikelyBranchWeights());
  BasicBlock *after = call.getParent();
  PHINode *result = PHINode::Create(call.getType(), 2, "", after->begin());
  call.replaceAllUsesWith(result);
  call.moveBefore(end->getIterator());
  result->addIncoming(root, before);
  result->addIncoming(&call, end->getParent());
}

} // namespace

PreservedAnalyses gpuexec::inline_square_roots(Function &function,
                                               FunctionAnalysisManager &) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && is_square_root(*call))
      calls.push_back(call);
  for (CallInst *call : calls)
    inline_call(*call);
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
