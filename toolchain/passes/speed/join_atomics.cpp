//===-- toolchain/passes/speed/join_atomics.cpp - One atomic for a wave ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the lanes of a wave add to one word atomically, the memory serves them
// one after another: a counter to which all threads of a grid add takes a
// nanosecond for each thread. If the address is probably the same for all
// lanes, this pass makes one lane add for all active lanes, and the others
// compute the values that they would have read. LLVM has this for AMD's
// processors (AMDGPUAtomicOptimizer). For NVIDIA's, ptxas does it where it
// knows that the address is the same, but not for a pointer that was loaded.
//
// An address is the same if it is that of a static variable. It is probably the
// same if it does not change in a loop around the access: then the lanes
// compare their addresses, and if they differ, each lane adds by itself.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace {

/// Does the pointer not change in a loop around the access?
bool is_invariant(const AtomicRMWInst &access, const LoopInfo &loops) {
  const Loop *loop = loops.getLoopFor(access.getParent());
  return loop && loop->isLoopInvariant(access.getPointerOperand());
}

bool is_static(const AtomicRMWInst &access) {
  return isa<GlobalVariable>(access.getPointerOperand()->stripPointerCasts());
}

/// Does the access add or subtract a constant?
bool counts(const AtomicRMWInst &access) {
  const Type *type = access.getType();
  return (access.getOperation() == AtomicRMWInst::Add ||
          access.getOperation() == AtomicRMWInst::Sub) &&
         isa<ConstantInt>(access.getValOperand()) &&
         (type->isIntegerTy(32) || type->isIntegerTy(64)) &&
         !access.isVolatile() &&
         access.getSyncScopeID() != SyncScope::SingleThread;
}

/// Rewrites one access.
class Joiner {
public:
  explicit Joiner(AtomicRMWInst &access)
      : access(access), builder(&access), type(access.getType()) {}

  void join() {
    Value *mask = active_lanes();
    if (is_static(access)) {
      access.replaceAllUsesWith(add_together(mask, &access));
      access.eraseFromParent();
      return;
    }
    Instruction *together = nullptr, *alone = nullptr;
    SplitBlockAndInsertIfThenElse(compare(mask), &access, &together, &alone);
    const bool is_used = !access.use_empty();
    builder.SetInsertPoint(together);
    Value *joined = add_together(mask, together);
    if (is_used) {
      builder.SetInsertPoint(&access);
      PHINode *result = builder.CreatePHI(type, 2);
      access.replaceAllUsesWith(result);
      // add_together() has moved `together` to a block of its own.
      result->addIncoming(joined, together->getParent());
      result->addIncoming(&access, alone->getParent());
    }
    access.moveBefore(alone->getIterator());
  }

private:
  Value *call(Intrinsic::ID which, ArrayRef<Value *> operands) {
    return builder.CreateIntrinsic(which, {}, operands, nullptr);
  }

  /// The mask of active lanes, computed so that ptxas does not know that it is
  /// the same in all lanes: rpc_lane_mask() explains why.
  Value *active_lanes() {
    Value *all = builder.CreateOr(
        call(Intrinsic::nvvm_read_ptx_sreg_lanemask_le, {}),
        call(Intrinsic::nvvm_read_ptx_sreg_lanemask_gt, {}));
    return builder.CreateAnd(call(Intrinsic::nvvm_activemask, {}), all);
  }

  /// i1: do all lanes of the mask have the same address?
  Value *compare(Value *mask) {
    Value *address = builder.CreatePtrToInt(access.getPointerOperand(),
                                            builder.getInt64Ty());
    return builder.CreateExtractValue(
        call(Intrinsic::nvvm_match_all_sync_i64p, {mask, address}), 1);
  }

  /// Adds code before `place` in which one lane adds for all lanes of the mask.
  /// Returns the value that the calling lane would have read.
  Value *add_together(Value *mask, Instruction *place) {
    Value *below = builder.CreateAnd(
        mask, call(Intrinsic::nvvm_read_ptx_sreg_lanemask_lt, {}));
    Value *rank = builder.CreateUnaryIntrinsic(Intrinsic::ctpop, below);
    Value *count = builder.CreateUnaryIntrinsic(Intrinsic::ctpop, mask);
    Value *sum = builder.CreateMul(builder.CreateZExt(count, type),
                                   access.getValOperand());
    Value *first = builder.CreateICmpEQ(rank, builder.getInt32(0));
    BasicBlock *before = place->getParent();
    Instruction *end = SplitBlockAndInsertIfThen(first, place->getIterator(),
                                                 /*Unreachable=*/false);
    builder.SetInsertPoint(end);
    auto *one = cast<AtomicRMWInst>(access.clone());
    one->setOperand(1, sum);
    builder.Insert(one);
    builder.SetInsertPoint(place);
    if (access.use_empty())
      return PoisonValue::get(type);
    PHINode *old = PHINode::Create(type, 2, "", place->getParent()->begin());
    old->addIncoming(one, end->getParent());
    old->addIncoming(PoisonValue::get(type), before);
    Value *base = from_first(mask, old);
    Value *own = builder.CreateMul(builder.CreateZExt(rank, type),
                                   access.getValOperand());
    return access.getOperation() == AtomicRMWInst::Add
               ? builder.CreateAdd(base, own)
               : builder.CreateSub(base, own);
  }

  /// The value of the first lane of the mask, in all lanes.
  Value *from_first(Value *mask, Value *value) {
    Value *lane = builder.CreateBinaryIntrinsic(Intrinsic::cttz, mask,
                                                builder.getTrue());
    const auto shuffle = [&](Value *word) {
      return call(Intrinsic::nvvm_shfl_sync_idx_i32,
                  {mask, word, lane, builder.getInt32(31)});
    };
    value = builder.CreateFreeze(value);
    if (type->isIntegerTy(32))
      return shuffle(value);
    Type *word = builder.getInt32Ty();
    Value *low = shuffle(builder.CreateTrunc(value, word));
    Value *high =
        shuffle(builder.CreateTrunc(builder.CreateLShr(value, 32), word));
    return builder.CreateOr(
        builder.CreateZExt(low, type),
        builder.CreateShl(builder.CreateZExt(high, type), 32));
  }

  AtomicRMWInst &access;
  IRBuilder<> builder;
  Type *type;
};

} // namespace

PreservedAnalyses gpuexec::join_atomics(Function &function,
                                        FunctionAnalysisManager &analyses) {
  if (function.hasOptNone())
    return PreservedAnalyses::all();
  SmallVector<AtomicRMWInst *> found;
  for (Instruction &instruction : instructions(function))
    if (auto *access = dyn_cast<AtomicRMWInst>(&instruction);
        access && counts(*access))
      found.push_back(access);
  if (found.empty())
    return PreservedAnalyses::all();
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  erase_if(found, [&](const AtomicRMWInst *access) {
    return !is_static(*access) && !is_invariant(*access, loops);
  });
  for (AtomicRMWInst *access : found)
    Joiner(*access).join();
  return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
