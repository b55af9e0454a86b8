//===-- emulator/amdgpu/ops/valu_int16.h - 16-bit integer VALU --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit integers alone and as halves of VOP3P (VPK lines of valu.def name the
// functions of one half), packing, and dot products. Convention: types.h.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; valu.def says what they mean.
// clang-format off
VALU_SAT(v_add_u16)
VALU_SAT(v_sub_u16)
VALU_SAT(v_subrev_u16)
VALU_KEEP_HIGH_SAT(v_add_i16)
VALU_KEEP_HIGH_SAT(v_sub_i16)
VALU(v_mul_lo_u16)
VALU_KEEP_HIGH_SAT(v_mad_u16)
VALU_KEEP_HIGH_SAT(v_mad_i16)
VALU_SAT(v_mad_legacy_u16)
VALU_SAT(v_mad_legacy_i16)
VALU_SAT(v_mad_u32_u16)
VALU_SAT(v_mad_i32_i16)
VALU(v_lshlrev_b16)
VALU(v_lshrrev_b16)
VALU(v_ashrrev_i16)
VALU(v_min_u16)
VALU(v_max_u16)
VALU(v_min_i16)
VALU(v_max_i16)
VALU_KEEP_HIGH(v_min3_u16)
VALU_KEEP_HIGH(v_max3_u16)
VALU_KEEP_HIGH(v_min3_i16)
VALU_KEEP_HIGH(v_max3_i16)
VALU_KEEP_HIGH(v_med3_u16)
VALU_KEEP_HIGH(v_med3_i16)
VALU(v_cvt_pk_u16_u32)
VALU(v_cvt_pk_i16_i32)
VALU(v_pack_b32_f16)
VALU(v_sat_pk_u8_i16)
VALU_SAT(v_dot2_i32_i16)
VALU_SAT(v_dot2_u32_u16)
VALU_SAT(v_dot4_i32_i8)
VALU_SAT(v_dot4_u32_u8)
VALU_SAT(v_dot8_i32_i4)
VALU_SAT(v_dot8_u32_u4)
VALU_SAT(v_dot4_i32_iu8)
VALU_SAT(v_dot4_i32_iu8_s0)
VALU_SAT(v_dot4_i32_iu8_s1)
VALU_SAT(v_dot4_i32_iu8_s01)
VALU_SAT(v_dot8_i32_iu4)
VALU_SAT(v_dot8_i32_iu4_s0)
VALU_SAT(v_dot8_i32_iu4_s1)
VALU_SAT(v_dot8_i32_iu4_s01)
VALU_TIED(v_dot2c_i32_i16)
VALU_TIED(v_dot4c_i32_i8)
VALU_TIED(v_dot8c_i32_i4)
VALU_SAT(v_qsad_pk_u16_u8)
VALU_SAT(v_mqsad_pk_u16_u8)
VPK_SAT(v_pk_mad_i16, v_mad_i16)
VPK_SAT(v_pk_mad_u16, v_mad_u16)
VPK(v_pk_mul_lo_u16, v_mul_lo_u16)
VPK_SAT(v_pk_add_i16, v_add_i16)
VPK_SAT(v_pk_sub_i16, v_sub_i16)
VPK_SAT(v_pk_add_u16, v_add_u16)
VPK_SAT(v_pk_sub_u16, v_sub_u16)
VPK(v_pk_lshlrev_b16, v_lshlrev_b16)
VPK(v_pk_lshrrev_b16, v_lshrrev_b16)
VPK(v_pk_ashrrev_i16, v_ashrrev_i16)
VPK(v_pk_max_i16, v_max_i16)
VPK(v_pk_min_i16, v_min_i16)
VPK(v_pk_max_u16, v_max_u16)
VPK(v_pk_min_u16, v_min_u16)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_INT16_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_INT16_H

#include "emulator/amdgpu/ops/types.h"

