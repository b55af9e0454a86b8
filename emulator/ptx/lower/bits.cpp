//===-- emulator/ptx/lower/bits.cpp - Logic, shifts, bit fields -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Amounts of shifts are clamped to the width where LLVM's would be undefined.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

void logic(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = e.read(i.operands[1], type), *b = e.read(i.operands[2], type);
  Value *result = i.opcode == "and"  ? e.ir.CreateAnd(a, b)
                  : i.opcode == "or" ? e.ir.CreateOr(a, b)
                                     : e.ir.CreateXor(a, b);
  e.write(i.operands[0], result, type);
}

void logic_not(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = e.read(i.operands[1], type);
  if (i.opcode == "not")
    return e.write(i.operands[0], e.ir.CreateNot(a), type);
  Value *zero = Constant::getNullValue(a->getType());
  e.write(i.operands[0],
          e.ir.CreateZExt(e.ir.CreateICmpEQ(a, zero), a->getType()), type);
}

/// Any function of three bits: bit `4a + 2b + c` of the table is its value.
void lop3(Emitter &e, const Instruction &i) {
  // lop3.BoolOp.b32 d|p, a, b, c, immLut, q;
  const Operand &d = i.operands[0];
  bool with_predicate = d.kind == Operand::Kind::pair;
  if (with_predicate && i.operands.size() < 6)
    return e.fail(i, "too few operands");
  Value *in[3];
  for (unsigned n = 0; n < 3; ++n)
    in[n] = e.read(i.operands[n + 1], Type::b32);
  uint64_t table = i.operands[4].integer;
  Value *result = e.ir.getInt32(0);
  for (unsigned term = 0; term < 8; ++term)
    if (table >> term & 1) {
      Value *product = nullptr;
      for (unsigned n = 0; n < 3; ++n) {
        Value *factor = term >> (2 - n) & 1 ? in[n] : e.ir.CreateNot(in[n]);
        product = product ? e.ir.CreateAnd(product, factor) : factor;
      }
      result = e.ir.CreateOr(result, product);
    }
  e.write(with_predicate ? d.parts[0] : d, result, Type::b32);
  if (!with_predicate)
    return;
  Value *any = e.ir.CreateICmpNE(result, e.ir.getInt32(0));
  Value *q = e.read(i.operands[5], Type::pred);
  e.write(d.parts[1],
          i.has("and") ? e.ir.CreateAnd(any, q) : e.ir.CreateOr(any, q),
          Type::pred);
}

void shift(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = e.read(i.operands[1], type);
  Value *amount = e.read(i.operands[2], Type::u32);
  unsigned bits = bits_of(type);
  bool arithmetic = i.opcode == "shr" && is_signed(type);
  Value *limit = e.ir.getInt32(bits - 1);
  Value *beyond = e.ir.CreateICmpUGT(amount, limit);
  Value *clamped = e.ir.CreateSelect(beyond, limit, amount);
  clamped = e.ir.CreateZExtOrTrunc(clamped, a->getType());
  Value *result = i.opcode == "shl" ? e.ir.CreateShl(a, clamped)
                  : arithmetic      ? e.ir.CreateAShr(a, clamped)
                                    : e.ir.CreateLShr(a, clamped);
  if (!arithmetic)
    result =
        e.ir.CreateSelect(beyond, Constant::getNullValue(a->getType()), result);
  e.write(i.operands[0], result, type);
}

/// shf: 32 bits of the 64 of b:a.
void funnel(Emitter &e, const Instruction &i) {
  Value *low = e.read(i.operands[1], Type::b32);
  Value *high = e.read(i.operands[2], Type::b32);
  Value *c = e.read(i.operands[3], Type::u32);
  Value *amount = i.has("clamp") ? e.intrinsic(Intrinsic::umin, {c->getType()},
                                               {c, e.ir.getInt32(32)})
                                 : e.ir.CreateAnd(c, 31);
  llvm::Type *wide = e.ir.getInt64Ty();
  Value *both = e.ir.CreateOr(e.ir.CreateShl(e.ir.CreateZExt(high, wide), 32),
                              e.ir.CreateZExt(low, wide));
  amount = e.ir.CreateZExt(amount, wide);
  Value *result = i.has("l") ? e.ir.CreateLShr(e.ir.CreateShl(both, amount), 32)
                             : e.ir.CreateLShr(both, amount);
  e.write(i.operands[0], e.ir.CreateTrunc(result, e.ir.getInt32Ty()),
          Type::b32);
}

