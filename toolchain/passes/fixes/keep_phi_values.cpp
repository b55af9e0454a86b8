//===-- toolchain/passes/fixes/keep_phi_values.cpp - For StructurizeCFG ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StructurizeCFG of LLVM 21 and 22, which AMD's backend runs before instruction
// selection, hoists free instructions (the address p + 1, a truncation) out of
// an else block when a phi after the block uses them. It then sets the hoisted
// value for all predecessors of the phi that have no value yet. If there are
// three or more predecessors, some of them have another value, and the program
// is miscompiled. (Fixed in LLVM 23 by llvm/llvm-project pull request 183792.)
// StructurizeCFG does not hoist an instruction with an operand from the same
// block. So this pass puts an annotation intrinsic between the value and the
// phi, which instruction selection drops at no cost.
//
// The pass runs directly before StructurizeCFG, because earlier passes of code
// generation add such values: loop strength reduction computes p + 1 at the end
// of a loop, and Sinking moves it there.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {
namespace {

/// May the backend consider the instruction free? (Never a load, a call or
/// arithmetic.)
bool may_be_free(const Instruction &value) {
  return isa<GetElementPtrInst, CastInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, ExtractValueInst, InsertValueInst, FreezeInst>(
      value);
}

class Annotations {
public:
  explicit Annotations(Module &module) : module(module) {}

  /// An annotated copy of `value`, which StructurizeCFG does not hoist; `value`
  /// itself if its type cannot be annotated.
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
                                  FunctionAnalysisManager &) {
  Annotations annotations(*function.getParent());
  bool changed = false;
  for (BasicBlock &from : function) {
    BasicBlock *to = from.getUniqueSuccessor();
    if (!to)
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
