//===-- toolchain/passes/openmp/serialise_locks.cpp - Lanes with one lock -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of an AMD wave run in lockstep. If one of them has a lock of OpenMP
// and another waits for it, the first one never comes to release it. So this
// pass makes the lanes take turns with the code between omp_set_lock() and
// omp_unset_lock(), as clang does with critical regions:
//     for each lane that is here: if it is this one: lock, code, unlock
//
// It finds the code where every way from the one call comes to the same other
// call in the same function, and nothing jumps into it. Calls between the two
// count as brackets. Other lanes end with a message of the runtime.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using gpuexec::Runtime;
using gpuexec::RuntimeGroup;

namespace {

enum class Call { NONE, SET, UNSET };

Call kind_of(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return Call::NONE;
  if (is_in(RuntimeGroup::set_lock, *callee))
    return Call::SET;
  if (is_in(RuntimeGroup::unset_lock, *callee))
    return Call::UNSET;
  return Call::NONE;
}

/// The code between two calls.
struct Region {
  SetVector<BasicBlock *> blocks; ///< but for the parts outside
  Instruction *end = nullptr;     ///< the call that releases the lock
};

/// Walks from `set` to the call that releases the lock on all ways; `end` is
/// null when there is none that serves for all.
Region find_region(Instruction &set) {
  Region region, none;
  DenseMap<BasicBlock *, int> depths; // of brackets where a block begins
  SmallVector<std::pair<Instruction *, int>> ways = {{&set, 0}};
  depths[set.getParent()] = 0;
  region.blocks.insert(set.getParent());
  while (!ways.empty()) {
    auto [at, depth] = ways.pop_back_val();
    for (; at; at = at->getNextNode()) {
      const Call kind = kind_of(*at);
      depth += kind == Call::SET ? 1 : kind == Call::UNSET ? -1 : 0;
      if (!depth)
        break;
      if (isa<ReturnInst>(at))
        return none;
      if (!at->isTerminator())
        continue;
      for (BasicBlock *next : successors(at->getParent())) {
        if (next == set.getParent())
          return none; // a loop around the call, without a release
        auto [known, fresh] = depths.try_emplace(next, depth);
        if (known->second != depth)
          return none;
        if (fresh) {
          region.blocks.insert(next);
          ways.emplace_back(&next->front(), depth);
        }
      }
    }
    if (!at)
      continue;
    if (region.end && region.end != at)
      return none;
    region.end = at;
  }
  for (BasicBlock *block : drop_begin(region.blocks))
    for (BasicBlock *before : predecessors(block))
      if (!region.blocks.contains(before))
        return none;
  return region;
}

/// Values of the region that later code uses go through the stack: the region
/// is no longer on every way to there.
void keep_values(const SetVector<BasicBlock *> &blocks) {
  SmallVector<Instruction *> used;
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block)
      if (any_of(instruction.users(), [&](User *user) {
            return !blocks.contains(cast<Instruction>(user)->getParent());
          }))
        used.push_back(&instruction);
  for (Instruction *instruction : used)
    if (!isa<AllocaInst>(instruction))
      DemoteRegToStack(*instruction);
}

void serialise(Instruction &set, Region region) {
  BasicBlock *before = set.getParent();
  BasicBlock *first = SplitBlock(before, &set);
  BasicBlock *last = region.end->getParent();
  BasicBlock *after = SplitBlock(last, region.end->getNextNode());
  region.blocks.remove(before);
  region.blocks.insert(first);

  LLVMContext &context = set.getContext();
  Function *function = set.getFunction();
  Type *word = Type::getInt64Ty(context);
  BasicBlock *head = BasicBlock::Create(context, "turn", function, first);
  BasicBlock *next = BasicBlock::Create(context, "next", function, after);

  IRBuilder<> builder(before->getTerminator());
  Value *all = gpuexec::call_runtime(builder, Runtime::omp_turns);
  before->getTerminator()->setSuccessor(0, head);

  builder.SetInsertPoint(head);
  PHINode *left = builder.CreatePHI(word, 2);
  Value *mine = gpuexec::call_runtime(builder, Runtime::omp_my_turn, left);
  builder.CreateCondBr(builder.CreateICmpNE(mine, builder.getInt32(0)), first,
                       next);

  last->getTerminator()->setSuccessor(0, next);
  builder.SetInsertPoint(next);
  Value *rest = gpuexec::call_runtime(builder, Runtime::omp_next_turn, left);
  builder.CreateCondBr(builder.CreateICmpNE(rest, builder.getInt64(0)), head,
                       after);
  left->addIncoming(all, before);
  left->addIncoming(rest, next);
  after->replacePhiUsesWith(last, next);
  keep_values(region.blocks);
}

} // namespace

PreservedAnalyses gpuexec::serialise_locks(Function &function,
                                           FunctionAnalysisManager &) {
  SmallVector<Instruction *> sets;
  for (Instruction &instruction : instructions(function))
    if (kind_of(instruction) == Call::SET)
      sets.push_back(&instruction);
  bool changed = false;
  for (Instruction *set : sets)
    if (Region region = find_region(*set); region.end) {
      serialise(*set, region);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
