//===-- emulator/ptx/lower/floating.cpp - Floating-point arithmetic -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To the nearest rounds the GPU; other roundings are functions of the device
// library. f32 keeps subnormal numbers unless .ftz is there. bf16 is computed
// as f32, whose 24 bits are enough for one operation (not for fma).
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/arithmetic.h"
#include "emulator/ptx/lower/forms.h"
#include "emulator/ptx/lower/host.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

Value *operand(Emitter &e, const Instruction &i, unsigned n) {
  Value *value = e.read(i.operands[n], i.type());
  if (i.type() == Type::f32x2)
    value =
        e.ir.CreateBitCast(value, FixedVectorType::get(e.ir.getFloatTy(), 2));
  return flush_if_asked(e, i, value);
}

/// Writes a result: flushed and clamped as the modifiers say.
void result(Emitter &e, const Instruction &i, Value *value) {
  value = narrow_bfloat(e, value, [&]() -> llvm::Type * {
    if (i.type() == Type::f32x2)
      return value->getType();
    return e.type(i.type());
  }());
  value = flush_if_asked(e, i, value);
  if (i.has("sat"))
    value = clamp_to_one(e, value);
  if (i.type() == Type::f32x2)
    value = e.ir.CreateBitCast(value, e.ir.getInt64Ty());
  e.write(i.operands[0], value, i.type());
}

/// __gpuexec_ptx_NAME_TYPE(operands, rounding), for each element.
Value *rounded(Emitter &e, StringRef name, ArrayRef<Value *> operands,
               Rounding rounding) {
  return each_element(e, operands, [&](ArrayRef<Value *> one) {
    llvm::Type *type = one[0]->getType();
    SmallVector<Value *, 4> arguments(one);
    arguments.push_back(e.ir.getInt32(rounding));
    return e.call(("__gpuexec_ptx_" + name + "_" + suffix_of(type)).str(), type,
                  arguments);
  });
}

void add_or_multiply(Emitter &e, const Instruction &i) {
  Value *a = widen_bfloat(e, operand(e, i, 1));
  Value *b = widen_bfloat(e, operand(e, i, 2));
  Rounding rounding = rounding_of(i);
  if (i.opcode == "sub" && rounding != TO_NEAREST)
    b = e.ir.CreateFNeg(b);
  if (rounding != TO_NEAREST)
    return result(
        e, i, rounded(e, i.opcode == "mul" ? "mul" : "add", {a, b}, rounding));
  result(e, i,
         i.opcode == "add"   ? e.ir.CreateFAdd(a, b)
         : i.opcode == "sub" ? e.ir.CreateFSub(a, b)
                             : e.ir.CreateFMul(a, b));
}

/// max(value, +0); NaN stays one.
Value *rectify(Emitter &e, Value *value) {
  Value *zero = ConstantFP::get(value->getType(), 0.0);
  return canonical_nan(
      e, e.ir.CreateSelect(e.ir.CreateFCmpOLE(value, zero), zero, value));
}

void fused_multiply_add(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1), *b = operand(e, i, 2), *c = operand(e, i, 3);
  Rounding rounding = rounding_of(i);
  bool by_library =
      rounding != TO_NEAREST || a->getType()->getScalarType()->isBFloatTy();
  Value *value = by_library
                     ? rounded(e, "fma", {a, b, c}, rounding)
                     : e.intrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
  if (i.has("relu"))
    value = rectify(e, value);
  result(e, i, value);
}

/// A division or square root whose result may be wrong by `ulps`.
Value *approximate(Emitter &e, Value *value, float ulps) {
  // The device library's functions give what the AMD GPU's code gives.
  if (is_host(e.module) && isa<BinaryOperator>(value)) {
    auto *division = cast<BinaryOperator>(value);
    return e.call("__gpuexec_ptx_div_approx_f32", value->getType(),
                  {division->getOperand(0), division->getOperand(1)});
  }
  if (is_host(e.module))
    return value;
  if (auto *made = dyn_cast<llvm::Instruction>(value))
    made->setMetadata(LLVMContext::MD_fpmath,
                      MDBuilder(e.ir.getContext()).createFPMath(ulps));
  return value;
}

/// The approximations of f64 have zeros in the low 32 bits.
Value *upper_half_only(Emitter &e, Value *value) {
  Value *bits = e.ir.CreateBitCast(value, e.ir.getInt64Ty());
  bits = e.ir.CreateAnd(bits, ~uint64_t(0xffffffff));
  return e.ir.CreateBitCast(bits, e.ir.getDoubleTy());
}

Value *divided(Emitter &e, const Instruction &i, Value *a, Value *b) {
  if (rounding_of(i) != TO_NEAREST)
    return rounded(e, "div", {a, b}, rounding_of(i));
  Value *quotient = e.ir.CreateFDiv(a, b);
  bool exact = i.has("rn") || a->getType()->isDoubleTy();
  return exact ? quotient : approximate(e, quotient, 2.5f);
}

void divide(Emitter &e, const Instruction &i) {
  result(e, i, divided(e, i, operand(e, i, 1), operand(e, i, 2)));
}

void reciprocal(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1);
  bool gross = i.type() == Type::f64 && i.has("approx");
  if (gross) // .ftz is a part of its name
    a = flush_subnormals(e, upper_half_only(e, a));
  Value *value;
  Value *one = ConstantFP::get(a->getType(), 1.0);
  if (rounding_of(i) != TO_NEAREST)
    value = rounded(e, "div", {one, a}, rounding_of(i));
  else
    value = e.ir.CreateFDiv(one, a);
  if (i.type() == Type::f32 && i.has("approx"))
    value = approximate(e, value, 1.0f);
  if (gross)
    value = upper_half_only(e, flush_subnormals(e, value));
  result(e, i, value);
}

