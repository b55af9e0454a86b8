//===-- emulator/ptx/host/liveness.cpp - See liveness.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/host/liveness.h"
#include "emulator/ptx/host/regions.h"
#include "emulator/ptx/lower/names.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace gpuexec::ptx::host {

DenseMap<BasicBlock *, Values> live_in(Function &function) {
  DenseMap<BasicBlock *, Values> live;
  const auto counts = [](Value *value) {
    auto *made = dyn_cast<Instruction>(value);
    return made && !isa<AllocaInst>(made) ? made : nullptr;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (BasicBlock *block : post_order(&function)) {
      Values now;
      for (BasicBlock *next : successors(block)) {
        for (Instruction *value : live[next])
          now.insert(value);
        for (PHINode &phi : next->phis())
          if (Instruction *value = counts(phi.getIncomingValueForBlock(block)))
            now.insert(value);
      }
      for (Instruction &each : reverse(*block)) {
        now.remove(&each);
        if (!isa<PHINode>(each))
          for (Value *operand : each.operands())
            if (Instruction *value = counts(operand))
              now.insert(value);
      }
      Values &before = live[block];
      if (now.size() != before.size()) {
        before = std::move(now);
        changed = true;
      }
    }
  }
  return live;
}

namespace {

constexpr unsigned MOST_OPERATIONS = 12;

/// Counts the operations that compute `value` from the launch and the place of
/// the lane; more than MOST_OPERATIONS when that is not possible.
unsigned operations(const Value *value, unsigned sum = 0) {
  if (isa<Constant>(value))
    return sum;
  if (!number_called(value).empty())
    return sum + 1;
  const auto *made = dyn_cast<Instruction>(value);
  const auto *load = dyn_cast_or_null<LoadInst>(made);
  const bool is_cheap =
      made && ((isa<BinaryOperator>(made) && !made->isIntDivRem() &&
                !made->getType()->isFPOrFPVectorTy()) ||
               isa<CastInst, GetElementPtrInst, ICmpInst, SelectInst>(made) ||
               (load && load->hasMetadata(LLVMContext::MD_invariant_load)));
  if (!is_cheap)
    return MOST_OPERATIONS + 1;
  ++sum;
  for (const Value *operand : made->operands())
    if (sum <= MOST_OPERATIONS)
      sum = operations(operand, sum);
  return sum;
}

/// Copies of values at the beginning of blocks.
class Copies {
public:
  Value *at(Value *value, BasicBlock *block) {
    auto *made = dyn_cast<Instruction>(value);
    if (!made || made->getParent() == block)
      return value;
    Value *&copy = copies[{value, block}];
    if (copy)
      return copy;
    Instruction *clone = made->clone();
    for (Use &operand : clone->operands())
      operand.set(at(operand.get(), block));
    BasicBlock::iterator &place =
        places.try_emplace(block, block->getFirstInsertionPt()).first->second;
    clone->insertBefore(*block, place);
    copies[{value, block}] = clone;
    return clone;
  }

private:
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> copies;
  DenseMap<BasicBlock *, BasicBlock::iterator> places;
};

} // namespace

void rematerialise(Function &function, ArrayRef<BasicBlock *> beginnings) {
  auto live = live_in(function);
  Values all;
  for (BasicBlock *block : beginnings)
    for (Instruction *value : live[block])
      if (operations(value) <= MOST_OPERATIONS)
        all.insert(value);
  Copies copies;
  for (Instruction *value : all)
    for (Use &use : make_early_inc_range(value->uses())) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block == value->getParent())
        continue;
      Value *copy = copies.at(value, block);
      if (phi) // one value for all edges from a block
        phi->setIncomingValueForBlock(block, copy);
      else
        use.set(copy);
    }
}

namespace {

/// What LLVM's analysis of uniformity asks of a target.
class Lanes final : public TargetTransformInfoImplCRTPBase<Lanes> {
  using Base = TargetTransformInfoImplCRTPBase<Lanes>;

public:
  explicit Lanes(const DataLayout &layout) : Base(layout) {}
  bool hasBranchDivergence(const Function *) const override { return true; }
  InstructionUniformity
  getInstructionUniformity(const Value *value) const override {
    const StringRef number = number_called(value);
    const bool differs =
        is_contained(TID, number) || number == LANE || number == THREAD;
    if (!number.empty())
      return differs ? InstructionUniformity::NeverUniform
                     : InstructionUniformity::AlwaysUniform;
    const auto *made = dyn_cast<Instruction>(value);
    if (!made)
      return InstructionUniformity::Default;
    if (made->hasMetadata(LLVMContext::MD_invariant_load))
      return InstructionUniformity::Default;
    if (isa<AllocaInst>(made) || made->mayReadOrWriteMemory())
      return InstructionUniformity::NeverUniform;
    return InstructionUniformity::Default;
  }
};

} // namespace

DenseSet<const Value *> uniform_values(Function &function,
                                       ArrayRef<Instruction *> candidates) {
  DenseSet<const Value *> result;
  FunctionAnalysisManager analyses;
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return CycleAnalysis(); });
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] {
    return TargetIRAnalysis([](const Function &of) {
      return TargetTransformInfo(std::make_unique<Lanes>(of.getDataLayout()));
    });
  });
  UniformityInfo info = UniformityInfoAnalysis().run(function, analyses);
  for (const Instruction *value : candidates)
    if (info.isUniform(value) && none_of(value->uses(), [&](const Use &use) {
          return info.isDivergentUse(use);
        }))
      result.insert(value);
  return result;
}

} // namespace gpuexec::ptx::host
