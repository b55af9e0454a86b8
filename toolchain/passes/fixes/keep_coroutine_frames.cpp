//===-- toolchain/passes/fixes/keep_coroutine_frames.cpp - Coroutines -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's CoroElide puts the frame of a coroutine whose end it sees on the
// caller's stack, and makes the generic pointer to it by a cast that AMD's
// address spaces do not allow. It leaves a coroutine alone that is in its own
// function: that is what llvm.coro.id is made to say, once it has been split.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// Has the coroutine been split, so that the argument is the list of its parts?
static bool is_list_of_parts(const Value *argument) {
  const auto *variable = dyn_cast<GlobalVariable>(argument->stripPointerCasts());
  return variable && variable->hasInitializer() &&
         isa<ConstantArray>(variable->getInitializer());
}

PreservedAnalyses gpuexec::keep_coroutine_frames(Function &function,
                                                 FunctionAnalysisManager &) {
  constexpr unsigned COROUTINE = 2, PARTS = 3; // arguments of llvm.coro.id
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::coro_id &&
        is_list_of_parts(call->getArgOperand(PARTS)))
      call->setArgOperand(COROUTINE, &function);
  return PreservedAnalyses::all(); // no analysis looks at the argument
}