/// A mask of `count` low bits in the type of `like`; `count` is i32.
Value *low_bits(Emitter &e, Value *count, llvm::Type *type) {
  unsigned bits = type->getIntegerBitWidth();
  Value *whole = e.ir.CreateICmpUGE(count, e.ir.getInt32(bits));
  Value *amount = e.ir.CreateZExtOrTrunc(
      e.ir.CreateSelect(whole, e.ir.getInt32(0), count), type);
  Value *one = ConstantInt::get(type, 1);
  Value *mask = e.ir.CreateSub(e.ir.CreateShl(one, amount), one);
  return e.ir.CreateSelect(whole, Constant::getAllOnesValue(type), mask);
}

/// `value << amount`, 0 for an amount of the width or more; `amount` is i32.
Value *shift_left(Emitter &e, Value *value, Value *amount) {
  llvm::Type *type = value->getType();
  Value *beyond =
      e.ir.CreateICmpUGE(amount, e.ir.getInt32(type->getIntegerBitWidth()));
  Value *inside = e.ir.CreateZExtOrTrunc(
      e.ir.CreateSelect(beyond, e.ir.getInt32(0), amount), type);
  return e.ir.CreateSelect(beyond, Constant::getNullValue(type),
                           e.ir.CreateShl(value, inside));
}

/// `value >> min(amount, width - 1)`, or 0 beyond if it is unsigned.
Value *shift_right(Emitter &e, Value *value, Value *amount, bool arithmetic) {
  llvm::Type *type = value->getType();
  Value *last = e.ir.getInt32(type->getIntegerBitWidth() - 1);
  Value *beyond = e.ir.CreateICmpUGT(amount, last);
  Value *inside =
      e.ir.CreateZExtOrTrunc(e.ir.CreateSelect(beyond, last, amount), type);
  if (arithmetic)
    return e.ir.CreateAShr(value, inside);
  return e.ir.CreateSelect(beyond, Constant::getNullValue(type),
                           e.ir.CreateLShr(value, inside));
}

Value *low_byte(Emitter &e, const Operand &operand) {
  return e.ir.CreateAnd(e.read(operand, Type::u32), 0xff);
}

/// A field of `length` bits from bit `position`; the sign is the field's
/// highest bit, or the value's where the field goes beyond it.
void extract_field(Emitter &e, const Instruction &i) {
  Type type = i.type();
  unsigned bits = bits_of(type);
  Value *a = e.read(i.operands[1], type);
  Value *position = low_byte(e, i.operands[2]);
  Value *length = low_byte(e, i.operands[3]);
  llvm::Type *int_type = a->getType();
  Value *mask = low_bits(e, length, int_type);
  Value *field =
      e.ir.CreateAnd(shift_right(e, a, position, is_signed(type)), mask);
  if (is_signed(type)) {
    // The last bit of the field, but no bit beyond the value's own last.
    Value *last =
        e.ir.CreateSub(e.ir.CreateAdd(position, length), e.ir.getInt32(1));
    last = e.intrinsic(Intrinsic::umin, {last->getType()},
                       {last, e.ir.getInt32(bits - 1)});
    Value *sign =
        e.ir.CreateTrunc(shift_right(e, a, last, false), e.ir.getInt1Ty());
    Value *empty = e.ir.CreateICmpEQ(length, e.ir.getInt32(0));
    sign = e.ir.CreateAnd(sign, e.ir.CreateNot(empty));
    field = e.ir.CreateSelect(sign, e.ir.CreateOr(field, e.ir.CreateNot(mask)),
                              field);
  }
  e.write(i.operands[0], field, type);
}

