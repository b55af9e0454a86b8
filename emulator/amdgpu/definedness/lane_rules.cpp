//===-- emulator/amdgpu/definedness/lane_rules.cpp - Of vector operations -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for the undefined bits of one lane's result. Operations that are not
// listed are taken as a whole: one undefined bit makes all of the result
// undefined.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/definedness/check.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu::definedness {

namespace {

using In = const LaneIn &;
using Out = LaneOut;

template <unsigned Width> Out low_bits(Bits b) {
  return {b.undef & ones(Width)};
}
Out out(Bits b) { return low_bits<32>(b); }
Out out64(Bits b) { return {b.undef}; }

// A sum or difference. If it saturates, it may be the least or the greatest
// number instead.
template <unsigned Width, bool Signed, bool Minus> Out add(In in) {
  Bits a = in.x[0], b = in.x[1];
  Sum s = Minus ? difference(a, b, Width, in.condition)
                : sum(a, b, Width, in.condition);
  Out o = {s.bits.undef, s.carry.undef != 0};
  if (in.saturates && s.bits.undef && (Signed || s.carry.high()))
    o.undef = !Signed && s.carry.low() ? 0 : ones(Width);
  return o;
}
template <unsigned Width, bool Signed> Out subrev(In in) {
  LaneIn turned = in;
  std::swap(turned.x[0], turned.x[1]);
  return add<Width, Signed, true>(turned);
}
Bits plus(Bits a, Bits b, unsigned width = 32) { return sum(a, b, width).bits; }

template <unsigned Width, bool Signed, bool Most> Out extreme(In in) {
  return {(Most ? most(in.x[0], in.x[1], Width, Signed)
                : least(in.x[0], in.x[1], Width, Signed))
              .undef};
}
/// The minimum of two or three sources. LaneIn::at_least may say more of a
/// source than its undefined bits do.
template <unsigned Sources> Out least_unsigned(In in) {
  Bits result = in.x[0];
  u64 floor = in.at_least[0];
  for (unsigned k = 1; k < Sources; ++k) {
    Bits x = in.x[k];
    u64 x_floor = std::max<u64>(x.low(), in.at_least[k]);
    u64 result_floor = std::max(result.low(), floor);
    if (result.high() <= x_floor)
      continue;
    result = x.high() <= result_floor ? x : least(result, x, 32, false);
    floor = std::min(x_floor, result_floor);
  }
  return out(result);
}
template <unsigned Width, bool Signed, bool Most> Out extreme3(In in) {
  auto f = Most ? most : least;
  return {f(f(in.x[0], in.x[1], Width, Signed), in.x[2], Width, Signed).undef};
}
template <unsigned Width, bool Signed> Out median(In in) {
  Bits low = least(in.x[0], in.x[1], Width, Signed),
       high = most(in.x[0], in.x[1], Width, Signed);
  return {most(low, least(high, in.x[2], Width, Signed), Width, Signed).undef};
}

template <unsigned Width, bool Signed, Compare How> Out compare(In in) {
  return {0, undecided(How, in.x[0], in.x[1], Width, Signed)};
}
Out decided(In) { return {}; }

Bits bits_of(Bits a, Bits offset, Bits width, bool is_signed) {
  offset.value &= 31;
  offset.undef &= 31;
  width.value &= 31;
  width.undef &= 31;
  if (offset.undef | width.undef)
    return a.high() ? all_undefined(0, 32) : Bits();
  unsigned n = unsigned(width.value);
  if (!n)
    return {};
  return extended(is_signed ? shift_right_signed(a, offset, 32)
                            : shift_right(a, offset, 32),
                  n, 32, is_signed);
}
Out perm(In in) {
  u64 undef = 0;
  for (unsigned k = 0; k < 4; ++k) {
    unsigned select = in.x[2].value >> (8 * k) & 0xff;
    u64 byte = 0xff;
    if (!(in.x[2].undef >> (8 * k) & 0xff)) {
      if (select < 8) // the second source has the low bytes
        byte = in.x[select < 4 ? 1 : 0].undef >> (8 * (select & 3)) & 0xff;
      else if (select < 12) { // the sign of a half
        unsigned half = select - 8;
        byte =
            in.x[half < 2 ? 1 : 0].undef >> (half & 1 ? 31 : 15) & 1 ? 0xff : 0;
      } else
        byte = 0;
    }
    undef |= byte << (8 * k);
  }
  return {undef};
}
template <unsigned Unit> Out align(In in) { // the second source is the low one
  Bits both = {in.x[1].value | in.x[0].value << 32,
               in.x[1].undef | in.x[0].undef << 32};
  u64 mask = Unit == 8 ? 3 : 31;
  if (in.x[2].undef & mask)
    return {ones(32)};
  return {both.undef >> ((in.x[2].value & mask) * Unit) & ones(32)};
}
template <bool High> Out mbcnt(In in) {
  unsigned l = in.lane;
  u64 below = High ? (l > 32 ? ones(l - 32) : 0) : ones(l < 32 ? l : 32);
  Bits mask = {in.x[0].value & below, in.x[0].undef & below};
  return out(plus(count_ones(mask), in.x[1]));
}
Out ffbh(In in) { // from the top
  return out(lowest_one(reversed(in.x[0], 32), 32, ones(32)));
}
template <unsigned Byte> Out float_of_byte(In in) {
  return {in.x[0].undef >> (8 * Byte) & 0xff ? ones(32) : 0};
}
Bits low24(Bits a, bool is_signed) { return extended(a, 24, 32, is_signed); }
template <bool Signed> Out mad24(In in) {
  if (in.saturates)
    return {ones(32)};
  return out(plus(product(low24(in.x[0], Signed), low24(in.x[1], Signed), 32),
                  in.x[2]));
}
Out mad64(In in) {
  Sum s = sum(product(in.x[0], in.x[1], 64), in.x[2], 64);
  return {s.bits.undef, s.carry.undef != 0};
}
Out mad64_signed(In in) {
  bool any = in.x[0].undef | in.x[1].undef | in.x[2].undef;
  Sum s = sum(product(extended(in.x[0], 32, 64, true),
                      extended(in.x[1], 32, 64, true), 64),
              in.x[2], 64);
  return {s.bits.undef, any};
}
Out high_product(In in) {
  return {in.x[0].high() && in.x[1].high() ? ones(32) : 0};
}
Out choose(In in) {
  if (in.condition.undef)
    return out(either(in.x[0], in.x[1], true));
  return out(in.x[in.condition.value ? 1 : 0]);
}

/// The rules by operation.
class Rules {
public:
  Rules();
  LaneRule of(OperationId id) const { return rules[unsigned(id)]; }

private:
  LaneRule rules[OPERATIONS] = {};
};

// clang-format off
#define RULE(name, expression)                                                 \
  rules[unsigned(OperationId::name)] = [](In in) -> Out {                      \
    [[maybe_unused]] Bits a = in.x[0], b = in.x[1], c = in.x[2];               \
    return expression;                                                         \
  };
#define FUNCTION(name, ...) rules[unsigned(OperationId::name)] = __VA_ARGS__;
#define COMPARISONS(suffix, width, is_signed)                                  \
  FUNCTION(v_cmp_lt_##suffix, compare<width, is_signed, Compare::lt>)          \
  FUNCTION(v_cmp_eq_##suffix, compare<width, is_signed, Compare::eq>)          \
  FUNCTION(v_cmp_le_##suffix, compare<width, is_signed, Compare::le>)          \
  FUNCTION(v_cmp_gt_##suffix, compare<width, is_signed, Compare::gt>)          \
  FUNCTION(v_cmp_ne_##suffix, compare<width, is_signed, Compare::ne>)          \
  FUNCTION(v_cmp_ge_##suffix, compare<width, is_signed, Compare::ge>)          \
  FUNCTION(v_cmp_f_##suffix, decided)                                          \
  FUNCTION(v_cmp_t_##suffix, decided)

Rules::Rules() {
  // Moves and logic.
  RULE(v_mov_b32, out(a))
  RULE(v_mov_b64, out64(a))
  RULE(v_accvgpr_read_b32, out(a))
  RULE(v_accvgpr_write_b32, out(a))
  RULE(v_accvgpr_mov_b32, out(a))
  RULE(v_not_b32, out(a))
  FUNCTION(v_cndmask_b32, choose)
  RULE(v_and_b32, out(a & b))
  RULE(v_or_b32, out(a | b))
  RULE(v_xor_b32, out(a ^ b))
  RULE(v_xnor_b32, out(a ^ b))
  RULE(v_or3_b32, out(a | b | c))
  RULE(v_and_or_b32, out((a & b) | c))
  RULE(v_bfi_b32, out((a & b) | (inverse(a, 32) & c)))
  RULE(v_bfrev_b32, out(reversed(a, 32)))
  RULE(v_pack_b32_f16, out({0, a.undef | b.undef << 16}))
  FUNCTION(v_perm_b32, perm)
  FUNCTION(v_alignbit_b32, align<1>)
  FUNCTION(v_alignbyte_b32, align<8>)
  // Shifts: the amount comes first.
  RULE(v_lshlrev_b32, out(shift_left(b, a, 32)))
  RULE(v_lshrrev_b32, out(shift_right(b, a, 32)))
  RULE(v_ashrrev_i32, out(shift_right_signed(b, a, 32)))
  RULE(v_lshlrev_b64, out64(shift_left(b, a, 64)))
  RULE(v_lshrrev_b64, out64(shift_right(b, a, 64)))
  RULE(v_ashrrev_i64, out64(shift_right_signed(b, a, 64)))
  RULE(v_lshlrev_b16, out(shift_left(b, a, 16)))
  RULE(v_lshrrev_b16, out(shift_right(b, a, 16)))
  RULE(v_ashrrev_i16, out(shift_right_signed(b, a, 16)))
  RULE(v_lshl_add_u32, out(plus(shift_left(a, b, 32), c)))
  RULE(v_lshl_add_u64, out64(plus(shift_left(a, b, 64), c, 64)))
  RULE(v_add_lshl_u32, out(shift_left(plus(a, b), c, 32)))
  RULE(v_lshl_or_b32, out(shift_left(a, b, 32) | c))
  RULE(v_bfe_u32, out(bits_of(a, b, c, false)))
  RULE(v_bfe_i32, out(bits_of(a, b, c, true)))
  // Counts.
  RULE(v_bcnt_u32_b32, out(plus(count_ones(a), b)))
  RULE(v_ffbl_b32, out(lowest_one(a, 32, ones(32))))
  FUNCTION(v_ffbh_u32, ffbh)
  FUNCTION(v_mbcnt_lo_u32_b32, mbcnt<false>)
  FUNCTION(v_mbcnt_hi_u32_b32, mbcnt<true>)
  // Sums.
  FUNCTION(v_add_u32, add<32, false, false>)
  FUNCTION(v_sub_u32, add<32, false, true>)
  FUNCTION(v_subrev_u32, subrev<32, false>)
  FUNCTION(v_add_i32, add<32, true, false>)
  FUNCTION(v_sub_i32, add<32, true, true>)
  FUNCTION(v_add_co_u32, add<32, false, false>)
  FUNCTION(v_sub_co_u32, add<32, false, true>)
  FUNCTION(v_subrev_co_u32, subrev<32, false>)
  FUNCTION(v_addc_co_u32, add<32, false, false>)
  FUNCTION(v_subb_co_u32, add<32, false, true>)
  FUNCTION(v_subbrev_co_u32, subrev<32, false>)
  FUNCTION(v_add_u16, add<16, false, false>)
  FUNCTION(v_sub_u16, add<16, false, true>)
  FUNCTION(v_subrev_u16, subrev<16, false>)
  FUNCTION(v_add_i16, add<16, true, false>)
  FUNCTION(v_sub_i16, add<16, true, true>)
  RULE(v_add3_u32, out(plus(plus(a, b), c)))
  RULE(v_xad_u32, out(plus(a ^ b, c)))
  // Products.
  RULE(v_mul_lo_u32, out(product(a, b, 32)))
  RULE(v_mul_lo_i32, out(product(a, b, 32)))
  RULE(v_mul_lo_u16, out(product(a, b, 16)))
  RULE(v_mul_u32_u24, out(product(low24(a, false), low24(b, false), 32)))
  RULE(v_mul_i32_i24, out(product(low24(a, true), low24(b, true), 32)))
  FUNCTION(v_mul_hi_u32, high_product)
  FUNCTION(v_mul_hi_i32, high_product)
  FUNCTION(v_mad_u32_u24, mad24<false>)
  FUNCTION(v_mad_i32_i24, mad24<true>)
  FUNCTION(v_mad_u64_u32, mad64)
  FUNCTION(v_mad_i64_i32, mad64_signed)
  // The least and the most.
  FUNCTION(v_min_u32, least_unsigned<2>)
  FUNCTION(v_max_u32, extreme<32, false, true>)
  FUNCTION(v_min_i32, extreme<32, true, false>)
  FUNCTION(v_max_i32, extreme<32, true, true>)
  FUNCTION(v_min3_u32, least_unsigned<3>)
  FUNCTION(v_max3_u32, extreme3<32, false, true>)
  FUNCTION(v_min3_i32, extreme3<32, true, false>)
  FUNCTION(v_max3_i32, extreme3<32, true, true>)
  FUNCTION(v_med3_u32, median<32, false>)
  FUNCTION(v_med3_i32, median<32, true>)
  FUNCTION(v_min_u16, extreme<16, false, false>)
  FUNCTION(v_max_u16, extreme<16, false, true>)
  FUNCTION(v_min_i16, extreme<16, true, false>)
  FUNCTION(v_max_i16, extreme<16, true, true>)
  // Bytes as floats.
  FUNCTION(v_cvt_f32_ubyte0, float_of_byte<0>)
  FUNCTION(v_cvt_f32_ubyte1, float_of_byte<1>)
  FUNCTION(v_cvt_f32_ubyte2, float_of_byte<2>)
  FUNCTION(v_cvt_f32_ubyte3, float_of_byte<3>)
  COMPARISONS(i16, 16, true)
  COMPARISONS(u16, 16, false)
  COMPARISONS(i32, 32, true)
  COMPARISONS(u32, 32, false)
  COMPARISONS(i64, 64, true)
  COMPARISONS(u64, 64, false)
  // Packed: one half.
  FUNCTION(v_pk_add_u16, add<16, false, false>)
  FUNCTION(v_pk_sub_u16, add<16, false, true>)
  FUNCTION(v_pk_add_i16, add<16, true, false>)
  FUNCTION(v_pk_sub_i16, add<16, true, true>)
  RULE(v_pk_lshlrev_b16, out(shift_left(b, a, 16)))
  RULE(v_pk_lshrrev_b16, out(shift_right(b, a, 16)))
  RULE(v_pk_ashrrev_i16, out(shift_right_signed(b, a, 16)))
  RULE(v_pk_mul_lo_u16, out(product(a, b, 16)))
  FUNCTION(v_pk_min_u16, extreme<16, false, false>)
  FUNCTION(v_pk_max_u16, extreme<16, false, true>)
  FUNCTION(v_pk_min_i16, extreme<16, true, false>)
  FUNCTION(v_pk_max_i16, extreme<16, true, true>)
}
// clang-format on

} // namespace

LaneRule lane_rule(OperationId id) {
  static const Rules rules;
  return rules.of(id);
}

} // namespace gpuexec::emulator::amdgpu::definedness
