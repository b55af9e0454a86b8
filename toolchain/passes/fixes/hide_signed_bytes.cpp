//===-- toolchain/passes/fixes/hide_signed_bytes.cpp - char parameters ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM loads a signed byte of a parameter or of a call's result with its sign:
// "ld.param.s8 %rs1", where %rs1 has 16 bits. ptxas (13.0, from -O1 on) extends
// the byte to 32 bits. Comparisons for equality, and extensions of the 16 bits
// by zeros, then use the upper half, too: (char)0x87 differs from itself. ptxas
// translates loads of other memory, and "ld.param.b8" with a cvt after it,
// rightly. So this pass moves the byte through a mov that LLVM cannot see
// through, so that it extends the byte after the mov.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace {

/// Is the byte only stored or extended by zeros, so that its sign is not used?
bool is_plain(const Value &byte) {
  return all_of(byte.users(), [&](const User *user) {
    const auto *store = dyn_cast<StoreInst>(user);
    return isa<ZExtInst>(user) || (store && store->getValueOperand() == &byte);
  });
}

/// Does the instruction read a parameter or the result of a call?
bool is_passed(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction)) {
    const auto *argument =
        dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand()));
    return argument && argument->hasByValAttr();
  }
  if (const auto *part = dyn_cast<ExtractValueInst>(&instruction))
    return isa<CallBase>(part->getAggregateOperand());
  return false;
}

/// Adds the mov before an instruction, and replaces the byte by its result.
void hide(Value &byte, Instruction &before) {
  IRBuilder<> builder(&before);
  Type *word = builder.getInt16Ty();
  auto *move =
      InlineAsm::get(FunctionType::get(word, {word}, false), "mov.b16 $0, $1;",
                     "=h,h", /*hasSideEffects=*/false);
  Value *extended = builder.CreateZExt(&byte, word);
  Value *hidden = builder.CreateTrunc(builder.CreateCall(move, {extended}),
                                      builder.getInt8Ty());
  byte.replaceUsesWithIf(hidden,
                         [&](Use &use) { return use.getUser() != extended; });
}

} // namespace

PreservedAnalyses gpuexec::hide_signed_bytes(Function &function,
                                             FunctionAnalysisManager &) {
  SmallVector<std::pair<Value *, Instruction *>> bytes;
  for (Argument &argument : function.args())
    if (argument.getType()->isIntegerTy(8)) {
      argument.removeAttr(Attribute::SExt); // LLVM would load it signed
      if (!is_plain(argument))
        bytes.emplace_back(&argument,
                           &*function.getEntryBlock().getFirstInsertionPt());
    }
  for (Instruction &instruction : instructions(function))
    if (instruction.getType()->isIntegerTy(8) && is_passed(instruction) &&
        !is_plain(instruction))
      bytes.emplace_back(&instruction, instruction.getNextNode());
  for (const auto &[byte, before] : bytes)
    hide(*byte, *before);
  return bytes.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