void insert_field(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = e.read(i.operands[1], type), *b = e.read(i.operands[2], type);
  Value *position = low_byte(e, i.operands[3]);
  Value *length = low_byte(e, i.operands[4]);
  Value *mask = shift_left(e, low_bits(e, length, a->getType()), position);
  Value *moved = shift_left(e, a, position);
  e.write(i.operands[0],
          e.ir.CreateOr(e.ir.CreateAnd(moved, mask),
                        e.ir.CreateAnd(b, e.ir.CreateNot(mask))),
          type);
}

/// The highest bit that differs from the sign; 0xffffffff if there is none.
void find_bit(Emitter &e, const Instruction &i) {
  Type type = i.type();
  unsigned bits = bits_of(type);
  Value *a = e.read(i.operands[1], type);
  llvm::Type *int_type = a->getType();
  if (is_signed(type))
    a = e.ir.CreateXor(
        a, e.ir.CreateAShr(a, ConstantInt::get(int_type, bits - 1)));
  Value *zeros = e.ir.CreateZExtOrTrunc(
      e.intrinsic(Intrinsic::ctlz, {int_type}, {a, e.ir.getFalse()}),
      e.ir.getInt32Ty());
  Value *found = i.has("shiftamt")
                     ? zeros
                     : e.ir.CreateSub(e.ir.getInt32(bits - 1), zeros);
  Value *none = e.ir.CreateICmpEQ(a, Constant::getNullValue(int_type));
  e.write(i.operands[0], e.ir.CreateSelect(none, e.ir.getInt32(~0u), found),
          Type::u32);
}

/// clz and popc (whose result has 32 bits) and brev.
void count_bits(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = e.read(i.operands[1], type);
  llvm::Type *int_type = a->getType();
  if (i.opcode == "brev")
    return e.write(i.operands[0],
                   e.intrinsic(Intrinsic::bitreverse, {int_type}, {a}), type);
  Value *count =
      i.opcode == "clz"
          ? e.intrinsic(Intrinsic::ctlz, {int_type}, {a, e.ir.getFalse()})
          : e.intrinsic(Intrinsic::ctpop, {int_type}, {a});
  e.write(i.operands[0], e.ir.CreateZExtOrTrunc(count, e.ir.getInt32Ty()),
          Type::u32);
}

/// The byte of the 8 of `bytes` that the low three bits of `selector` name.
Value *pick_byte(Emitter &e, Value *bytes, Value *selector) {
  Value *amount = e.ir.CreateShl(e.ir.CreateAnd(selector, 7), 3);
  Value *moved =
      e.ir.CreateLShr(bytes, e.ir.CreateZExt(amount, e.ir.getInt64Ty()));
  return e.ir.CreateAnd(e.ir.CreateTrunc(moved, e.ir.getInt32Ty()), 0xff);
}

