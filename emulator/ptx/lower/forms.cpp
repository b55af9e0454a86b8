//===-- emulator/ptx/lower/forms.cpp - What instructions share ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "emulator/ptx/lower/host.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace gpuexec::ptx {

Rounding rounding_of(const Instruction &i) {
  if (i.has("rz"))
    return TO_ZERO;
  if (i.has("rm"))
    return DOWN;
  if (i.has("rp"))
    return UP;
  if (i.has("rna"))
    return TIES_AWAY;
  return TO_NEAREST;
}

Value *as_pair(Emitter &e, Value *value, Type type) {
  if (type != Type::s16x2 && type != Type::u16x2)
    return value;
  return e.ir.CreateBitCast(value, FixedVectorType::get(e.ir.getInt16Ty(), 2));
}

Value *flush_subnormals(Emitter &e, Value *value) {
  llvm::Type *type = value->getType();
  const fltSemantics &format = type->getScalarType()->getFltSemantics();
  Value *smallest =
      ConstantFP::get(type, APFloat::getSmallestNormalized(format));
  Value *magnitude = e.intrinsic(Intrinsic::fabs, {type}, {value});
  Value *zero =
      e.intrinsic(Intrinsic::copysign, {type},
                  {ConstantFP::get(type, APFloat::getZero(format)), value});
  return e.ir.CreateSelect(e.ir.CreateFCmpOLT(magnitude, smallest), zero,
                           value);
}

Value *flush_if_asked(Emitter &e, const Instruction &i, Value *value) {
  llvm::Type *scalar = value->getType()->getScalarType();
  bool can = scalar->isFloatTy() || scalar->isHalfTy();
  return can && i.has("ftz") ? flush_subnormals(e, value) : value;
}

Value *clamp_to_one(Emitter &e, Value *value) {
  llvm::Type *type = value->getType();
  Value *zero = ConstantFP::get(type, 0.0), *one = ConstantFP::get(type, 1.0);
  Value *most = e.ir.CreateSelect(e.ir.CreateFCmpOLT(value, one), value, one);
  return e.ir.CreateSelect(e.ir.CreateFCmpOGT(value, zero), most, zero);
}

Value *canonical_nan(Emitter &e, Value *value) {
  llvm::Type *type = value->getType(), *scalar = type->getScalarType();
  if (scalar->isDoubleTy())
    return value;
  unsigned bits = scalar->getPrimitiveSizeInBits();
  APFloat nan(scalar->getFltSemantics(), APInt::getSignedMaxValue(bits));
  return e.ir.CreateSelect(e.ir.CreateFCmpUNO(value, value),
                           ConstantFP::get(type, nan), value);
}

static llvm::Type *with_scalar(llvm::Type *type, llvm::Type *scalar) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return FixedVectorType::get(scalar, vector->getNumElements());
  return scalar;
}

Value *widen_bfloat(Emitter &e, Value *value) {
  llvm::Type *type = value->getType();
  if (!type->getScalarType()->isBFloatTy())
    return value;
  return e.ir.CreateFPExt(value, with_scalar(type, e.ir.getFloatTy()));
}

Value *narrow_bfloat(Emitter &e, Value *value, llvm::Type *type) {
  if (value->getType() == type)
    return value;
  return canonical_nan(e, e.ir.CreateFPTrunc(value, type));
}

Value *each_element(Emitter &e, ArrayRef<Value *> operands,
                    function_ref<Value *(ArrayRef<Value *>)> make) {
  auto *vector = dyn_cast<FixedVectorType>(operands[0]->getType());
  if (!vector)
    return make(operands);
  Value *result = nullptr;
  for (unsigned n = 0; n < vector->getNumElements(); ++n) {
    SmallVector<Value *, 3> elements;
    for (Value *operand : operands)
      elements.push_back(isa<FixedVectorType>(operand->getType())
                             ? e.ir.CreateExtractElement(operand, n)
                             : operand);
    Value *one = make(elements);
    if (!result)
      result = PoisonValue::get(
          FixedVectorType::get(one->getType(), vector->getNumElements()));
    result = e.ir.CreateInsertElement(result, one, n);
  }
  return result;
}

StringRef suffix_of(llvm::Type *type) {
  if (type->isDoubleTy())
    return "f64";
  if (type->isFloatTy())
    return "f32";
  return type->isBFloatTy() ? "bf16" : "f16";
}

Value *lane_id(Emitter &e) {
  if (is_host(e.module))
    return host_number(e, host::LANE, e.ir.getInt32Ty());
  return e.intrinsic(Intrinsic::amdgcn_mbcnt_lo, {},
                     {e.ir.getInt32(~0u), e.ir.getInt32(0)});
}

Value *ballot(Emitter &e, Value *condition) {
  return e.intrinsic(Intrinsic::amdgcn_ballot, {e.ir.getInt32Ty()},
                     {condition});
}

} // namespace gpuexec::ptx
