//===-- emulator/ptx/lower/arithmetic.cpp - Arithmetic, integers' first ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The carry flag is a variable of the function like a register.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/arithmetic.h"
#include "emulator/ptx/lower/forms.h"
#include "emulator/ptx/lower/states.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// The function's carry flag; its variable is made when it is first used.
Value *carry_flag(Emitter &e) {
  if (!e.state.carry_flag)
    e.state.carry_flag = e.state.allocate(e.ir.getInt1Ty(), 1);
  return e.state.carry_flag;
}

Value *carry_in(Emitter &e, llvm::Type *type) {
  return e.ir.CreateZExt(e.ir.CreateLoad(e.ir.getInt1Ty(), carry_flag(e)),
                         type);
}

/// a + b + carry; the flag is written if `i` has .cc.
Value *add_with_carry(Emitter &e, const Instruction &i, Value *a, Value *b,
                      bool uses_carry) {
  llvm::Type *type = a->getType();
  Value *first = e.intrinsic(Intrinsic::uadd_with_overflow, {type}, {a, b});
  Value *sum = e.ir.CreateExtractValue(first, 0);
  Value *out = e.ir.CreateExtractValue(first, 1);
  if (uses_carry) {
    Value *second = e.intrinsic(Intrinsic::uadd_with_overflow, {type},
                                {sum, carry_in(e, type)});
    sum = e.ir.CreateExtractValue(second, 0);
    out = e.ir.CreateOr(out, e.ir.CreateExtractValue(second, 1));
  }
  if (i.has("cc"))
    e.ir.CreateStore(out, carry_flag(e));
  return sum;
}

/// a - b - borrow; the flag is the borrow.
Value *subtract_with_borrow(Emitter &e, const Instruction &i, Value *a,
                            Value *b, bool uses_borrow) {
  llvm::Type *type = a->getType();
  Value *first = e.intrinsic(Intrinsic::usub_with_overflow, {type}, {a, b});
  Value *difference = e.ir.CreateExtractValue(first, 0);
  Value *out = e.ir.CreateExtractValue(first, 1);
  if (uses_borrow) {
    Value *second = e.intrinsic(Intrinsic::usub_with_overflow, {type},
                                {difference, carry_in(e, type)});
    difference = e.ir.CreateExtractValue(second, 0);
    out = e.ir.CreateOr(out, e.ir.CreateExtractValue(second, 1));
  }
  if (i.has("cc"))
    e.ir.CreateStore(out, carry_flag(e));
  return difference;
}

bool signed_type(Type type) { return is_signed(type) || type == Type::s16x2; }

Value *operand(Emitter &e, const Instruction &i, unsigned n) {
  return as_pair(e, e.read(i.operands[n], i.type()), i.type());
}

void result(Emitter &e, const Instruction &i, Value *value) {
  if (value->getType()->isVectorTy())
    value = e.ir.CreateBitCast(value, e.ir.getInt32Ty());
  e.write(i.operands[0], value, i.type());
}

void add(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1), *b = operand(e, i, 2);
  if (i.has("sat"))
    return result(e, i,
                  e.intrinsic(Intrinsic::sadd_sat, {a->getType()}, {a, b}));
  bool carries = i.opcode == "addc";
  if (carries || i.has("cc"))
    return result(e, i, add_with_carry(e, i, a, b, carries));
  result(e, i, e.ir.CreateAdd(a, b));
}

void subtract(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1), *b = operand(e, i, 2);
  if (i.has("sat"))
    return result(e, i,
                  e.intrinsic(Intrinsic::ssub_sat, {a->getType()}, {a, b}));
  bool borrows = i.opcode == "subc";
  if (borrows || i.has("cc"))
    return result(e, i, subtract_with_borrow(e, i, a, b, borrows));
  result(e, i, e.ir.CreateSub(a, b));
}

Value *extend(Emitter &e, Value *value, llvm::Type *type, bool by_sign) {
  return by_sign ? e.ir.CreateSExt(value, type) : e.ir.CreateZExt(value, type);
}

Type twice_as_wide(Type type) {
  switch (type) {
  case Type::u16:
    return Type::u32;
  case Type::s16:
    return Type::s32;
  case Type::u32:
    return Type::u64;
  case Type::s32:
    return Type::s64;
  default:
    return Type::none;
  }
}