/// What the named modes of prmt pick, for each value of c's two low bits.
const uint16_t *permutation(const Instruction &i) {
  static constexpr struct {
    const char *name;
    uint16_t selectors[4]; // a nibble for each byte, the lowest byte's first
  } MODES[] = {{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
               {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
               {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
               {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
               {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
               {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  for (const auto &mode : MODES)
    if (i.has(mode.name))
      return mode.selectors;
  return nullptr;
}

void permute(Emitter &e, const Instruction &i) {
  Value *a = e.read(i.operands[1], Type::b32);
  Value *b = e.read(i.operands[2], Type::b32);
  Value *c = e.read(i.operands[3], Type::b32);
  llvm::Type *wide = e.ir.getInt64Ty();
  Value *bytes = e.ir.CreateOr(e.ir.CreateShl(e.ir.CreateZExt(b, wide), 32),
                               e.ir.CreateZExt(a, wide));
  bool default_mode = true;
  if (const uint16_t *selectors = permutation(i)) {
    default_mode = false;
    Value *low = e.ir.CreateAnd(c, 3);
    c = e.ir.getInt32(selectors[0]);
    for (unsigned n = 1; n < 4; ++n)
      c = e.ir.CreateSelect(e.ir.CreateICmpEQ(low, e.ir.getInt32(n)),
                            e.ir.getInt32(selectors[n]), c);
  }
  Value *result = e.ir.getInt32(0);
  for (unsigned n = 0; n < 4; ++n) {
    Value *selector = e.ir.CreateLShr(c, 4 * n);
    Value *byte = pick_byte(e, bytes, selector);
    if (default_mode) { // bit 3 of a selector: the byte's sign, eight times
      Value *sign = e.ir.CreateAShr(e.ir.CreateShl(byte, 24), 31);
      Value *signs = e.ir.CreateAnd(sign, 0xff);
      Value *wanted =
          e.ir.CreateICmpNE(e.ir.CreateAnd(selector, 8), e.ir.getInt32(0));
      byte = e.ir.CreateSelect(wanted, signs, byte);
    }
    result = e.ir.CreateOr(result, e.ir.CreateShl(byte, 8 * n));
  }
  e.write(i.operands[0], result, Type::b32);
}

/// The n-th set bit from a base, up or down (a function of the library).
void find_nth(Emitter &e, const Instruction &i) {
  Value *result = e.call("__gpuexec_ptx_fns", e.ir.getInt32Ty(),
                         {e.read(i.operands[1], Type::b32),
                          e.read(i.operands[2], Type::b32),
                          e.read(i.operands[3], Type::s32)});
  e.write(i.operands[0], result, Type::b32);
}

void make_mask(Emitter &e, const Instruction &i) {
  Value *position = e.read(i.operands[1], Type::u32);
  Value *count = e.read(i.operands[2], Type::u32);
  if (i.has("clamp")) {
    Value *limit = e.ir.getInt32(32);
    llvm::Type *type = e.ir.getInt32Ty();
    position = e.intrinsic(Intrinsic::umin, {type}, {position, limit});
    count = e.intrinsic(Intrinsic::umin, {type}, {count, limit});
  } else {
    position = e.ir.CreateAnd(position, 31);
    count = e.ir.CreateAnd(count, 31);
  }
  e.write(i.operands[0],
          shift_left(e, low_bits(e, count, e.ir.getInt32Ty()), position),
          Type::b32);
}

/// szext: the low `b` bits of a, extended by zeros or by the sign.
void extend_field(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = e.read(i.operands[1], type);
  Value *count = e.read(i.operands[2], Type::u32);
  if (i.has("clamp"))
    count = e.intrinsic(Intrinsic::umin, {count->getType()},
                        {count, e.ir.getInt32(32)});
  else
    count = e.ir.CreateAnd(count, 31);
  Value *rest = e.ir.CreateSub(e.ir.getInt32(32), count);
  Value *result = shift_left(e, a, rest);
  result = shift_right(e, result, rest, is_signed(type));
  Value *empty = e.ir.CreateICmpEQ(count, e.ir.getInt32(0));
  result = e.ir.CreateSelect(empty, e.ir.getInt32(0), result);
  e.write(i.operands[0], result, type);
}

using Handler = void (*)(Emitter &, const Instruction &);

const struct {
  const char *opcode;
  size_t operands; ///< the fewest
  Handler emit;
} FAMILY[] = {{"and", 3, logic},         {"or", 3, logic},
              {"xor", 3, logic},         {"not", 2, logic_not},
              {"cnot", 2, logic_not},    {"lop3", 5, lop3},
              {"shl", 3, shift},         {"shr", 3, shift},
              {"shf", 4, funnel},        {"bfe", 4, extract_field},
              {"bfi", 5, insert_field},  {"bfind", 2, find_bit},
              {"clz", 2, count_bits},    {"popc", 2, count_bits},
              {"brev", 2, count_bits},   {"prmt", 4, permute},
              {"fns", 4, find_nth},      {"bmsk", 3, make_mask},
              {"szext", 3, extend_field}};

} // namespace

bool lower_bits(Emitter &e, const Instruction &i) {
  for (const auto &row : FAMILY)
    if (i.opcode == row.opcode) {
      if (i.operands.size() < row.operands)
        e.fail(i, "too few operands");
      else if (i.type() == Type::none || is_floating(i.type()))
        e.fail(i, "no type, or one of real numbers");
      else
        row.emit(e, i);
      return true;
    }
  return false;
}

} // namespace gpuexec::ptx
