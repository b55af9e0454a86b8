//===-- emulator/ptx/lower/conversion.cpp - cvt ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between integers, between floating-point numbers, and from one to the other.
// What hardware cannot round itself, the device library encodes from a double
// (emulator/ptx/device/rounding.c), which holds every narrower number.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// The numbers of formats in emulator/ptx/device/rounding.c.
enum Format { F16, BF16, TF32, E4M3, E5M2, F32, F64 };

Format format_of(Type type) {
  switch (type) {
  case Type::f16:
  case Type::f16x2:
    return F16;
  case Type::bf16:
  case Type::bf16x2:
    return BF16;
  case Type::tf32:
    return TF32;
  case Type::e4m3:
  case Type::e4m3x2:
    return E4M3;
  case Type::e5m2:
  case Type::e5m2x2:
    return E5M2;
  case Type::f64:
    return F64;
  default:
    return F32;
  }
}

bool eight_bits(Type type) {
  return format_of(type) == E4M3 || format_of(type) == E5M2;
}

/// The bits of `value` (float or double) in `format`, as the integer `bits`.
Value *encode(Emitter &e, const Instruction &i, Value *value, Format format,
              unsigned bits) {
  if (i.has("relu")) {
    Value *zero = ConstantFP::get(value->getType(), 0.0);
    value = e.ir.CreateSelect(e.ir.CreateFCmpOLE(value, zero), zero, value);
  }
  if (!value->getType()->isDoubleTy())
    value = e.ir.CreateFPExt(value, e.ir.getDoubleTy());
  bool finite = i.has("satfinite");
  Value *coded = e.call("__gpuexec_ptx_encode", e.ir.getInt64Ty(),
                        {value, e.ir.getInt32(format),
                         e.ir.getInt32(rounding_of(i)), e.ir.getInt32(finite)});
  return e.ir.CreateTrunc(coded, e.ir.getIntNTy(bits));
}

/// To the integer that .rni, .rzi, .rmi or .rpi says, as a float still.
Value *to_integral(Emitter &e, const Instruction &i, Value *value) {
  Intrinsic::ID id = i.has("rni")   ? Intrinsic::roundeven
                     : i.has("rmi") ? Intrinsic::floor
                     : i.has("rpi") ? Intrinsic::ceil
                     : i.has("rzi") ? Intrinsic::trunc
                                    : Intrinsic::not_intrinsic;
  if (id == Intrinsic::not_intrinsic)
    return value;
  return e.intrinsic(id, {value->getType()}, {value});
}

Value *read_float(Emitter &e, const Instruction &i, const Operand &operand,
                  Type type) {
  Value *value = e.read(operand, type);
  if (type == Type::f32 && i.has("ftz"))
    value = flush_subnormals(e, value);
  return widen_bfloat(e, value);
}

/// Rounds `value` (half, float or double) to one element of type `to`.
Value *to_float(Emitter &e, const Instruction &i, Value *value, Type to) {
  Format format = format_of(to);
  llvm::Type *from = value->getType();
  llvm::Type *element = format == F16    ? e.ir.getHalfTy()
                        : format == BF16 ? e.ir.getBFloatTy()
                        : format == F64  ? e.ir.getDoubleTy()
                                         : e.ir.getFloatTy();
  unsigned bits = element->getPrimitiveSizeInBits();
  bool exact = from->getPrimitiveSizeInBits() <= bits && format != BF16;
  bool plain = rounding_of(i) == TO_NEAREST && !i.has("satfinite") &&
               !i.has("relu") && !(format == BF16 && from->isDoubleTy());
  if (from == element)
    return value;
  if (exact)
    return e.ir.CreateFPExt(value, element);
  if (!plain)
    return e.ir.CreateBitCast(encode(e, i, value, format, bits), element);
  if (from->isHalfTy()) // to bf16
    value = e.ir.CreateFPExt(value, e.ir.getFloatTy());
  return canonical_nan(e, e.ir.CreateFPTrunc(value, element));
}

void write_float(Emitter &e, const Instruction &i, Value *value, Type to) {
  if (to == Type::f32 && i.has("ftz"))
    value = flush_subnormals(e, value);
  if (i.has("sat"))
    value = clamp_to_one(e, value);
  e.write(i.operands[0], value, to);
}

void float_to_float(Emitter &e, const Instruction &i, Type to, Type from) {
  Value *value = read_float(e, i, i.operands[1], from);
  if (to == from && (to == Type::bf16 || to == Type::bf16x2))
    value = narrow_bfloat(e, to_integral(e, i, value), e.type(to));
  else
    value = to_float(e, i, to_integral(e, i, value), to);
  write_float(e, i, value, to);
}