/// The product's low half, high half, or (.wide) all of it.
Value *product(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = operand(e, i, 1), *b = operand(e, i, 2);
  if (!i.has("hi") && !i.has("wide"))
    return e.ir.CreateMul(a, b);
  unsigned bits = bits_of(type);
  llvm::Type *wide = e.ir.getIntNTy(2 * bits);
  Value *all = e.ir.CreateMul(extend(e, a, wide, is_signed(type)),
                              extend(e, b, wide, is_signed(type)));
  if (i.has("wide"))
    return all;
  return e.ir.CreateTrunc(e.ir.CreateLShr(all, bits), a->getType());
}

void multiply(Emitter &e, const Instruction &i) {
  Type type = i.has("wide") ? twice_as_wide(i.type()) : i.type();
  if (type == Type::none)
    return e.fail(i, ".wide is for 16 and 32 bits");
  e.write(i.operands[0], product(e, i), type);
}

void multiply_add(Emitter &e, const Instruction &i) {
  Type type = i.has("wide") ? twice_as_wide(i.type()) : i.type();
  if (type == Type::none)
    return e.fail(i, ".wide is for 16 and 32 bits");
  Value *a = product(e, i), *c = e.read(i.operands[3], type);
  bool carries = i.opcode == "madc";
  Value *sum;
  if (i.has("sat"))
    sum = e.intrinsic(Intrinsic::sadd_sat, {a->getType()}, {a, c});
  else if (carries || i.has("cc"))
    sum = add_with_carry(e, i, a, c, carries);
  else
    sum = e.ir.CreateAdd(a, c);
  e.write(i.operands[0], sum, type);
}

/// mul24, mad24: of 24 bits of each; .hi are bits 47 to 16 of the product.
void multiply24(Emitter &e, const Instruction &i) {
  Type type = i.type();
  llvm::Type *wide = e.ir.getInt64Ty();
  auto read24 = [&](unsigned n) {
    Value *top =
        e.ir.CreateShl(e.ir.CreateZExt(e.read(i.operands[n], type), wide), 40);
    return is_signed(type) ? e.ir.CreateAShr(top, 40)
                           : e.ir.CreateLShr(top, 40);
  };
  Value *all = e.ir.CreateMul(read24(1), read24(2));
  if (i.has("hi"))
    all = e.ir.CreateLShr(all, 16);
  Value *value = e.ir.CreateTrunc(all, e.ir.getInt32Ty());
  if (i.opcode == "mad24") {
    Value *c = e.read(i.operands[3], type);
    value = i.has("sat")
                ? e.intrinsic(Intrinsic::sadd_sat, {c->getType()}, {value, c})
                : e.ir.CreateAdd(value, c);
  }
  e.write(i.operands[0], value, type);
}

/// sad: c + |a - b|
void sum_of_differences(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1), *b = operand(e, i, 2), *c = operand(e, i, 3);
  Value *less =
      is_signed(i.type()) ? e.ir.CreateICmpSLT(a, b) : e.ir.CreateICmpULT(a, b);
  Value *difference =
      e.ir.CreateSelect(less, e.ir.CreateSub(b, a), e.ir.CreateSub(a, b));
  result(e, i, e.ir.CreateAdd(c, difference));
}

/// div and rem. What PTX leaves open: x / 0 has all bits set, x % 0 is x. The
/// smallest number / -1 is itself, as on NVIDIA's GPUs.
void divide(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = operand(e, i, 1), *b = operand(e, i, 2);
  llvm::Type *int_type = a->getType();
  Value *one = ConstantInt::get(int_type, 1);
  Value *ones = Constant::getAllOnesValue(int_type);
  Value *zero = Constant::getNullValue(int_type);
  Value *by_zero = e.ir.CreateICmpEQ(b, zero);
  Value *safe = e.ir.CreateSelect(by_zero, one, b);
  bool quotient = i.opcode == "div";
  Value *value;
  if (is_signed(type)) {
    Value *by_minus_one = e.ir.CreateICmpEQ(b, ones);
    safe = e.ir.CreateSelect(by_minus_one, one, safe);
    value = quotient ? e.ir.CreateSDiv(a, safe) : e.ir.CreateSRem(a, safe);
    if (quotient)
      value = e.ir.CreateSelect(by_minus_one, e.ir.CreateNeg(a), value);
  } else {
    value = quotient ? e.ir.CreateUDiv(a, safe) : e.ir.CreateURem(a, safe);
  }
  result(e, i, e.ir.CreateSelect(by_zero, quotient ? ones : a, value));
}

