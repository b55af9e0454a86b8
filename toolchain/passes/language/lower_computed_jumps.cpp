//===-- toolchain/passes/language/lower_computed_jumps.cpp - goto *address ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GNU C has computed goto (goto *address), which many interpreters use. LLVM's
// backends for GPUs lack the jump and crash. This pass numbers the labels from
// 1 and replaces the jump by a switch over the numbers. A label's address is
// its number as a pointer, so it is never null.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {

PreservedAnalyses lower_computed_jumps(Function &function,
                                       FunctionAnalysisManager &) {
  SmallVector<IndirectBrInst *> jumps;
  for (BasicBlock &block : function)
    if (auto *jump = dyn_cast<IndirectBrInst>(block.getTerminator()))
      jumps.push_back(jump);
  if (jumps.empty())
    return PreservedAnalyses::all();

  auto *address_type = Type::getInt64Ty(function.getContext());
  // 32 bits, because AMD's scalar units compare 64 bits only for equality.
  auto *number = Type::getInt32Ty(function.getContext());
  DenseMap<BasicBlock *, ConstantInt *> numbers;
  for (BasicBlock &block : function) {
    if (!block.hasAddressTaken())
      continue;
    BlockAddress *address = BlockAddress::lookup(&block);
    if (!address)
      continue;
    auto *value =
        cast<ConstantInt>(ConstantInt::get(number, numbers.size() + 1));
    numbers[&block] = value;
    address->replaceAllUsesWith(ConstantExpr::getIntToPtr(
        ConstantInt::get(address_type, value->getZExtValue()),
        address->getType()));
  }

  for (IndirectBrInst *jump : jumps) {
    IRBuilder<> builder(jump);
    BasicBlock *from = jump->getParent();
    auto *nowhere =
        BasicBlock::Create(function.getContext(), "nowhere", &function);
    new UnreachableInst(function.getContext(), nowhere);
    Value *wanted = builder.CreateTrunc(
        builder.CreatePtrToInt(jump->getAddress(), address_type), number);
    SwitchInst *choice = builder.CreateSwitch(wanted, nowhere);
    // A label may be listed more than once; its phis have a value for each.
    SmallPtrSet<BasicBlock *, 8> seen;
    for (BasicBlock *label : successors(jump)) {
      ConstantInt *value = numbers.lookup(label);
      if (value && seen.insert(label).second)
        choice->addCase(value, label);
      else
        label->removePredecessor(from, /*KeepOneInputPHIs=*/true);
    }
    jump->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace gpuexec