namespace gpuexec::emulator::ops {

GPUEXEC_OP u16 v_add_u16(u16 a, u16 b) { return u16(a + b); }
GPUEXEC_OP u16 v_add_u16_sat(u16 a, u16 b) { return saturate_u16(a + b); }
GPUEXEC_OP u16 v_sub_u16(u16 a, u16 b) { return u16(a - b); }
GPUEXEC_OP u16 v_sub_u16_sat(u16 a, u16 b) { return saturate_u16(a - b); }
GPUEXEC_OP u16 v_subrev_u16(u16 a, u16 b) { return u16(b - a); }
GPUEXEC_OP u16 v_subrev_u16_sat(u16 a, u16 b) { return saturate_u16(b - a); }
GPUEXEC_OP i16 v_add_i16(i16 a, i16 b) { return i16(a + b); }
GPUEXEC_OP i16 v_add_i16_sat(i16 a, i16 b) { return saturate_i16(a + b); }
GPUEXEC_OP i16 v_sub_i16(i16 a, i16 b) { return i16(a - b); }
GPUEXEC_OP i16 v_sub_i16_sat(i16 a, i16 b) { return saturate_i16(a - b); }
GPUEXEC_OP u16 v_mul_lo_u16(u16 a, u16 b) { return u16(u32(a) * b); }
GPUEXEC_OP u16 v_mad_u16(u16 a, u16 b, u16 c) { return u16(u32(a) * b + c); }
GPUEXEC_OP u16 v_mad_u16_sat(u16 a, u16 b, u16 c) {
  u32 sum = u32(a) * b + c;
  return sum > 0xffff ? 0xffff : u16(sum);
}
GPUEXEC_OP i16 v_mad_i16(i16 a, i16 b, i16 c) { return i16(i32(a) * b + c); }
GPUEXEC_OP i16 v_mad_i16_sat(i16 a, i16 b, i16 c) {
  return saturate_i16(i32(a) * b + c);
}
GPUEXEC_OP u16 v_mad_legacy_u16(u16 a, u16 b, u16 c) {
  return v_mad_u16(a, b, c);
}
GPUEXEC_OP u16 v_mad_legacy_u16_sat(u16 a, u16 b, u16 c) {
  return v_mad_u16_sat(a, b, c);
}
GPUEXEC_OP i16 v_mad_legacy_i16(i16 a, i16 b, i16 c) {
  return v_mad_i16(a, b, c);
}
GPUEXEC_OP i16 v_mad_legacy_i16_sat(i16 a, i16 b, i16 c) {
  return v_mad_i16_sat(a, b, c);
}
/// 16-bit factors, 32-bit sum.
GPUEXEC_OP u32 v_mad_u32_u16(u16 a, u16 b, u32 c) { return u32(a) * b + c; }
GPUEXEC_OP u32 v_mad_u32_u16_sat(u16 a, u16 b, u32 c) {
  u32 product = u32(a) * b;
  return product + c < c ? ~0u : product + c;
}
GPUEXEC_OP i32 v_mad_i32_i16(i16 a, i16 b, i32 c) {
  return i32(u32(i32(a) * b) + u32(c));
}
GPUEXEC_OP i32 v_mad_i32_i16_sat(i16 a, i16 b, i32 c) {
  return saturate_i32(i64(i32(a) * b) + c);
}

GPUEXEC_OP u16 v_lshlrev_b16(u16 n, u16 a) { return u16(a << (n & 15)); }
GPUEXEC_OP u16 v_lshrrev_b16(u16 n, u16 a) { return u16(a >> (n & 15)); }
GPUEXEC_OP i16 v_ashrrev_i16(u16 n, i16 a) { return i16(a >> (n & 15)); }

GPUEXEC_OP u16 v_min_u16(u16 a, u16 b) { return a < b ? a : b; }
GPUEXEC_OP u16 v_max_u16(u16 a, u16 b) { return a > b ? a : b; }
GPUEXEC_OP i16 v_min_i16(i16 a, i16 b) { return a < b ? a : b; }
GPUEXEC_OP i16 v_max_i16(i16 a, i16 b) { return a > b ? a : b; }
GPUEXEC_OP u16 v_min3_u16(u16 a, u16 b, u16 c) {
  return v_min_u16(v_min_u16(a, b), c);
}
GPUEXEC_OP u16 v_max3_u16(u16 a, u16 b, u16 c) {
  return v_max_u16(v_max_u16(a, b), c);
}
GPUEXEC_OP i16 v_min3_i16(i16 a, i16 b, i16 c) {
  return v_min_i16(v_min_i16(a, b), c);
}
GPUEXEC_OP i16 v_max3_i16(i16 a, i16 b, i16 c) {
  return v_max_i16(v_max_i16(a, b), c);
}
GPUEXEC_OP u16 v_med3_u16(u16 a, u16 b, u16 c) {
  return v_max_u16(v_min_u16(a, b), v_min_u16(v_max_u16(a, b), c));
}
GPUEXEC_OP i16 v_med3_i16(i16 a, i16 b, i16 c) {
  return v_max_i16(v_min_i16(a, b), v_min_i16(v_max_i16(a, b), c));
}

// Packing; a stands in the low half.
GPUEXEC_OP P16 v_cvt_pk_u16_u32(u32 a, u32 b) {
  return {(a > 0xffff ? 0xffff : a) | (b > 0xffff ? 0xffff : b) << 16};
}
GPUEXEC_OP P16 v_cvt_pk_i16_i32(i32 a, i32 b) {
  return {u32(u16(saturate_i16(a))) | u32(u16(saturate_i16(b))) << 16};
}
/// Halves are moved, not computed with: a NaN or denormal stays as it is.
GPUEXEC_OP P16 v_pack_b32_f16(F16 a, F16 b) {
  return {a.bits | u32(b.bits) << 16};
}
/// Both halves of a signed pair, saturated to bytes 0 and 1.
GPUEXEC_OP u16 v_sat_pk_u8_i16(P16 a) {
  i32 low = i16(a.bits), high = i16(a.bits >> 16);
  low = low < 0 ? 0 : low > 255 ? 255 : low;
  high = high < 0 ? 0 : high > 255 ? 255 : high;
  return u16(low | high << 8);
}

// Dot products of halves, bytes and nibbles with a 32-bit sum.
GPUEXEC_OP u32 field_u(u32 v, unsigned bits, unsigned i) {
  return (v >> (bits * i)) & ((1u << bits) - 1);
}
GPUEXEC_OP i32 field_i(u32 v, unsigned bits, unsigned i) {
  return i32(v << (32 - bits * (i + 1))) >> (32 - bits);
}
template <unsigned BITS> GPUEXEC_OP u64 dot_u(u32 a, u32 b, u32 c) {
  u64 sum = c;
  for (unsigned i = 0; i < 32 / BITS; ++i)
    sum += u64(field_u(a, BITS, i)) * field_u(b, BITS, i);
  return sum;
}
template <unsigned BITS> GPUEXEC_OP i64 dot_i(u32 a, u32 b, i32 c) {
  i64 sum = c;
  for (unsigned i = 0; i < 32 / BITS; ++i)
    sum += i64(field_i(a, BITS, i)) * field_i(b, BITS, i);
  return sum;
}
GPUEXEC_OP u32 saturate_sum(u64 sum) { return sum >> 32 ? ~0u : u32(sum); }
GPUEXEC_OP i32 v_dot2_i32_i16(P16 a, P16 b, i32 c) {
  return i32(dot_i<16>(a.bits, b.bits, c));
}
GPUEXEC_OP i32 v_dot2_i32_i16_sat(P16 a, P16 b, i32 c) {
  return saturate_i32(dot_i<16>(a.bits, b.bits, c));
}
GPUEXEC_OP u32 v_dot2_u32_u16(P16 a, P16 b, u32 c) {
  return u32(dot_u<16>(a.bits, b.bits, c));
}
GPUEXEC_OP u32 v_dot2_u32_u16_sat(P16 a, P16 b, u32 c) {
  return saturate_sum(dot_u<16>(a.bits, b.bits, c));
}
GPUEXEC_OP i32 v_dot4_i32_i8(u32 a, u32 b, i32 c) {
  return i32(dot_i<8>(a, b, c));
}
GPUEXEC_OP i32 v_dot4_i32_i8_sat(u32 a, u32 b, i32 c) {
  return saturate_i32(dot_i<8>(a, b, c));
}
GPUEXEC_OP u32 v_dot4_u32_u8(u32 a, u32 b, u32 c) {
  return u32(dot_u<8>(a, b, c));
}
GPUEXEC_OP u32 v_dot4_u32_u8_sat(u32 a, u32 b, u32 c) {
  return saturate_sum(dot_u<8>(a, b, c));
}
GPUEXEC_OP i32 v_dot8_i32_i4(u32 a, u32 b, i32 c) {
  return i32(dot_i<4>(a, b, c));
}
GPUEXEC_OP i32 v_dot8_i32_i4_sat(u32 a, u32 b, i32 c) {
  return saturate_i32(dot_i<4>(a, b, c));
}
GPUEXEC_OP u32 v_dot8_u32_u4(u32 a, u32 b, u32 c) {
  return u32(dot_u<4>(a, b, c));
}
GPUEXEC_OP u32 v_dot8_u32_u4_sat(u32 a, u32 b, u32 c) {
  return saturate_sum(dot_u<4>(a, b, c));
}

/// RDNA 3 on: neg_lo says which source's fields are signed; the decoder turns it
/// into the end of the name.
template <unsigned BITS, bool SIGNED_0, bool SIGNED_1>
GPUEXEC_OP i64 dot_iu(u32 a, u32 b, i32 c) {
  i64 sum = c;
  for (unsigned i = 0; i < 32 / BITS; ++i)
    sum += (SIGNED_0 ? i64(field_i(a, BITS, i)) : i64(field_u(a, BITS, i))) *
           (SIGNED_1 ? i64(field_i(b, BITS, i)) : i64(field_u(b, BITS, i)));
  return sum;
}
#define GPUEXEC_DOT_IU(name, BITS, SIGNED_0, SIGNED_1)                         \
  GPUEXEC_OP i32 name(u32 a, u32 b, i32 c) {                                   \
    return i32(dot_iu<BITS, SIGNED_0, SIGNED_1>(a, b, c));                     \
  }                                                                            \
  GPUEXEC_OP i32 name##_sat(u32 a, u32 b, i32 c) {                             \
    return saturate_i32(dot_iu<BITS, SIGNED_0, SIGNED_1>(a, b, c));            \
  }
