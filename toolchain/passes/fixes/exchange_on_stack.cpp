//===-- toolchain/passes/fixes/exchange_on_stack.cpp - Own variables ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX has no atomic instructions for a thread's own memory. LLVM 22's NVPTX
// backend replaces read-modify-writes of variables on the stack by loads and
// stores, but not compare-and-exchange, and ptxas refuses what it then writes
// ('State space incorrect for instruction atom'). This pass replaces these. No
// other thread sees such a variable: those whose address leaves the thread are
// not on the stack any more (share_variables).
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

/// Is each object that the pointer may point to a variable on the stack?
static bool is_on_stack(const Value *pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
  return all_of(objects,
                [](const Value *object) { return isa<AllocaInst>(object); });
}

PreservedAnalyses gpuexec::exchange_on_stack(Function &function,
                                             FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
        exchange && is_on_stack(exchange->getPointerOperand()))
      changed |= lowerAtomicCmpXchgInst(exchange);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
