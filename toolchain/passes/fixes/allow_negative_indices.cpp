//===-- toolchain/passes/fixes/allow_negative_indices.cpp - p[0 - n] ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C has no meaning for p[i - offset] where the difference is unsigned and the
// element is in front of p: the index is almost 2^64. Programs use it all the
// same, because addresses wrap around on every CPU; gcc and clang up to 19
// compile it as it is meant. Clang 20 marks the address "nuw": it is not below
// p. AMD's backend believes that of every address on its own, x86's hardly ever
// asks: a load of p[i - offset] moved in front of the store to p[0] gives what
// was there before. (snappy's decompressor copies overlapping bytes that way.)
// This pass takes the mark away where an index may be negative; that the
// address is in the same object ("inbounds") is kept. LLVM adds the mark again
// where it can tell that the index is not negative.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

PreservedAnalyses gpuexec::allow_negative_indices(Function &function,
                                                  FunctionAnalysisManager &) {
  const SimplifyQuery query(function.getDataLayout());
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *address = dyn_cast<GetElementPtrInst>(&instruction);
    if (!address || !address->hasNoUnsignedWrap() ||
        all_of(address->indices(), [&](const Value *index) {
          return isKnownNonNegative(index, query);
        }))
      continue;
    address->setNoWrapFlags(address->getNoWrapFlags().withoutNoUnsignedWrap());
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