GPUEXEC_DOT_IU(v_dot4_i32_iu8, 8, false, false)
GPUEXEC_DOT_IU(v_dot4_i32_iu8_s0, 8, true, false)
GPUEXEC_DOT_IU(v_dot4_i32_iu8_s1, 8, false, true)
GPUEXEC_DOT_IU(v_dot4_i32_iu8_s01, 8, true, true)
GPUEXEC_DOT_IU(v_dot8_i32_iu4, 4, false, false)
GPUEXEC_DOT_IU(v_dot8_i32_iu4_s0, 4, true, false)
GPUEXEC_DOT_IU(v_dot8_i32_iu4_s1, 4, false, true)
GPUEXEC_DOT_IU(v_dot8_i32_iu4_s01, 4, true, true)
#undef GPUEXEC_DOT_IU

GPUEXEC_OP i32 v_dot2c_i32_i16(P16 a, P16 b, i32 old) {
  return v_dot2_i32_i16(a, b, old);
}
GPUEXEC_OP i32 v_dot4c_i32_i8(u32 a, u32 b, i32 old) {
  return v_dot4_i32_i8(a, b, old);
}
GPUEXEC_OP i32 v_dot8c_i32_i4(u32 a, u32 b, i32 old) {
  return v_dot8_i32_i4(a, b, old);
}

