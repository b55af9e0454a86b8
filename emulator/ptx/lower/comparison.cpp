//===-- emulator/ptx/lower/comparison.cpp - Comparisons and selections ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// setp, set, selp, slct, testp. The u of equ, ltu and so on means "or a NaN"
// for floating-point numbers; lo, ls, hi, hs compare without sign.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

struct Comparison {
  const char *name;
  CmpInst::Predicate floating, with_sign, without_sign;
};

constexpr auto BAD = CmpInst::BAD_ICMP_PREDICATE;
const Comparison COMPARISONS[] = {
    {"eq", CmpInst::FCMP_OEQ, CmpInst::ICMP_EQ, CmpInst::ICMP_EQ},
    {"ne", CmpInst::FCMP_ONE, CmpInst::ICMP_NE, CmpInst::ICMP_NE},
    {"lt", CmpInst::FCMP_OLT, CmpInst::ICMP_SLT, CmpInst::ICMP_ULT},
    {"le", CmpInst::FCMP_OLE, CmpInst::ICMP_SLE, CmpInst::ICMP_ULE},
    {"gt", CmpInst::FCMP_OGT, CmpInst::ICMP_SGT, CmpInst::ICMP_UGT},
    {"ge", CmpInst::FCMP_OGE, CmpInst::ICMP_SGE, CmpInst::ICMP_UGE},
    {"lo", BAD, CmpInst::ICMP_ULT, CmpInst::ICMP_ULT},
    {"ls", BAD, CmpInst::ICMP_ULE, CmpInst::ICMP_ULE},
    {"hi", BAD, CmpInst::ICMP_UGT, CmpInst::ICMP_UGT},
    {"hs", BAD, CmpInst::ICMP_UGE, CmpInst::ICMP_UGE},
    {"equ", CmpInst::FCMP_UEQ, BAD, BAD},
    {"neu", CmpInst::FCMP_UNE, BAD, BAD},
    {"ltu", CmpInst::FCMP_ULT, BAD, BAD},
    {"leu", CmpInst::FCMP_ULE, BAD, BAD},
    {"gtu", CmpInst::FCMP_UGT, BAD, BAD},
    {"geu", CmpInst::FCMP_UGE, BAD, BAD},
    {"num", CmpInst::FCMP_ORD, BAD, BAD},
    {"nan", CmpInst::FCMP_UNO, BAD, BAD}};

/// The type that is compared: the last one that the form names.
Type compared_type(const Instruction &i) {
  Type last = i.type(1);
  return i.opcode == "set" && last != Type::none ? last : i.type();
}

/// The comparison of operands 1 and 2 (i1, or two of them for a pair), or null
/// after fail().
Value *compare(Emitter &e, const Instruction &i) {
  Type type = compared_type(i);
  if (type == Type::tf32 || type == Type::f32x2) {
    e.fail(i, "its type is not compared");
    return nullptr;
  }
  for (const Comparison &row : COMPARISONS) {
    if (i.modifiers.empty() || i.modifiers[0] != row.name)
      continue;
    CmpInst::Predicate predicate = is_floating(type) ? row.floating
                                   : is_signed(type) ? row.with_sign
                                                     : row.without_sign;
    if (predicate == BAD)
      break;
    Value *a = flush_if_asked(e, i, e.read(i.operands[1], type));
    Value *b = flush_if_asked(e, i, e.read(i.operands[2], type));
    return e.ir.CreateCmp(predicate, widen_bfloat(e, a), widen_bfloat(e, b));
  }
  e.fail(i, "a comparison that its type does not have");
  return nullptr;
}

Value *combine(Emitter &e, const Instruction &i, Value *condition, Value *c) {
  if (condition->getType()->isVectorTy())
    c = e.ir.CreateVectorSplat(2, c);
  if (i.has("and"))
    return e.ir.CreateAnd(condition, c);
  if (i.has("or"))
    return e.ir.CreateOr(condition, c);
  return e.ir.CreateXor(condition, c);
}

