//===-- toolchain/passes/keep_phi_values.cpp - A guard against LLVM 22 ----===//
// LLVM 21 and 22's StructurizeCFG, which AMD's backend runs before it selects
// instructions, hoists what costs nothing (an address of p + 1, a truncation)
// out of an else block when a phi behind the block takes it, and then gives it
// to every other way into the join for which it has no value yet. Where three
// or more ways meet these are ways that have a value of their own: the program
// computes something else. (llvm/llvm-project pull request 183792 ends it, in
// LLVM 23.) It leaves values alone of which an operand comes from the block
// itself. So this pass, the last before code is generated, puts an annotation
// between the value and the phi, which instruction selection drops: the value
// costs what it did, and the backend sees a call of nothing in its place.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {
namespace {

/// Of these some cost nothing. Loads, calls and arithmetic always cost.
bool may_be_free(const Instruction &value) {
  return isa<GetElementPtrInst, CastInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, ExtractValueInst, InsertValueInst, FreezeInst>(
      value);
}

/// The only way back to a loop's head: what comes along it is the next
/// iteration's, and loop optimisations want to see it.
bool is_only_latch(const BasicBlock &from, const BasicBlock &to,
                   const DominatorTree &dominators) {
  if (!dominators.dominates(&to, &from))
    return false;
  return none_of(predecessors(&to), [&](const BasicBlock *other) {
    return other != &from && dominators.dominates(&to, other);
  });
}

class Annotations {
public:
  explicit Annotations(Module &module) : module(module) {}

  /// `value` again, by a way that nothing is hoisted over; itself for a type
  /// that cannot be annotated.
  Value *annotate(Instruction &value) {
    Type *type = value.getType();
    IRBuilder<> builder(value.getParent()->getTerminator());
    builder.SetCurrentDebugLocation(value.getDebugLoc());
    if (type->isPointerTy())
      return call(builder, Intrinsic::ptr_annotation, &value);
    if (type->isIntegerTy())
      return call(builder, Intrinsic::annotation, &value);
    const DataLayout &layout = module.getDataLayout();
    if (!type->isFPOrFPVectorTy() && !type->isIntOrIntVectorTy())
      return &value;
    auto *bits = builder.getIntNTy(unsigned(layout.getTypeSizeInBits(type)));
    Value *whole = builder.CreateBitCast(&value, bits);
    return builder.CreateBitCast(call(builder, Intrinsic::annotation, whole),
                                 type);
  }

private:
  Value *call(IRBuilder<> &builder, Intrinsic::ID id, Value *value) {
    if (!text)
      text = builder.CreateGlobalString("", "phi", 4, &module);
    auto *null = ConstantPointerNull::get(cast<PointerType>(text->getType()));
    if (id == Intrinsic::annotation)
      return builder.CreateIntrinsic(id, {value->getType(), text->getType()},
                                     {value, text, text, builder.getInt32(0)});
    return builder.CreateIntrinsic(
        id, {value->getType(), text->getType()},
        {value, text, text, builder.getInt32(0), null});
  }

  Module &module;
  Constant *text = nullptr;
};

} // namespace

PreservedAnalyses keep_phi_values(Function &function,
                                  FunctionAnalysisManager &analyses) {
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  Annotations annotations(*function.getParent());
  bool changed = false;
  for (BasicBlock &from : function) {
    BasicBlock *to = from.getUniqueSuccessor();
    if (!to || is_only_latch(from, *to, dominators))
      continue;
    DenseMap<Instruction *, Value *> kept;
    for (PHINode &phi : to->phis()) {
      auto *value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(&from));
      if (!value || value->getParent() != &from || !may_be_free(*value))
        continue;
      Value *&guarded = kept[value];
      if (!guarded)
        guarded = annotations.annotate(*value);
      phi.setIncomingValueForBlock(&from, guarded);
      changed |= guarded != value;
    }
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace gpuexec
