//===-- toolchain/passes/openmp/serialise_locks.cpp - Lanes with one lock -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of an AMD wave run in lockstep. If one lane holds an OpenMP lock
// and another waits for it, the first one never reaches the release. So this
// pass makes the lanes of a wave execute the code between omp_set_lock() and
// omp_unset_lock() one after another, as clang does for critical regions:
//     for each active lane: if it is the calling lane: lock, code, unlock
//
// It does so if every path from a call that sets a lock reaches the same call
// that unsets one, in the same function, and nothing jumps into the code
// between them. Pairs of calls may be nested like brackets. In other code a
// lane that would wait for a lane of its wave ends with an error of the
// runtime.
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

/// The code from a call that sets a lock to the call that releases it.
struct Region {
  SetVector<BasicBlock *> blocks; ///< the first and last one are partly outside
  Instruction *end = nullptr;     ///< the call that releases the lock
};

/// Follows all paths from `set`. `end` is null unless all reach the same call
/// that releases the lock.
Region find_region(Instruction &set) {
  Region region, none;
  DenseMap<BasicBlock *, int> depths; // locks held where a block begins
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

/// Moves values of the region that later code uses to the stack: some paths to
/// that code no longer pass through the region.
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

/// Puts the region into a loop over the active lanes.
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
