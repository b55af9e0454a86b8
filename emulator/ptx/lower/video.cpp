//===-- emulator/ptx/lower/video.cpp - Numbers of 8 and 16 bits in a word -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4 and those that end with 2. A
// selection of bytes (a.b0123) or a mask of the result is not there.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// The lanes of a word as a vector of 32-bit numbers.
Value *lanes_of(Emitter &e, const Operand &operand, Type type, unsigned count) {
  Value *word = e.read(operand, Type::b32);
  Value *lanes = e.ir.CreateBitCast(
      word, FixedVectorType::get(e.ir.getIntNTy(32 / count), count));
  llvm::Type *wide = FixedVectorType::get(e.ir.getInt32Ty(), count);
  return is_signed(type) ? e.ir.CreateSExt(lanes, wide)
                         : e.ir.CreateZExt(lanes, wide);
}

Value *splat(Emitter &e, unsigned count, int32_t value) {
  return ConstantVector::getSplat(ElementCount::getFixed(count),
                                  e.ir.getInt32(uint32_t(value)));
}

Value *clamp_lanes(Emitter &e, Value *lanes, Type type, unsigned count) {
  const unsigned bits = 32 / count;
  const int32_t least = is_signed(type) ? -(1 << (bits - 1)) : 0;
  const int32_t greatest =
      is_signed(type) ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  Value *low = e.intrinsic(Intrinsic::smax, {lanes->getType()},
                           {lanes, splat(e, count, least)});
  return e.intrinsic(Intrinsic::smin, {lanes->getType()},
                     {low, splat(e, count, greatest)});
}

/// The operation on lanes; null for a name that is none.
Value *combine(Emitter &e, StringRef name, Value *a, Value *b, unsigned count) {
  llvm::Type *type = a->getType();
  if (name == "vadd")
    return e.ir.CreateAdd(a, b);
  if (name == "vsub")
    return e.ir.CreateSub(a, b);
  if (name == "vavrg") // rounded up
    return e.ir.CreateAShr(
        e.ir.CreateAdd(e.ir.CreateAdd(a, b), splat(e, count, 1)), 1);
  if (name == "vabsdiff")
    return e.intrinsic(Intrinsic::abs, {type},
                       {e.ir.CreateSub(a, b), e.ir.getFalse()});
  if (name == "vmin")
    return e.intrinsic(Intrinsic::smin, {type}, {a, b});
  if (name == "vmax")
    return e.intrinsic(Intrinsic::smax, {type}, {a, b});
  return nullptr;
}

} // namespace

bool lower_video(Emitter &e, const Instruction &i) {
  if (i.opcode.size() < 2 || i.opcode[0] != 'v' ||
      (i.opcode.back() != '2' && i.opcode.back() != '4'))
    return false;
  const unsigned count = unsigned(i.opcode.back() - '0');
  if (i.operands.size() < 3 || i.type(2) == Type::none) {
    e.fail(i, "three types and operands expected");
    return true;
  }
  for (const Operand &operand : i.operands)
    if (operand.component) {
      e.fail(i, "selections of bytes are not supported");
      return true;
    }
  Value *lanes = combine(e, i.opcode.drop_back(),
                         lanes_of(e, i.operands[1], i.type(1), count),
                         lanes_of(e, i.operands[2], i.type(2), count), count);
  if (!lanes)
    return false;
  if (i.has("sat"))
    lanes = clamp_lanes(e, lanes, i.type(), count);
  if (i.has("add") && i.operands.size() > 3) {
    Value *sum =
        e.intrinsic(Intrinsic::vector_reduce_add, {lanes->getType()}, {lanes});
    sum = e.ir.CreateAdd(sum, e.read(i.operands[3], Type::b32));
    e.write(i.operands[0], sum, Type::b32);
    return true;
  }
  Value *packed = e.ir.CreateTrunc(
      lanes, FixedVectorType::get(e.ir.getIntNTy(32 / count), count));
  e.write(i.operands[0], e.ir.CreateBitCast(packed, e.ir.getInt32Ty()),
          Type::b32);
  return true;
}

} // namespace gpuexec::ptx
