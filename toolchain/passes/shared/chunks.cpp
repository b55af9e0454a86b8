//===-- toolchain/passes/shared/chunks.cpp - Loops of one iteration -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/chunks.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace {

/// The block that is executed if a chunk has iterations: the one after the
/// comparison of its first iteration, which `begin` stores, with its last one.
/// Null if the code has another form.
BasicBlock *body_of_chunk(const StoreInst &begin, const Value *upper) {
  auto *branch = dyn_cast<BranchInst>(begin.getParent()->getTerminator());
  auto *compare = branch && branch->isConditional()
                      ? dyn_cast<ICmpInst>(branch->getCondition())
                      : nullptr;
  auto *last = compare ? dyn_cast<LoadInst>(compare->getOperand(1)) : nullptr;
  if (!last || last->getPointerOperand()->stripPointerCasts() != upper ||
      (compare->getPredicate() != CmpInst::ICMP_SLE &&
       compare->getPredicate() != CmpInst::ICMP_ULE) ||
      !branch->getSuccessor(0)->getSinglePredecessor())
    return nullptr;
  return branch->getSuccessor(0);
}

} // namespace

void gpuexec::join_chunks(CallInst &call) {
  constexpr uint64_t STATIC_CHUNKED = 33, MODIFIERS = 3u << 29;
  auto *schedule = dyn_cast<ConstantInt>(call.getArgOperand(2));
  auto *chunk = dyn_cast<ConstantInt>(call.getArgOperand(8));
  if (!schedule || !chunk || !chunk->isOne() ||
      (schedule->getZExtValue() & ~MODIFIERS) != STATIC_CHUNKED)
    return;
  Value *upper = call.getArgOperand(5)->stripPointerCasts();
  SmallVector<Value *> pointers = {call.getArgOperand(4)->stripPointerCasts()};
  while (!pointers.empty())
    for (User *user : pointers.pop_back_val()->users()) {
      if (isa<AddrSpaceCastInst, BitCastInst>(user))
        pointers.push_back(user);
      else if (auto *first = dyn_cast<LoadInst>(user))
        for (User *use : first->users())
          if (auto *begin = dyn_cast<StoreInst>(use);
              begin && begin->getValueOperand() == first)
            if (BasicBlock *body = body_of_chunk(*begin, upper))
              IRBuilder<>(body, body->getFirstInsertionPt())
                  .CreateStore(first, upper);
    }
}