void square_root(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1);
  if (rounding_of(i) != TO_NEAREST)
    return result(e, i, rounded(e, "sqrt", {a}, rounding_of(i)));
  Value *value = e.intrinsic(Intrinsic::sqrt, {a->getType()}, {a});
  if (i.has("approx"))
    approximate(e, value, 1.0f);
  result(e, i, value);
}

void reciprocal_square_root(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1);
  if (i.type() == Type::f32)
    return result(e, i, e.call("__gpuexec_ptx_rsqrt_f32", a->getType(), {a}));
  bool gross = i.has("ftz");
  if (gross)
    a = flush_subnormals(e, upper_half_only(e, a));
  Value *root = e.intrinsic(Intrinsic::sqrt, {a->getType()}, {a});
  Value *value = e.ir.CreateFDiv(ConstantFP::get(a->getType(), 1.0), root);
  result(e, i, gross ? upper_half_only(e, value) : value);
}

/// sin, cos, lg2, ex2, tanh: .approx only. Halves are computed as f32.
void transcendental(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1);
  llvm::Type *type = a->getType();
  if (i.type() == Type::f64)
    return e.fail(i, "not for f64");
  Value *value = each_element(e, {a}, [&](ArrayRef<Value *> one) {
    llvm::Type *single = e.ir.getFloatTy();
    Value *x =
        one[0]->getType() == single ? one[0] : e.ir.CreateFPExt(one[0], single);
    Value *y;
    if (is_host(e.module))
      y = e.call(("__gpuexec_ptx_" + i.opcode + "_f32").str(), single, {x});
    else if (i.opcode == "lg2")
      y = e.intrinsic(Intrinsic::log2, {single}, {x});
    else if (i.opcode == "ex2")
      y = e.intrinsic(Intrinsic::exp2, {single}, {x});
    else
      y = e.call(("__gpuexec_ptx_" + i.opcode + "_f32").str(), single, {x});
    return one[0]->getType() == single
               ? y
               : e.ir.CreateFPTrunc(y, one[0]->getType());
  });
  result(e, i,
         type->getScalarType()->isFloatTy() ? value : canonical_nan(e, value));
}

Value *sign_of_product(Emitter &e, Value *value, Value *a, Value *b) {
  llvm::Type *type = a->getType();
  unsigned bits = type->getScalarSizeInBits();
  llvm::Type *ints = e.ir.getIntNTy(bits);
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    ints = FixedVectorType::get(ints, vector->getNumElements());
  Value *sign =
      e.ir.CreateXor(e.ir.CreateBitCast(a, ints), e.ir.CreateBitCast(b, ints));
  return e.intrinsic(Intrinsic::copysign, {type},
                     {value, e.ir.CreateBitCast(sign, type)});
}

/// min and max: of two or three. -0 is less than +0; a NaN loses, or wins with
/// .NaN; the result of two NaNs is the canonical one.
void extreme(Emitter &e, const Instruction &i) {
  bool is_min = i.opcode == "min";
  Intrinsic::ID id =
      i.has("NaN") ? (is_min ? Intrinsic::minimum : Intrinsic::maximum)
                   : (is_min ? Intrinsic::minimumnum : Intrinsic::maximumnum);
  Value *a = widen_bfloat(e, operand(e, i, 1));
  Value *value = a;
  bool magnitudes = i.has("abs"); // of .xorsign.abs, or .abs
  llvm::Type *type = a->getType();
  if (magnitudes)
    value = e.intrinsic(Intrinsic::fabs, {type}, {value});
  for (unsigned n = 2; n < i.operands.size(); ++n) {
    Value *b = widen_bfloat(e, operand(e, i, n));
    Value *other = magnitudes ? e.intrinsic(Intrinsic::fabs, {type}, {b}) : b;
    value = e.intrinsic(id, {type}, {value, other});
    if (i.has("xorsign"))
      value = sign_of_product(e, value, a, b);
  }
  llvm::Type *narrow = i.type() == Type::f32x2 ? type : e.type(i.type());
  result(e, i, canonical_nan(e, narrow_bfloat(e, value, narrow)));
}

void absolute(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1);
  result(e, i,
         i.opcode == "neg" ? e.ir.CreateFNeg(a)
                           : e.intrinsic(Intrinsic::fabs, {a->getType()}, {a}));
}

/// The sign of the first, the magnitude of the second.
void copy_sign(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1), *b = operand(e, i, 2);
  result(e, i, e.intrinsic(Intrinsic::copysign, {a->getType()}, {b, a}));
}

const ArithmeticRow ROWS[] = {{"add", 3, add_or_multiply},
                              {"sub", 3, add_or_multiply},
                              {"mul", 3, add_or_multiply},
                              {"fma", 4, fused_multiply_add},
                              {"mad", 4, fused_multiply_add},
                              {"div", 3, divide},
                              {"rcp", 2, reciprocal},
                              {"sqrt", 2, square_root},
                              {"rsqrt", 2, reciprocal_square_root},
                              {"sin", 2, transcendental},
                              {"cos", 2, transcendental},
                              {"lg2", 2, transcendental},
                              {"ex2", 2, transcendental},
                              {"tanh", 2, transcendental},
                              {"abs", 2, absolute},
                              {"neg", 2, absolute},
                              {"min", 3, extreme},
                              {"max", 3, extreme},
                              {"copysign", 3, copy_sign}};

} // namespace

ArrayRef<ArithmeticRow> floating_arithmetic() { return ROWS; }

} // namespace gpuexec::ptx
