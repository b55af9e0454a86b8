//===-- toolchain/passes/fixes/keep_float_bits.cpp - Bytes of floats ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX lets a store write the lowest bytes of a wider register: "st.b8 [p], %r".
// If the register has the result of floating-point arithmetic, ptxas (13.0)
// stores this number converted to an integer of 8 bits: 2 for 2.5f. LLVM gives
// registers no types since LLVM 21, and stores the lowest bytes of one for
// bytes of a number that a program takes apart (of a union, or by memcpy), and
// for a number at an address that is less aligned than its size. This pass
// moves such a number into another register by a mov that LLVM cannot see
// through. ptxas takes what a mov gives for bits.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace {

/// The integer that a register of `type` holds; null if no register has it.
IntegerType *register_of(Type *type, const DataLayout &layout) {
  if (!type->isFPOrFPVectorTy())
    return nullptr;
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  return bits == 16 || bits == 32 || bits == 64
             ? IntegerType::get(type->getContext(), (unsigned)bits)
             : nullptr;
}

/// The bits of a floating-point number in another register.
Value *move_bits(IRBuilder<> &builder, Value *number, IntegerType *bits) {
  const unsigned width = bits->getBitWidth();
  const char *constraints = width == 16   ? "=h,h"
                            : width == 32 ? "=r,r"
                                          : "=l,l";
  auto *move = InlineAsm::get(FunctionType::get(bits, {bits}, false),
                              ("mov.b" + Twine(width) + " $0, $1;").str(),
                              constraints, /*hasSideEffects=*/false);
  return builder.CreateCall(move, {builder.CreateBitCast(number, bits)});
}

/// Is the value only compared or shifted, or stored as a whole? What
/// is left of other operations, when LLVM has asked which bits are needed, may
/// be the value's lowest bytes.
bool is_kept_whole(const Value &bits, const DataLayout &layout) {
  return all_of(bits.users(), [&](const User *user) {
    auto *store = dyn_cast<StoreInst>(user);
    return isa<CmpInst>(user) ||
           (isa<BinaryOperator>(user) &&
            cast<BinaryOperator>(user)->isShift()) ||
           (store && store->getValueOperand() == &bits &&
            store->getAlign().value() >=
                layout.getTypeStoreSize(bits.getType()));
  });
}

bool hide(BitCastInst &cast, const DataLayout &layout) {
  IntegerType *bits = register_of(cast.getSrcTy(), layout);
  if (!bits || !cast.getDestTy()->isIntOrIntVectorTy() ||
      isa<Constant>(cast.getOperand(0)) || is_kept_whole(cast, layout))
    return false;
  IRBuilder<> builder(&cast);
  Value *moved = move_bits(builder, cast.getOperand(0), bits);
  cast.replaceAllUsesWith(builder.CreateBitCast(moved, cast.getDestTy()));
  return true;
}

bool hide(StoreInst &store, const DataLayout &layout) {
  Value *number = store.getValueOperand();
  IntegerType *bits = register_of(number->getType(), layout);
  if (!bits || isa<Constant>(number) ||
      store.getAlign().value() >= bits->getBitWidth() / 8)
    return false;
  IRBuilder<> builder(&store);
  store.setOperand(0, move_bits(builder, number, bits));
  return true;
}

} // namespace

PreservedAnalyses gpuexec::keep_float_bits(Function &function,
                                           FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *cast = dyn_cast<BitCastInst>(&instruction)) {
      if (hide(*cast, layout)) {
        cast->eraseFromParent();
        changed = true;
      }
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      changed |= hide(*store, layout);
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
