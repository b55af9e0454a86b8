//===-- toolchain/passes/fixes/keep_coroutine_frames.cpp - Coroutines -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's CoroElide puts the frame of a coroutine whose end it sees on the
// caller's stack, and makes the generic pointer to it by a cast that AMD's
// address spaces do not allow. It needs the coroutine's functions for that,
// which llvm.coro.id names once the coroutine is split: they are removed there.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

PreservedAnalyses gpuexec::keep_coroutine_frames(Function &function,
                                                 FunctionAnalysisManager &) {
  constexpr unsigned FUNCTIONS = 3; // the argument of llvm.coro.id
  if (function.isPresplitCoroutine())
    return PreservedAnalyses::all();
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::coro_id)
      call->setArgOperand(FUNCTIONS,
                          Constant::getNullValue(
                              call->getArgOperand(FUNCTIONS)->getType()));
  return PreservedAnalyses::all(); // no analysis looks at the argument
}