void float_to_integer(Emitter &e, const Instruction &i, Type to, Type from) {
  Value *value = read_float(e, i, i.operands[1], from);
  if (value->getType()->isHalfTy())
    value = e.ir.CreateFPExt(value, e.ir.getFloatTy());
  Value *whole = to_integral(e, i, value);
  llvm::Type *int_type = e.type(to);
  Intrinsic::ID id =
      is_signed(to) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Value *result = e.intrinsic(id, {int_type, whole->getType()}, {whole});
  // NaN is 0 where both are narrow, else the highest bit alone.
  if (from == Type::f64 || bits_of(to) == 64)
    result = e.ir.CreateSelect(
        e.ir.CreateFCmpUNO(value, value),
        ConstantInt::get(int_type, APInt::getSignMask(bits_of(to))), result);
  e.write(i.operands[0], result, to);
}

void integer_to_float(Emitter &e, const Instruction &i, Type to, Type from) {
  Value *value = e.read(i.operands[1], from);
  bool with_sign = is_signed(from);
  llvm::Type *element = e.type(to);
  if (rounding_of(i) == TO_NEAREST && to != Type::bf16) {
    value = with_sign ? e.ir.CreateSIToFP(value, element)
                      : e.ir.CreateUIToFP(value, element);
    return write_float(e, i, value, to);
  }
  llvm::Type *wide = e.ir.getInt64Ty();
  value =
      with_sign ? e.ir.CreateSExt(value, wide) : e.ir.CreateZExt(value, wide);
  Value *negative = with_sign
                        ? e.ir.CreateICmpSLT(value, ConstantInt::get(wide, 0))
                        : e.ir.getFalse();
  value = e.ir.CreateSelect(negative, e.ir.CreateNeg(value), value);
  Value *coded =
      e.call("__gpuexec_ptx_encode_integer", wide,
             {value, e.ir.CreateZExt(negative, e.ir.getInt32Ty()),
              e.ir.getInt32(format_of(to)), e.ir.getInt32(rounding_of(i))});
  unsigned bits = bits_of(to);
  coded = e.ir.CreateTrunc(coded, e.ir.getIntNTy(bits));
  write_float(e, i, e.ir.CreateBitCast(coded, element), to);
}

/// `value` of type `from` clamped to what `to` holds; still as wide.
Value *saturate(Emitter &e, Value *value, Type to, Type from) {
  llvm::Type *type = value->getType();
  unsigned bits = bits_of(from), into = bits_of(to);
  auto limit = [&](Intrinsic::ID id, APInt most) {
    value = e.intrinsic(id, {type}, {value, ConstantInt::get(type, most)});
  };
  if (is_signed(from) && is_signed(to)) {
    if (into < bits) {
      limit(Intrinsic::smin, APInt::getSignedMaxValue(into).sext(bits));
      limit(Intrinsic::smax, APInt::getSignedMinValue(into).sext(bits));
    }
    return value;
  }
  if (is_signed(from))
    limit(Intrinsic::smax, APInt::getZero(bits));
  unsigned kept = is_signed(to) ? into - 1 : into;
  if (kept < bits)
    limit(Intrinsic::umin, APInt::getLowBitsSet(bits, kept));
  return value;
}

void integer_to_integer(Emitter &e, const Instruction &i, Type to, Type from) {
  Value *value = e.read(i.operands[1], from);
  if (i.has("sat"))
    value = saturate(e, value, to, from);
  bool by_sign = is_signed(from);
  value = by_sign ? e.ir.CreateSExtOrTrunc(value, e.type(to))
                  : e.ir.CreateZExtOrTrunc(value, e.type(to));
  e.write(i.operands[0], value, to);
}

/// Two numbers into one register: the first operand is the upper half.
void pack_floats(Emitter &e, const Instruction &i, Type to, Type from) {
  Format format = format_of(to);
  unsigned bits = eight_bits(to) ? 8 : 16;
  llvm::Type *whole = e.ir.getIntNTy(2 * bits);
  auto half = [&](unsigned n) {
    Value *value = read_float(e, i, i.operands[n], from);
    Value *coded = eight_bits(to)
                       ? encode(e, i, value, format, bits)
                       : e.ir.CreateBitCast(to_float(e, i, value, to),
                                            e.ir.getIntNTy(bits));
    return e.ir.CreateZExt(coded, whole);
  };
  Value *upper = half(1), *lower = half(2);
  e.write(i.operands[0], e.ir.CreateOr(e.ir.CreateShl(upper, bits), lower),
          eight_bits(to) ? Type::b16 : Type::b32);
}

