//===-- emulator/ptx/host/bfloat.cpp - See bfloat.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/host/bfloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuexec::ptx::host {

/// To the nearest, ties to even; a NaN becomes a quiet one.
static Value *rounded(IRBuilder<> &ir, Value *value, llvm::Type *to) {
  llvm::Type *words = value->getType()->getWithNewType(ir.getInt32Ty());
  llvm::Type *halves = to->getWithNewType(ir.getInt16Ty());
  Value *bits = ir.CreateBitCast(value, words);
  Value *upper = ir.CreateLShr(bits, 16);
  Value *odd = ir.CreateAnd(upper, 1);
  Value *up =
      ir.CreateAdd(bits, ir.CreateAdd(odd, ConstantInt::get(words, 0x7fff)));
  Value *result =
      ir.CreateSelect(ir.CreateFCmpUNO(value, value), ir.CreateOr(upper, 0x40),
                      ir.CreateLShr(up, 16));
  return ir.CreateBitCast(ir.CreateTrunc(result, halves), to);
}

void expand_bfloat_roundings(llvm::Module &module) {
  for (Function &function : module)
    for (Instruction &each : make_early_inc_range(instructions(function))) {
      llvm::Type *to = each.getType();
      if (!isa<FPTruncInst>(each) || !to->getScalarType()->isBFloatTy() ||
          !each.getOperand(0)->getType()->getScalarType()->isFloatTy())
        continue;
      IRBuilder<> ir(&each);
      each.replaceAllUsesWith(rounded(ir, each.getOperand(0), to));
      each.eraseFromParent();
    }
}

} // namespace gpuexec::ptx::host
