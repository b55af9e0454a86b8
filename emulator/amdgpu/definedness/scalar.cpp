//===-- emulator/amdgpu/definedness/scalar.cpp - Scalar arithmetic --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for the undefined bits of scalar results and of SCC. Widths come from
// the table of instructions; an operation without a rule is taken as a whole.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/definedness/check.h"

namespace gpuexec::emulator::amdgpu::definedness {

namespace {

using In = const ScalarIn &;
using Out = ScalarOut;

/// The results of an operation whose SCC says that the result is not zero.
Out nonzero(Bits b) { return {b, maybe_zero(b)}; }
Out plain(Bits b) { return {b, false}; }
Out carry(Sum s) { return {s.bits, s.carry.undef != 0}; }
/// SCC is a signed overflow: undefined if any bit of the sum is.
Out overflow(Sum s) { return {s.bits, s.bits.undef != 0}; }
Out decision(bool undecided) { return {{}, undecided}; }

template <unsigned Width, bool Signed, Compare How> Out compare(In in) {
  return decision(undecided(How, in.x[0], in.x[1], Width, Signed));
}
template <Compare How> Out compare_unsigned_constant(In in) {
  Bits k = {in.x[1].value & 0xffff, 0};
  return decision(undecided(How, in.x[0], k, 32, false));
}
template <bool Signed, bool Most> Out extreme(In in) {
  return {(Most ? most : least)(in.x[0], in.x[1], 32, Signed),
          undecided(Most ? Compare::gt : Compare::lt, in.x[0], in.x[1], 32,
                    Signed)};
}
Out choose(Bits yes, Bits no, Bits scc) {
  return plain(scc.undef ? either(yes, no, scc.value) : scc.value ? yes : no);
}
template <unsigned Width, bool Signed> Out field(In in) {
  Bits a = in.x[0], f = in.x[1];
  Bits offset = {f.value & (Width - 1), f.undef & (Width - 1)};
  unsigned n = f.value >> 16 & 127;
  if (f.undef >> 16 & 127 || offset.undef)
    return nonzero(all_undefined(0, Width));
  if (!n)
    return nonzero({});
  Bits moved = Signed ? shift_right_signed(a, offset, Width)
                      : shift_right(a, offset, Width);
  return nonzero(n >= Width ? moved : extended(moved, n, Width, Signed));
}
template <unsigned Width> Out bit(In in) {
  Bits b = shift_right(in.x[0], in.x[1], Width);
  return decision(b.undef & 1);
}
template <unsigned Shift> Out shift_add(In in) {
  Bits wide = {in.x[0].value << Shift, in.x[0].undef << Shift};
  Sum s = sum(wide, in.x[1], 64);
  return {{s.bits.value & ones(32), s.bits.undef & ones(32)},
          s.bits.undef >> 32 != 0};
}
template <unsigned Width> Out set_bit(In in, bool to) {
  if (in.x[1].undef & (Width - 1))
    return plain(all_undefined(0, Width));
  u64 at = u64(1) << (in.x[1].value & (Width - 1));
  return plain(
      {to ? in.x[0].value | at : in.x[0].value & ~at, in.x[0].undef & ~at});
}
Bits low(Bits a) { return {a.value & 0xffff, a.undef & 0xffff}; }
Bits up(Bits a) { return {a.value << 16 & ones(32), a.undef << 16 & ones(32)}; }
Bits high(Bits a) { return {a.value & 0xffff0000, a.undef & 0xffff0000}; }
Bits down(Bits a) { return {a.value >> 16, a.undef >> 16}; }

/// The rules by operation.
class Rules {
public:
  Rules();
  ScalarRule of(OperationId id) const { return rules[unsigned(id)]; }

private:
  ScalarRule rules[OPERATIONS] = {};
};

// clang-format off
#define RULE(name, expression)                                                 \
  rules[unsigned(OperationId::name)] = [](In in) -> Out {                      \
    [[maybe_unused]] Bits a = in.x[0], b = in.x[1];                            \
    return expression;                                                         \
  };
#define FUNCTION(name, ...) rules[unsigned(OperationId::name)] = __VA_ARGS__;
#define LOGIC(suffix, width)                                                   \
  RULE(s_mov_b##suffix, plain(a))                                              \
  RULE(s_not_b##suffix, nonzero(inverse(a, width)))                            \
  RULE(s_and_b##suffix, nonzero(a & b))                                        \
  RULE(s_or_b##suffix, nonzero(a | b))                                         \
  RULE(s_xor_b##suffix, nonzero(a ^ b))                                        \
  RULE(s_andn2_b##suffix, nonzero(a & inverse(b, width)))                      \
  RULE(s_orn2_b##suffix, nonzero(a | inverse(b, width)))                       \
  RULE(s_nand_b##suffix, nonzero(inverse(a & b, width)))                       \
  RULE(s_nor_b##suffix, nonzero(inverse(a | b, width)))                        \
  RULE(s_xnor_b##suffix, nonzero(inverse(a ^ b, width)))                       \
  RULE(s_cmov_b##suffix, choose(b, a, in.scc))                                 \
  RULE(s_cselect_b##suffix, choose(a, b, in.scc))                              \
  RULE(s_lshl_b##suffix, nonzero(shift_left(a, b, width)))                     \
  RULE(s_lshr_b##suffix, nonzero(shift_right(a, b, width)))                    \
  RULE(s_ashr_i##suffix, nonzero(shift_right_signed(a, b, width)))             \
  FUNCTION(s_bfe_u##suffix, field<width, false>)                               \
  FUNCTION(s_bfe_i##suffix, field<width, true>)                                \
  FUNCTION(s_bitcmp0_b##suffix, bit<width>)                                    \
  FUNCTION(s_bitcmp1_b##suffix, bit<width>)                                    \
  RULE(s_bitset0_b##suffix, set_bit<width>(in, false))                         \
  RULE(s_bitset1_b##suffix, set_bit<width>(in, true))                          \
  RULE(s_brev_b##suffix, plain(reversed(a, width)))                            \
  RULE(s_bcnt1_i32_b##suffix, nonzero(count_ones(a)))                          \
  RULE(s_bcnt0_i32_b##suffix, nonzero(count_ones(inverse(a, width))))          \
  RULE(s_ff1_i32_b##suffix, plain(lowest_one(a, width, ones(32))))             \
  RULE(s_ff0_i32_b##suffix, plain(lowest_one(inverse(a, width), width, ones(32))))\
  RULE(s_flbit_i32_b##suffix, plain(lowest_one(reversed(a, width), width, ones(32))))
#define COMPARISONS(suffix, width, is_signed)                                  \
  FUNCTION(s_cmp_eq_##suffix, compare<width, is_signed, Compare::eq>)          \
  FUNCTION(s_cmp_lg_##suffix, compare<width, is_signed, Compare::ne>)          \
  FUNCTION(s_cmp_gt_##suffix, compare<width, is_signed, Compare::gt>)          \
  FUNCTION(s_cmp_ge_##suffix, compare<width, is_signed, Compare::ge>)          \
  FUNCTION(s_cmp_lt_##suffix, compare<width, is_signed, Compare::lt>)          \
  FUNCTION(s_cmp_le_##suffix, compare<width, is_signed, Compare::le>)

Rules::Rules() {
  LOGIC(32, 32)
  LOGIC(64, 64)
  RULE(s_movk_i32, plain(a))
  RULE(s_cmovk_i32, choose(b, a, in.scc))
  RULE(s_add_u32, carry(sum(a, b, 32)))
  RULE(s_sub_u32, carry(difference(a, b, 32)))
  RULE(s_addc_u32, carry(sum(a, b, 32, in.scc)))
  RULE(s_subb_u32, carry(difference(a, b, 32, in.scc)))
  RULE(s_add_i32, overflow(sum(a, b, 32)))
  RULE(s_sub_i32, overflow(difference(a, b, 32)))
  RULE(s_addk_i32, overflow(sum(a, b, 32)))
  FUNCTION(s_lshl1_add_u32, shift_add<1>)
  FUNCTION(s_lshl2_add_u32, shift_add<2>)
  FUNCTION(s_lshl3_add_u32, shift_add<3>)
  FUNCTION(s_lshl4_add_u32, shift_add<4>)
  RULE(s_mul_i32, plain(product(a, b, 32)))
  RULE(s_mulk_i32, plain(product(a, b, 32)))
  FUNCTION(s_min_i32, extreme<true, false>)
  FUNCTION(s_min_u32, extreme<false, false>)
  FUNCTION(s_max_i32, extreme<true, true>)
  FUNCTION(s_max_u32, extreme<false, true>)
  RULE(s_sext_i32_i8, plain(extended(a, 8, 32, true)))
  RULE(s_sext_i32_i16, plain(extended(a, 16, 32, true)))
  RULE(s_pack_ll_b32_b16, plain(low(a) | up(b)))
  RULE(s_pack_lh_b32_b16, plain(low(a) | high(b)))
  RULE(s_pack_hh_b32_b16, plain(down(a) | high(b)))
  COMPARISONS(i32, 32, true)
  COMPARISONS(u32, 32, false)
  FUNCTION(s_cmp_eq_u64, compare<64, false, Compare::eq>)
  FUNCTION(s_cmp_lg_u64, compare<64, false, Compare::ne>)
  FUNCTION(s_cmpk_eq_i32, compare<32, true, Compare::eq>)
  FUNCTION(s_cmpk_lg_i32, compare<32, true, Compare::ne>)
  FUNCTION(s_cmpk_gt_i32, compare<32, true, Compare::gt>)
  FUNCTION(s_cmpk_ge_i32, compare<32, true, Compare::ge>)
  FUNCTION(s_cmpk_lt_i32, compare<32, true, Compare::lt>)
  FUNCTION(s_cmpk_le_i32, compare<32, true, Compare::le>)
  FUNCTION(s_cmpk_eq_u32, compare_unsigned_constant<Compare::eq>)
  FUNCTION(s_cmpk_lg_u32, compare_unsigned_constant<Compare::ne>)
  FUNCTION(s_cmpk_gt_u32, compare_unsigned_constant<Compare::gt>)
  FUNCTION(s_cmpk_ge_u32, compare_unsigned_constant<Compare::ge>)
  FUNCTION(s_cmpk_lt_u32, compare_unsigned_constant<Compare::lt>)
  FUNCTION(s_cmpk_le_u32, compare_unsigned_constant<Compare::le>)
  // The second source is EXEC.
  RULE(s_and_saveexec_b64, nonzero(a & b))
  RULE(s_or_saveexec_b64, nonzero(a | b))
  RULE(s_xor_saveexec_b64, nonzero(a ^ b))
  RULE(s_andn2_saveexec_b64, nonzero(a & inverse(b, 64)))
  RULE(s_orn2_saveexec_b64, nonzero(a | inverse(b, 64)))
  RULE(s_nand_saveexec_b64, nonzero(inverse(a & b, 64)))
  RULE(s_nor_saveexec_b64, nonzero(inverse(a | b, 64)))
  RULE(s_xnor_saveexec_b64, nonzero(inverse(a ^ b, 64)))
  RULE(s_andn1_saveexec_b64, nonzero(inverse(a, 64) & b))
  RULE(s_orn1_saveexec_b64, nonzero(inverse(a, 64) | b))
  RULE(s_andn1_wrexec_b64, nonzero(inverse(a, 64) & b))
  RULE(s_andn2_wrexec_b64, nonzero(a & inverse(b, 64)))
}
// clang-format on

} // namespace

ScalarRule scalar_rule(OperationId id) {
  static const Rules rules;
  return rules.of(id);
}

static Out as_a_whole(const Operation &op, const ScalarIn &in) {
  bool any = in.x[0].undef | in.x[1].undef | in.x[2].undef;
  return {{0, any ? ones(32 * registers_of(op.result)) : 0}, any};
}

static bool is_exec(Operand o) {
  return o == scalar_operand(EXEC) || o == scalar_operand(EXEC + 1);
}

bool scalar(Context &c) {
  const Operation &op = *c.plan.operation;
  ScalarIn in;
  in.scc = {c.s.scc, c.shadow.scc};
  u64 any = c.shadow.scc;
  Origin from = c.shadow.scc ? c.shadow.scc_origin : 0;
  for (unsigned k = 0; k < op.sources; ++k) {
    in.x[k] = c.scalar(c.inst.src[k], 4 * registers_of(op.source[k]));
    if (in.x[k].undef) {
      any = 1;
      from = c.shadow.scalar_origin(c.inst.src[k]);
    }
  }
  Out o;
  if (any)
    o = c.plan.scalar ? c.plan.scalar(in) : as_a_whole(op, in);
  if (op.writes_scc) {
    c.shadow.scc = o.scc;
    c.shadow.scc_origin = from;
  }
  if (op.result == Type::none)
    return true;
  if (is_exec(c.inst.dst))
    return c.exec_is_known(c.inst.dst == scalar_operand(EXEC)
                               ? o.result.undef
                               : o.result.undef << 32,
                           from);
  c.shadow.set_scalar(c.inst.dst, 4 * registers_of(op.result), o.result.undef,
                      from);
  return true;
}

/// The old EXEC is always defined; the new one must be.
bool saved_exec(Context &c) {
  ScalarIn in;
  // 4 in a wave of 32 lanes, else 8.
  const unsigned bytes = 4 * registers_of(c.plan.operation->result);
  in.x[0] = c.scalar(c.inst.src[0], bytes);
  in.x[1] = {c.s.exec(), 0};
  Origin from = c.shadow.scalar_origin(c.inst.src[0]);
  Out o;
  if (in.x[0].undef)
    o = c.plan.scalar ? c.plan.scalar(in) : as_a_whole(*c.plan.operation, in);
  if (!c.exec_is_known(o.result.undef, from))
    return false;
  c.shadow.scc = false;
  c.shadow.set_scalar(c.inst.dst, bytes, 0, 0);
  return true;
}

bool defined_scalar(Context &c) {
  c.shadow.set_scalar(c.inst.dst, 8, 0, 0);
  return true;
}
bool defined_word(Context &c) {
  c.shadow.set_scalar(c.inst.dst, 4, 0, 0);
  return true;
}

} // namespace gpuexec::emulator::amdgpu::definedness