/// e4m3x2 or e5m2x2 from a pair of halves.
void narrow_pair(Emitter &e, const Instruction &i, Type to, Type from) {
  Value *pair = e.read(i.operands[1], from);
  Value *result = e.ir.getInt16(0);
  for (unsigned n = 0; n < 2; ++n) {
    Value *one =
        e.ir.CreateFPExt(e.ir.CreateExtractElement(pair, n), e.ir.getFloatTy());
    Value *coded = encode(e, i, one, format_of(to), 8);
    result = e.ir.CreateOr(
        result,
        e.ir.CreateShl(e.ir.CreateZExt(coded, e.ir.getInt16Ty()), 8 * n));
  }
  e.write(i.operands[0], result, Type::b16);
}

/// A pair of halves from e4m3x2 or e5m2x2.
void widen_pair(Emitter &e, const Instruction &i, Type to, Type from) {
  Value *pair = e.read(i.operands[1], Type::b16);
  Value *result = e.ir.getInt32(0);
  for (unsigned n = 0; n < 2; ++n) {
    Value *code = e.ir.CreateAnd(e.ir.CreateLShr(pair, 8 * n), 0xff);
    Value *half = e.call("__gpuexec_ptx_decode8", e.ir.getInt32Ty(),
                         {e.ir.CreateZExt(code, e.ir.getInt32Ty()),
                          e.ir.getInt32(format_of(from))});
    if (i.has("relu")) { // a NaN's sign is clear already
      Value *negative =
          e.ir.CreateICmpNE(e.ir.CreateAnd(half, 0x8000), e.ir.getInt32(0));
      half = e.ir.CreateSelect(negative, e.ir.getInt32(0), half);
    }
    result = e.ir.CreateOr(result, e.ir.CreateShl(half, 16 * n));
  }
  e.write(i.operands[0], result, to);
}

/// Whether it is one number that cvt knows.
bool is_single(Type type) {
  return is_contained({Type::f16, Type::bf16, Type::f32, Type::f64, Type::u8,
                       Type::u16, Type::u32, Type::u64, Type::b8, Type::b16,
                       Type::b32, Type::b64},
                      type) ||
         is_signed(type);
}

/// cvt.pack: two integers saturated into d's low part, c's bits above them.
void pack_integers(Emitter &e, const Instruction &i) {
  Type narrow = i.type(0), from = i.type(1);
  if (i.operands.size() < 3 || from != Type::s32 || !is_single(narrow) ||
      is_floating(narrow) || bits_of(narrow) > 16)
    return e.fail(i, "an unknown form of cvt.pack");
  unsigned bits = bits_of(narrow);
  Value *mask = e.ir.getInt32((1u << bits) - 1);
  auto half = [&](unsigned n) {
    Value *value = saturate(e, e.read(i.operands[n], from), narrow, from);
    return e.ir.CreateAnd(value, mask);
  };
  Value *result = e.ir.CreateOr(e.ir.CreateShl(half(1), bits), half(2));
  if (i.operands.size() > 3)
    result = e.ir.CreateOr(
        result, e.ir.CreateShl(e.read(i.operands[3], Type::b32), 2 * bits));
  e.write(i.operands[0], result, Type::b32);
}

void convert(Emitter &e, const Instruction &i) {
  Type to = i.type(0), from = i.type(1);
  if (i.has("pack"))
    return pack_integers(e, i);
  if (from == Type::none)
    return e.fail(i, "two types are needed");
  if (i.has("rs") || i.has("scaled"))
    return e.fail(i, "stochastic rounding and scales are not there");
  if (to == Type::tf32 && from != Type::f32)
    return e.fail(i, "from f32 only");
  if (to == Type::tf32)
    return e.write(
        i.operands[0],
        encode(e, i, read_float(e, i, i.operands[1], from), TF32, 32),
        Type::b32);
  bool to_pair = eight_bits(to) || to == Type::f16x2 || to == Type::bf16x2;
  if (i.operands.size() == 3 && from == Type::f32 && to_pair)
    return pack_floats(e, i, to, from);
  if (eight_bits(to) && from == Type::f16x2)
    return narrow_pair(e, i, to, from);
  if (eight_bits(from) && to == Type::f16x2)
    return widen_pair(e, i, to, from);
  if (!is_single(to) || !is_single(from) || i.operands.size() > 2)
    return e.fail(i, "an unknown pair of types");
  bool from_float = is_floating(from), to_float = is_floating(to);
  if (from_float && to_float)
    return float_to_float(e, i, to, from);
  if (from_float)
    return float_to_integer(e, i, to, from);
  if (to_float)
    return integer_to_float(e, i, to, from);
  integer_to_integer(e, i, to, from);
}

} // namespace

bool lower_conversion(Emitter &e, const Instruction &i) {
  if (i.opcode != "cvt")
    return false;
  if (i.operands.size() < 2)
    e.fail(i, "too few operands");
  else
    convert(e, i);
  return true;
}

} // namespace gpuexec::ptx