/// Sums of absolute differences of b's four bytes and the bytes of a at four
/// offsets, added to the four halves of c.
template <bool MASKED>
GPUEXEC_OP u64 quad_sad(u64 a, u32 b, u64 c, bool saturate) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    u32 sum = u16(c >> (16 * i));
    for (unsigned j = 0; j < 4; ++j) {
      i32 x = u8(a >> (8 * (i + j))), y = u8(b >> (8 * j));
      sum += MASKED && y == 0 ? 0 : u32(x > y ? x - y : y - x);
    }
    result |= u64(saturate && sum > 0xffff ? 0xffff : u16(sum)) << (16 * i);
  }
  return result;
}
GPUEXEC_OP u64 v_qsad_pk_u16_u8(u64 a, u32 b, u64 c) {
  return quad_sad<false>(a, b, c, false);
}
GPUEXEC_OP u64 v_qsad_pk_u16_u8_sat(u64 a, u32 b, u64 c) {
  return quad_sad<false>(a, b, c, true);
}
GPUEXEC_OP u64 v_mqsad_pk_u16_u8(u64 a, u32 b, u64 c) {
  return quad_sad<true>(a, b, c, false);
}
GPUEXEC_OP u64 v_mqsad_pk_u16_u8_sat(u64 a, u32 b, u64 c) {
  return quad_sad<true>(a, b, c, true);
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_INT16_H
