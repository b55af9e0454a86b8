//===-- toolchain/passes/order_atomics.cpp - A guard against LLVM 22 ------===//
// LLVM 22's backend for NVIDIA's GPUs makes of every read-modify-write that the
// hardware has (an exchange, an addition, ...; not compare-and-exchange) PTX's
// plain `atom`, which is relaxed, whatever order the program asks for: what a
// lock guards, or a message that a flag announces, could be seen too early or
// too late. (llvm/llvm-project pull request 179553 ends it, in LLVM 23.) So
// here, after everything that might move memory accesses, such an instruction
// becomes a relaxed one between the fences that PTX's memory model has for its
// order: a release or a sequentially consistent fence in front, an acquire
// fence behind. They reach as far as `atom` itself does: the device's threads;
// in a grid of one block, as far as the block, which takes a fifteenth of the
// time on an H200.
//
// The same backend ends with a stack dump at atomic_signal_fence(). There is
// nothing to do for it on a GPU but to keep the compiler from moving accesses.
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

/// The next instruction, before or after, that has to do with memory.
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

  /// Relaxes `access` and puts fences around it, but where they stand already.
  void bracket(AtomicRMWInst &access) {
    const AtomicOrdering order = access.getOrdering();
    access.setOrdering(AtomicOrdering::Monotonic);
    // What is a thread's own, or between it and its signal handlers.
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

  /// After the last of them: each is the block's where the grid is one block.
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

  /// The fence behind the access before can be the one in front of this.
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
