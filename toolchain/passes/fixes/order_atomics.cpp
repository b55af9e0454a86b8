//===-- toolchain/passes/fixes/order_atomics.cpp - Fences for atomics -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM 22's NVPTX backend selects PTX's plain `atom`, which is relaxed, for
// every atomic read-modify-write except compare-and-exchange, whatever its
// ordering. So another thread may see data protected by a lock, or a message
// announced by a flag, too early or too late. (Fixed in LLVM 23 by
// llvm/llvm-project pull request 179553.) This pass runs after all passes that
// move memory accesses. It makes the instruction relaxed and adds fences as
// PTX's memory model requires: a release or sequentially consistent fence
// before it, an acquire fence after it. Their scope is that of `atom`, the
// device; in a grid of one block it is the block, which takes a fifteenth of
// the time on an H200.
//
// The same backend crashes at atomic_signal_fence(), which only has to keep the
// compiler from moving accesses.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace gpuexec {
namespace {

/// The next instruction, in either direction, that accesses memory.
template <typename Iterator>
Instruction *next_access(Iterator from, Iterator end) {
  auto found = std::find_if(from, end, [](Instruction &instruction) {
    return instruction.mayReadOrWriteMemory() || instruction.isTerminator();
  });
  return found == end ? nullptr : &*found;
}

class Fences {
public:
  explicit Fences(LLVMContext &context)
      : device(context.getOrInsertSyncScopeID("device")),
        block(context.getOrInsertSyncScopeID("block")) {}

  /// Relaxes `access` and puts fences around it, unless they exist already.
  void bracket(AtomicRMWInst &access) {
    const AtomicOrdering order = access.getOrdering();
    access.setOrdering(AtomicOrdering::Monotonic);
    // Memory of one thread, or the order against its own signal handlers.
    if (access.getSyncScopeID() == SyncScope::SingleThread ||
        isa<AllocaInst>(getUnderlyingObject(access.getPointerOperand())))
      return;
    IRBuilder<> builder(&access);
    if (isReleaseOrStronger(order)) {
      auto needed = order == AtomicOrdering::SequentiallyConsistent
                        ? order
                        : AtomicOrdering::Release;
      Instruction *before = next_access(std::next(access.getReverseIterator()),
                                        access.getParent()->rend());
      if (!is_fence(before, needed) && !strengthen(before, needed))
        made.insert(builder.CreateFence(needed, device));
    }
    if (isAcquireOrStronger(order)) {
      Instruction *after = next_access(std::next(access.getIterator()),
                                       access.getParent()->end());
      builder.SetInsertPoint(access.getNextNode());
      builder.SetCurrentDebugLocation(access.getDebugLoc());
      if (!is_fence(after, AtomicOrdering::Acquire))
        made.insert(builder.CreateFence(AtomicOrdering::Acquire, device));
    }
  }

  /// To be called after the last bracket(): makes each fence a choice at run
  /// time: of the block's scope if the grid has one block, else the device's.
  void choose_scopes() const {
    for (FenceInst *fence : made) {
      IRBuilder<> builder(fence);
      auto count = [&](Intrinsic::ID id) {
        return builder.CreateIntrinsic(id, {});
      };
      Value *counts = builder.CreateOr(
          builder.CreateOr(count(Intrinsic::nvvm_read_ptx_sreg_nctaid_x),
                           count(Intrinsic::nvvm_read_ptx_sreg_nctaid_y)),
          count(Intrinsic::nvvm_read_ptx_sreg_nctaid_z));
      Value *one = builder.CreateICmpEQ(counts, builder.getInt32(1));
      Instruction *near = nullptr, *far = nullptr;
      SplitBlockAndInsertIfThenElse(one, fence, &near, &far);
      Instruction *narrow = fence->clone();
      cast<FenceInst>(narrow)->setSyncScopeID(block);
      narrow->insertBefore(near->getIterator());
      fence->moveBefore(far->getIterator());
    }
  }

private:
  bool is_fence(const Instruction *access, AtomicOrdering needed) const {
    auto *fence = dyn_cast_or_null<FenceInst>(access);
    return fence && isAtLeastOrStrongerThan(fence->getOrdering(), needed) &&
           (fence->getSyncScopeID() == device ||
            fence->getSyncScopeID() == SyncScope::System);
  }

  /// If `access` is a fence that bracket() has added after the previous access,
  /// makes it serve as the fence before this one, too.
  bool strengthen(Instruction *access, AtomicOrdering needed) const {
    auto *fence = dyn_cast_or_null<FenceInst>(access);
    if (!fence || !made.contains(fence))
      return false;
    fence->setOrdering(getMergedAtomicOrdering(fence->getOrdering(), needed));
    return true;
  }

  const SyncScope::ID device, block;
  SmallSetVector<FenceInst *, 8> made;
};

/// Replaces atomic_signal_fence() by empty assembly, across which LLVM moves no
/// accesses.
void keep_from_moving(FenceInst &fence) {
  IRBuilder<> builder(&fence);
  auto *type = FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(type, InlineAsm::get(type, "", "~{memory}", true));
  fence.eraseFromParent();
}

} // namespace

PreservedAnalyses order_atomics(Function &function, FunctionAnalysisManager &) {
  Fences fences(function.getContext());
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *access = dyn_cast<AtomicRMWInst>(&instruction);
        access && isStrongerThanMonotonic(access->getOrdering())) {
      fences.bracket(*access);
      changed = true;
    } else if (auto *fence = dyn_cast<FenceInst>(&instruction);
               fence && fence->getSyncScopeID() == SyncScope::SingleThread) {
      keep_from_moving(*fence);
      changed = true;
    }
  fences.choose_scopes();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace gpuexec
