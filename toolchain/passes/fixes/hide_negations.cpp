//===-- toolchain/passes/fixes/hide_negations.cpp - max(max(a, -b), c) ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas (13.0, for sm_90) makes one instruction of two maxima, or of two
// minima, of signed integers of up to 32 bits. If the inner one has a negated
// operand, the result is wrong: max(max(a, -b), c) is computed from another
// number than -b. So this pass negates such operands by two instructions that
// ptxas does not join.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned WIDEST = 32; ///< bits of numbers that are concerned

bool is_signed_choice(const Value *value) {
  const auto *choice = dyn_cast<MinMaxIntrinsic>(value);
  return choice && choice->isSigned() && choice->getType()->isIntegerTy() &&
         choice->getType()->getIntegerBitWidth() <= WIDEST;
}

/// Is the maximum or minimum an operand of another one, or has it one?
bool is_chained(const MinMaxIntrinsic &choice) {
  return any_of(choice.users(), is_signed_choice) ||
         is_signed_choice(choice.getLHS()) || is_signed_choice(choice.getRHS());
}

/// -number, of which ptxas does not know that it is that.
Value *negate(IRBuilder<> &builder, Value *number) {
  Type *word = builder.getInt32Ty();
  auto *instructions = InlineAsm::get(
      FunctionType::get(word, {word}, false),
      "{ .reg .b32 %inverse; not.b32 %inverse, $1; add.s32 $0, %inverse, 1; }",
      "=r,r", /*hasSideEffects=*/false);
  Value *negated =
      builder.CreateCall(instructions, {builder.CreateSExt(number, word)});
  return builder.CreateTrunc(negated, number->getType());
}

bool hide(MinMaxIntrinsic &choice) {
  if (!is_signed_choice(&choice) || !is_chained(choice))
    return false;
  bool changed = false;
  for (Use &operand : choice.args()) {
    Value *number = nullptr;
    if (!match(operand.get(), m_Neg(m_Value(number))) || isa<Constant>(number))
      continue;
    IRBuilder<> builder(&choice);
    operand.set(negate(builder, number));
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses gpuexec::hide_negations(Function &function,
                                          FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    if (auto *choice = dyn_cast<MinMaxIntrinsic>(&instruction))
      changed |= hide(*choice);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