void absolute(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1);
  if (i.opcode == "neg")
    return result(e, i, e.ir.CreateNeg(a));
  result(e, i,
         e.intrinsic(Intrinsic::abs, {a->getType()}, {a, e.ir.getFalse()}));
}

void extreme(Emitter &e, const Instruction &i) {
  Value *a = operand(e, i, 1), *b = operand(e, i, 2);
  bool is_min = i.opcode == "min";
  Intrinsic::ID id = signed_type(i.type())
                         ? (is_min ? Intrinsic::smin : Intrinsic::smax)
                         : (is_min ? Intrinsic::umin : Intrinsic::umax);
  Value *value = e.intrinsic(id, {a->getType()}, {a, b});
  if (i.has("relu"))
    value = e.intrinsic(Intrinsic::smax, {a->getType()},
                        {value, Constant::getNullValue(a->getType())});
  result(e, i, value);
}

/// `bits` bits of a word, extended to 32.
Value *part(Emitter &e, Value *word, unsigned from, unsigned bits,
            bool by_sign) {
  Value *top = e.ir.CreateShl(word, 32 - bits - from);
  return by_sign ? e.ir.CreateAShr(top, 32 - bits)
                 : e.ir.CreateLShr(top, 32 - bits);
}

/// dp4a: four products of bytes. dp2a: two products of a's halves and the low
/// or high bytes of b.
void dot_product(Emitter &e, const Instruction &i) {
  bool four = i.opcode == "dp4a";
  bool a_signed = is_signed(i.type(0)), b_signed = is_signed(i.type(1));
  Value *a = e.read(i.operands[1], Type::b32);
  Value *b = e.read(i.operands[2], Type::b32);
  Value *sum = e.read(i.operands[3], Type::b32);
  unsigned width = four ? 8 : 16, first = i.has("hi") ? 16 : 0;
  for (unsigned n = 0; n < (four ? 4 : 2); ++n)
    sum = e.ir.CreateAdd(
        sum, e.ir.CreateMul(part(e, a, width * n, width, a_signed),
                            part(e, b, first + 8 * n, 8, b_signed)));
  e.write(i.operands[0], sum, Type::b32);
}

const ArithmeticRow ROWS[] = {
    {"add", 3, add},           {"addc", 3, add},
    {"sub", 3, subtract},      {"subc", 3, subtract},
    {"mul", 3, multiply},      {"mad", 4, multiply_add},
    {"madc", 4, multiply_add}, {"mul24", 3, multiply24},
    {"mad24", 4, multiply24},  {"sad", 4, sum_of_differences},
    {"div", 3, divide},        {"rem", 3, divide},
    {"abs", 2, absolute},      {"neg", 2, absolute},
    {"min", 3, extreme},       {"max", 3, extreme},
    {"dp4a", 4, dot_product},  {"dp2a", 4, dot_product}};

} // namespace

ArrayRef<ArithmeticRow> integer_arithmetic() { return ROWS; }

bool lower_arithmetic(Emitter &e, const Instruction &i) {
  for (bool floating : {false, true})
    for (const ArithmeticRow &row :
         floating ? floating_arithmetic() : integer_arithmetic()) {
      if (i.opcode != row.opcode || is_floating(i.type()) != floating)
        continue;
      if (i.type() == Type::none)
        e.fail(i, "no type");
      else if (i.operands.size() < row.operands)
        e.fail(i, "too few operands");
      else if (i.type() == Type::tf32 ||
               (rounding_of(i) != TO_NEAREST && bits_of(i.type()) == 16))
        e.fail(i, "its type does not have this");
      else if (floating && i.type(1) != Type::none)
        e.fail(i, "operands of two types");
      else
        row.emit(e, i);
      return true;
    }
  return false;
}

} // namespace gpuexec::ptx