/// setp's results: p, and q of the opposite; of a pair, its two elements.
void set_predicate(Emitter &e, const Instruction &i) {
  Value *condition = compare(e, i);
  if (!condition)
    return;
  const Operand &d = i.operands[0];
  bool two = d.kind == Operand::Kind::pair;
  Value *opposite = e.ir.CreateNot(condition);
  if (i.operands.size() > 3) {
    Value *c = e.read(i.operands[3], Type::pred);
    condition = combine(e, i, condition, c);
    opposite = combine(e, i, opposite, c);
  }
  if (condition->getType()->isVectorTy()) {
    if (!two)
      return e.fail(i, "a pair is compared into p|q");
    for (unsigned n = 0; n < 2; ++n)
      e.write(d.parts[n], e.ir.CreateExtractElement(condition, n), Type::pred);
    return;
  }
  e.write(two ? d.parts[0] : d, condition, Type::pred);
  if (two)
    e.write(d.parts[1], opposite, Type::pred);
}

void set(Emitter &e, const Instruction &i) {
  Value *condition = compare(e, i);
  if (!condition)
    return;
  if (i.operands.size() > 3)
    condition = combine(e, i, condition, e.read(i.operands[3], Type::pred));
  Type type = i.type();
  llvm::Type *result = e.type(type);
  if (bits_of(type) != 32 && condition->getType()->isVectorTy())
    return e.fail(i, "a pair is compared into 32 bits");
  if (type == Type::tf32 || type == Type::f32x2 || type == Type::pred ||
      (type == Type::f32 && condition->getType()->isVectorTy()))
    return e.fail(i, "a result of this type is not there");
  Value *value;
  if (is_floating(type)) {
    value = e.ir.CreateSelect(condition, ConstantFP::get(result, 1.0),
                              ConstantFP::get(result, 0.0));
  } else if (condition->getType()->isVectorTy()) {
    value =
        e.ir.CreateSExt(condition, FixedVectorType::get(e.ir.getInt16Ty(), 2));
    value = e.ir.CreateBitCast(value, e.ir.getInt32Ty());
  } else {
    value = e.ir.CreateSExt(condition, result);
  }
  e.write(i.operands[0], value, type);
}

void select(Emitter &e, const Instruction &i) {
  Type type = i.type();
  Value *a = e.read(i.operands[1], type), *b = e.read(i.operands[2], type);
  Value *c = e.read(i.operands[3], Type::pred);
  e.write(i.operands[0], e.ir.CreateSelect(c, a, b), type);
}

/// slct: a if c >= 0, else b.
void select_by_sign(Emitter &e, const Instruction &i) {
  Type type = i.type(), sign_type = i.type(1);
  if (sign_type != Type::s32 && sign_type != Type::f32)
    return e.fail(i, "the sign of s32 or f32");
  Value *a = e.read(i.operands[1], type), *b = e.read(i.operands[2], type);
  Value *c = flush_if_asked(e, i, e.read(i.operands[3], sign_type));
  Value *zero = Constant::getNullValue(c->getType());
  Value *condition = is_floating(sign_type) ? e.ir.CreateFCmpOGE(c, zero)
                                            : e.ir.CreateICmpSGE(c, zero);
  e.write(i.operands[0], e.ir.CreateSelect(condition, a, b), type);
}

/// Zeros count as normal numbers.
void test_property(Emitter &e, const Instruction &i) {
  static constexpr struct {
    const char *name;
    unsigned classes;
  } PROPERTIES[] = {{"finite", fcFinite},          {"infinite", fcInf},
                    {"number", fcFinite | fcInf},  {"notanumber", fcNan},
                    {"normal", fcNormal | fcZero}, {"subnormal", fcSubnormal}};
  if (i.type() != Type::f32 && i.type() != Type::f64)
    return e.fail(i, "of f32 and f64");
  Value *a = e.read(i.operands[1], i.type());
  for (const auto &row : PROPERTIES)
    if (i.has(row.name))
      return e.write(i.operands[0],
                     e.intrinsic(Intrinsic::is_fpclass, {a->getType()},
                                 {a, e.ir.getInt32(row.classes)}),
                     Type::pred);
  e.fail(i, "an unknown property");
}

const struct {
  const char *opcode;
  size_t operands; ///< the fewest, with the result
  void (*emit)(Emitter &, const Instruction &);
} FAMILY[] = {{"setp", 3, set_predicate},
              {"set", 3, set},
              {"selp", 4, select},
              {"slct", 4, select_by_sign},
              {"testp", 2, test_property}};

} // namespace

bool lower_comparison(Emitter &e, const Instruction &i) {
  for (const auto &row : FAMILY) {
    if (i.opcode != row.opcode)
      continue;
    if (i.operands.size() < row.operands || i.type() == Type::none)
      e.fail(i, "no type, or too few operands");
    else
      row.emit(e, i);
    return true;
  }
  return false;
}

} // namespace gpuexec::ptx
