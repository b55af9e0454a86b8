//===-- toolchain/passes/fixes/split_ors.cpp - x | 0xffffffff........ -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM 22's AMDGPU backend computes a 64-bit OR in two halves, each by a 32-bit
// instruction. If one half of an operand is all ones, as the upper half of
// ~(uint64_t)some_uint32 is, SIFoldOperands turns the instruction into a copy,
// but of the wrong operand: g |= ~(uint64_t)u leaves the upper half of g as it
// was. (Fixed in LLVM 23 by llvm-project pull request 189655.) This pass
// replaces such an OR by its two halves: a constant, and a 32-bit OR.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/KnownBits.h>

using namespace llvm;

namespace gpuexec {
namespace {

constexpr unsigned HALF = 32;

/// A 64-bit OR one half of which is known to be all ones. (If both were, it
/// would be a constant.)
struct Known {
  BinaryOperator *instruction;
  bool upper;
};

std::optional<Known> known_half(Instruction &instruction,
                                const DataLayout &layout) {
  if (instruction.getOpcode() != Instruction::Or ||
      !instruction.getType()->isIntegerTy(2 * HALF))
    return std::nullopt;
  // A constant operand is split well by instruction selection.
  if (isa<Constant>(instruction.getOperand(0)) ||
      isa<Constant>(instruction.getOperand(1)))
    return std::nullopt;
  for (Value *operand : instruction.operands()) {
    const APInt ones = computeKnownBits(operand, layout).One;
    for (bool upper : {false, true})
      if (ones.extractBits(HALF, upper ? HALF : 0).isAllOnes())
        return Known{cast<BinaryOperator>(&instruction), upper};
  }
  return std::nullopt;
}

void split(const Known &known) {
  BinaryOperator &whole = *known.instruction;
  IRBuilder<> builder(&whole);
  Type *half = builder.getInt32Ty();
  auto half_of = [&](Value *value) {
    return builder.CreateTrunc(
        known.upper ? value : builder.CreateLShr(value, HALF), half);
  };
  Value *other = builder.CreateOr(half_of(whole.getOperand(0)),
                                  half_of(whole.getOperand(1)));
  Constant *ones = ConstantVector::getSplat(ElementCount::getFixed(2),
                                            Constant::getAllOnesValue(half));
  Value *halves =
      builder.CreateInsertElement(ones, other, uint64_t(known.upper ? 0 : 1));
  whole.replaceAllUsesWith(builder.CreateBitCast(halves, whole.getType()));
  whole.eraseFromParent();
}

} // namespace

PreservedAnalyses split_ors(Function &function, FunctionAnalysisManager &) {
  SmallVector<Known> found;
  for (Instruction &instruction : instructions(function))
    if (std::optional<Known> known =
            known_half(instruction, function.getDataLayout()))
      found.push_back(*known);
  for (const Known &known : found)
    split(known);
  if (found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace gpuexec
