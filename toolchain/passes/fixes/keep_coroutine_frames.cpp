//===-- toolchain/passes/fixes/keep_coroutine_frames.cpp - Coroutines -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM puts the frame of a coroutine on a stack when it sees the coroutine's
// end, and makes the generic pointer to it by a cast that AMD's address spaces
// do not allow. It leaves a frame alone about which nobody asks whether it has
// to be allocated: here the answer to llvm.coro.alloc is always yes. Calls that
// the program marks ([[clang::coro_await_elidable]]) lose the mark.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

PreservedAnalyses gpuexec::keep_coroutine_frames(Function &function,
                                                 FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *> questions;
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    if (call->hasFnAttr(Attribute::CoroElideSafe)) {
      call->removeFnAttr(Attribute::CoroElideSafe);
      changed = true;
    }
    if (call->getIntrinsicID() == Intrinsic::coro_alloc)
      questions.push_back(cast<IntrinsicInst>(call));
  }
  for (IntrinsicInst *call : questions) {
    call->replaceAllUsesWith(ConstantInt::getTrue(call->getType()));
    call->eraseFromParent();
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}
