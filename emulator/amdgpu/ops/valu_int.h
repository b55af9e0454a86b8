//===-- emulator/amdgpu/ops/valu_int.h - 32- and 64-bit integer VALU ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer, logic, shift and move instructions of VOP1, VOP2 and VOP3. Shift
// counts use only as many low bits as the width needs, as the hardware does.
// Convention: types.h.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; valu.def says what they mean.
// clang-format off
VALU(v_mov_b32)
VALU(v_mov_b64)
VALU(v_accvgpr_read_b32)
VALU(v_accvgpr_write_b32)
VALU(v_accvgpr_mov_b32)
VALU(v_cndmask_b32)
VALU(v_not_b32)
VALU(v_and_b32)
VALU(v_or_b32)
VALU(v_xor_b32)
VALU(v_xnor_b32)
VALU(v_or3_b32)
VALU(v_and_or_b32)
VALU(v_bfi_b32)
VALU(v_lshlrev_b32)
VALU(v_lshrrev_b32)
VALU(v_ashrrev_i32)
VALU(v_lshlrev_b64)
VALU(v_lshrrev_b64)
VALU(v_ashrrev_i64)
VALU(v_lshl_add_u32)
VALU(v_add_lshl_u32)
VALU(v_lshl_or_b32)
VALU(v_lshl_add_u64)
VALU(v_alignbit_b32)
VALU(v_alignbyte_b32)
VALU(v_bfe_u32)
VALU(v_bfe_i32)
VALU(v_bfm_b32)
VALU(v_bfrev_b32)
VALU(v_bcnt_u32_b32)
VALU(v_ffbh_u32)
VALU(v_ffbl_b32)
VALU(v_ffbh_i32)
VALU(v_mbcnt_lo_u32_b32)
VALU(v_mbcnt_hi_u32_b32)
VALU_SAT(v_add_u32)
VALU_SAT(v_sub_u32)
VALU_SAT(v_subrev_u32)
VALU_SAT(v_add_i32)
VALU_SAT(v_sub_i32)
VALU(v_add3_u32)
VALU(v_xad_u32)
VALU_SAT(v_add_co_u32)
VALU_SAT(v_sub_co_u32)
VALU_SAT(v_subrev_co_u32)
VALU_SAT(v_addc_co_u32)
VALU_SAT(v_subb_co_u32)
VALU_SAT(v_subbrev_co_u32)
VALU(v_mul_lo_u32)
VALU(v_mul_lo_i32)
VALU(v_mul_hi_u32)
VALU(v_mul_hi_i32)
VALU(v_mul_u32_u24)
VALU(v_mul_i32_i24)
VALU(v_mul_hi_u32_u24)
VALU(v_mul_hi_i32_i24)
VALU_SAT(v_mad_u32_u24)
VALU_SAT(v_mad_i32_i24)
VALU(v_mad_u64_u32)
VALU(v_mad_i64_i32)
VALU(v_min_u32)
VALU(v_max_u32)
VALU(v_min_i32)
VALU(v_max_i32)
VALU(v_min3_u32)
VALU(v_max3_u32)
VALU(v_min3_i32)
VALU(v_max3_i32)
VALU(v_med3_u32)
VALU(v_med3_i32)
VALU(v_perm_b32)
VALU_SAT(v_sad_u8)
VALU_SAT(v_sad_hi_u8)
VALU_SAT(v_sad_u16)
VALU_SAT(v_sad_u32)
VALU_SAT(v_msad_u8)
VALU(v_lerp_u8)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_INT_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_INT_H

#include "emulator/amdgpu/ops/types.h"

namespace gpuexec::emulator::ops {

// Moves and selection.
GPUEXEC_OP u32 v_mov_b32(u32 a) { return a; }
GPUEXEC_OP u64 v_mov_b64(u64 a) { return a; }
GPUEXEC_OP u32 v_accvgpr_read_b32(u32 a) { return a; }
GPUEXEC_OP u32 v_accvgpr_write_b32(u32 a) { return a; }
GPUEXEC_OP u32 v_accvgpr_mov_b32(u32 a) { return a; }
GPUEXEC_OP u32 v_cndmask_b32(u32 a, u32 b, bool take_b) {
  return take_b ? b : a;
}

// Logic.
GPUEXEC_OP u32 v_not_b32(u32 a) { return ~a; }
GPUEXEC_OP u32 v_and_b32(u32 a, u32 b) { return a & b; }
GPUEXEC_OP u32 v_or_b32(u32 a, u32 b) { return a | b; }
GPUEXEC_OP u32 v_xor_b32(u32 a, u32 b) { return a ^ b; }
GPUEXEC_OP u32 v_xnor_b32(u32 a, u32 b) { return ~(a ^ b); }
GPUEXEC_OP u32 v_or3_b32(u32 a, u32 b, u32 c) { return a | b | c; }
GPUEXEC_OP u32 v_and_or_b32(u32 a, u32 b, u32 c) { return (a & b) | c; }
GPUEXEC_OP u32 v_bfi_b32(u32 mask, u32 a, u32 b) {
  return (mask & a) | (~mask & b);
}

// Shifts. "rev" shifts take the count first.
GPUEXEC_OP u32 v_lshlrev_b32(u32 n, u32 a) { return a << (n & 31); }
GPUEXEC_OP u32 v_lshrrev_b32(u32 n, u32 a) { return a >> (n & 31); }
GPUEXEC_OP i32 v_ashrrev_i32(u32 n, i32 a) { return a >> (n & 31); }
GPUEXEC_OP u64 v_lshlrev_b64(u32 n, u64 a) { return a << (n & 63); }
GPUEXEC_OP u64 v_lshrrev_b64(u32 n, u64 a) { return a >> (n & 63); }
GPUEXEC_OP i64 v_ashrrev_i64(u32 n, i64 a) { return a >> (n & 63); }
GPUEXEC_OP u32 v_lshl_add_u32(u32 a, u32 n, u32 b) {
  return (a << (n & 31)) + b;
}
GPUEXEC_OP u32 v_add_lshl_u32(u32 a, u32 b, u32 n) {
  return (a + b) << (n & 31);
}
GPUEXEC_OP u32 v_lshl_or_b32(u32 a, u32 n, u32 b) {
  return (a << (n & 31)) | b;
}
/// The count is 3 bits wide; the unsupported 5 to 7 shift by zero.
GPUEXEC_OP u64 v_lshl_add_u64(u64 a, u32 n, u64 b) {
  return ((n & 7) > 4 ? a : a << (n & 7)) + b;
}
GPUEXEC_OP u32 v_alignbit_b32(u32 high, u32 low, u32 n) {
  return u32((u64(high) << 32 | low) >> (n & 31));
}
GPUEXEC_OP u32 v_alignbyte_b32(u32 high, u32 low, u32 n) {
  return u32((u64(high) << 32 | low) >> (8 * (n & 3)));
}

// Bit fields and counts.
GPUEXEC_OP u32 v_bfe_u32(u32 a, u32 offset, u32 width) {
  return (a >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
GPUEXEC_OP i32 v_bfe_i32(i32 a, u32 offset, u32 width) {
  u32 n = width & 31;
  u32 field = (u32(a >> (offset & 31))) & ((1u << n) - 1);
  u32 sign = n ? 1u << (n - 1) : 0;
  return i32((field ^ sign) - sign);
}
GPUEXEC_OP u32 v_bfm_b32(u32 width, u32 offset) {
  return ((1u << (width & 31)) - 1) << (offset & 31);
}
GPUEXEC_OP u32 v_bfrev_b32(u32 a) { return __builtin_bitreverse32(a); }
GPUEXEC_OP u32 v_bcnt_u32_b32(u32 a, u32 b) {
  return u32(__builtin_popcount(a)) + b;
}
/// Number of the first bit that is set, from the top; all ones if none is.
GPUEXEC_OP u32 v_ffbh_u32(u32 a) { return a ? u32(__builtin_clz(a)) : ~0u; }
GPUEXEC_OP u32 v_ffbl_b32(u32 a) { return a ? u32(__builtin_ctz(a)) : ~0u; }
/// Number of the first bit, from the top, that differs from the sign; all ones
/// if none does.
GPUEXEC_OP u32 v_ffbh_i32(i32 a) { return v_ffbh_u32(u32(a ^ (a >> 31))); }
/// Counts the mask's bits below this lane: lo has the mask of lanes 0 to 31, hi
/// that of lanes 32 to 63.
GPUEXEC_OP u32 v_mbcnt_lo_u32_b32(LaneId lane, u32 mask, u32 b) {
  u32 below = lane.value >= 32 ? ~0u : (1u << lane.value) - 1;
  return u32(__builtin_popcount(mask & below)) + b;
}
GPUEXEC_OP u32 v_mbcnt_hi_u32_b32(LaneId lane, u32 mask, u32 b) {
  u32 below = lane.value >= 32 ? (1u << (lane.value & 31)) - 1 : 0;
  return u32(__builtin_popcount(mask & below)) + b;
}

// Addition and subtraction.
GPUEXEC_OP u32 v_add_u32(u32 a, u32 b) { return a + b; }
GPUEXEC_OP u32 v_add_u32_sat(u32 a, u32 b) { return a + b < a ? ~0u : a + b; }
GPUEXEC_OP u32 v_sub_u32(u32 a, u32 b) { return a - b; }
GPUEXEC_OP u32 v_sub_u32_sat(u32 a, u32 b) { return a < b ? 0 : a - b; }
GPUEXEC_OP u32 v_subrev_u32(u32 a, u32 b) { return b - a; }
GPUEXEC_OP u32 v_subrev_u32_sat(u32 a, u32 b) { return v_sub_u32_sat(b, a); }
GPUEXEC_OP i32 v_add_i32(i32 a, i32 b) { return i32(u32(a) + u32(b)); }
GPUEXEC_OP i32 v_add_i32_sat(i32 a, i32 b) { return saturate_i32(i64(a) + b); }
GPUEXEC_OP i32 v_sub_i32(i32 a, i32 b) { return i32(u32(a) - u32(b)); }
GPUEXEC_OP i32 v_sub_i32_sat(i32 a, i32 b) { return saturate_i32(i64(a) - b); }
GPUEXEC_OP u32 v_add3_u32(u32 a, u32 b, u32 c) { return a + b + c; }
GPUEXEC_OP u32 v_xad_u32(u32 a, u32 b, u32 c) { return (a ^ b) + c; }

// With carry: the bit is carry or borrow out.
GPUEXEC_OP WithBit<u32> v_add_co_u32(u32 a, u32 b) {
  return {a + b, a + b < a};
}
GPUEXEC_OP WithBit<u32> v_sub_co_u32(u32 a, u32 b) { return {a - b, a < b}; }
GPUEXEC_OP WithBit<u32> v_subrev_co_u32(u32 a, u32 b) { return {b - a, b < a}; }
GPUEXEC_OP WithBit<u32> v_addc_co_u32(u32 a, u32 b, bool carry) {
  u32 sum = a + b;
  return {sum + carry, bool((sum < a) | (sum + carry < sum))};
}
GPUEXEC_OP WithBit<u32> v_subb_co_u32(u32 a, u32 b, bool borrow) {
  return {a - b - borrow, bool((a < b) | ((a == b) & borrow))};
}
GPUEXEC_OP WithBit<u32> v_subbrev_co_u32(u32 a, u32 b, bool borrow) {
  return v_subb_co_u32(b, a, borrow);
}
GPUEXEC_OP WithBit<u32> v_add_co_u32_sat(u32 a, u32 b) {
  return {v_add_u32_sat(a, b), a + b < a};
}
GPUEXEC_OP WithBit<u32> v_sub_co_u32_sat(u32 a, u32 b) {
  return {v_sub_u32_sat(a, b), a < b};
}
GPUEXEC_OP WithBit<u32> v_subrev_co_u32_sat(u32 a, u32 b) {
  return v_sub_co_u32_sat(b, a);
}
GPUEXEC_OP WithBit<u32> v_addc_co_u32_sat(u32 a, u32 b, bool carry) {
  WithBit<u32> sum = v_addc_co_u32(a, b, carry);
  return {sum.bit ? ~0u : sum.value, sum.bit};
}
GPUEXEC_OP WithBit<u32> v_subb_co_u32_sat(u32 a, u32 b, bool borrow) {
  WithBit<u32> difference = v_subb_co_u32(a, b, borrow);
  return {difference.bit ? 0 : difference.value, difference.bit};
}
GPUEXEC_OP WithBit<u32> v_subbrev_co_u32_sat(u32 a, u32 b, bool borrow) {
  return v_subb_co_u32_sat(b, a, borrow);
}

// Multiplication. 24-bit ones use the low 24 bits of their factors.
GPUEXEC_OP u32 low24(u32 a) { return a & 0xffffff; }
GPUEXEC_OP i32 low24(i32 a) { return i32(u32(a) << 8) >> 8; }
GPUEXEC_OP u32 v_mul_lo_u32(u32 a, u32 b) { return a * b; }
GPUEXEC_OP u32 v_mul_lo_i32(u32 a, u32 b) { return a * b; }
GPUEXEC_OP u32 v_mul_hi_u32(u32 a, u32 b) { return u32((u64(a) * b) >> 32); }
GPUEXEC_OP i32 v_mul_hi_i32(i32 a, i32 b) { return i32((i64(a) * b) >> 32); }
GPUEXEC_OP u32 v_mul_u32_u24(u32 a, u32 b) { return low24(a) * low24(b); }
GPUEXEC_OP i32 v_mul_i32_i24(i32 a, i32 b) {
  return i32(i64(low24(a)) * low24(b));
}
GPUEXEC_OP u32 v_mul_hi_u32_u24(u32 a, u32 b) {
  return u32((u64(low24(a)) * low24(b)) >> 32);
}
GPUEXEC_OP i32 v_mul_hi_i32_i24(i32 a, i32 b) {
  return i32((i64(low24(a)) * low24(b)) >> 32);
}
GPUEXEC_OP u32 v_mad_u32_u24(u32 a, u32 b, u32 c) {
  return low24(a) * low24(b) + c;
}
GPUEXEC_OP u32 v_mad_u32_u24_sat(u32 a, u32 b, u32 c) {
  u64 sum = u64(low24(a)) * low24(b) + c;
  return sum >> 32 ? ~0u : u32(sum);
}
GPUEXEC_OP i32 v_mad_i32_i24(i32 a, i32 b, i32 c) {
  return i32(u64(i64(low24(a)) * low24(b)) + u64(i64(c)));
}
GPUEXEC_OP i32 v_mad_i32_i24_sat(i32 a, i32 b, i32 c) {
  return saturate_i32(i64(low24(a)) * low24(b) + c);
}
GPUEXEC_OP WithBit<u64> v_mad_u64_u32(u32 a, u32 b, u64 c) {
  u64 sum = u64(a) * b + c;
  return {sum, sum < c};
}
/// The bit is the sign of the 65-bit sum.
GPUEXEC_OP WithBit<i64> v_mad_i64_i32(i32 a, i32 b, i64 c) {
  i64 sum;
  bool overflow = __builtin_add_overflow(i64(a) * b, c, &sum);
  return {sum, (sum < 0) != overflow};
}

// Minimum, maximum, median.
GPUEXEC_OP u32 v_min_u32(u32 a, u32 b) { return a < b ? a : b; }
GPUEXEC_OP u32 v_max_u32(u32 a, u32 b) { return a > b ? a : b; }
GPUEXEC_OP i32 v_min_i32(i32 a, i32 b) { return a < b ? a : b; }
GPUEXEC_OP i32 v_max_i32(i32 a, i32 b) { return a > b ? a : b; }
GPUEXEC_OP u32 v_min3_u32(u32 a, u32 b, u32 c) {
  return v_min_u32(v_min_u32(a, b), c);
}
GPUEXEC_OP u32 v_max3_u32(u32 a, u32 b, u32 c) {
  return v_max_u32(v_max_u32(a, b), c);
}
GPUEXEC_OP i32 v_min3_i32(i32 a, i32 b, i32 c) {
  return v_min_i32(v_min_i32(a, b), c);
}
GPUEXEC_OP i32 v_max3_i32(i32 a, i32 b, i32 c) {
  return v_max_i32(v_max_i32(a, b), c);
}
GPUEXEC_OP u32 v_med3_u32(u32 a, u32 b, u32 c) {
  return v_max_u32(v_min_u32(a, b), v_min_u32(v_max_u32(a, b), c));
}
GPUEXEC_OP i32 v_med3_i32(i32 a, i32 b, i32 c) {
  return v_max_i32(v_min_i32(a, b), v_min_i32(v_max_i32(a, b), c));
}

// Bytes.
/// One byte of v_perm_b32: selector 0-7 names a byte of {a, b} (b is low),
/// 8-11 repeat the sign of bytes 1, 3, 5, 7, 12 is 0 and above is 0xff.
GPUEXEC_OP u32 perm_byte(u64 bytes, u32 selector) {
  u32 byte = u32(bytes >> (8 * (selector & 7))) & 0xff;
  u32 sign = (bytes >> (16 * (selector & 3) + 15)) & 1 ? 0xffu : 0u;
  u32 constant = selector == 12 ? 0u : 0xffu;
  return selector < 8 ? byte : selector < 12 ? sign : constant;
}
GPUEXEC_OP u32 v_perm_b32(u32 a, u32 b, u32 selectors) {
  u64 bytes = u64(a) << 32 | b;
  return perm_byte(bytes, selectors & 0xff) |
         perm_byte(bytes, (selectors >> 8) & 0xff) << 8 |
         perm_byte(bytes, (selectors >> 16) & 0xff) << 16 |
         perm_byte(bytes, selectors >> 24) << 24;
}
GPUEXEC_OP u32 byte_of(u32 a, unsigned i) { return (a >> (8 * i)) & 0xff; }
GPUEXEC_OP u32 distance(u32 a, u32 b) { return a > b ? a - b : b - a; }
GPUEXEC_OP u32 v_sad_u8(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 4; ++i)
    c += distance(byte_of(a, i), byte_of(b, i));
  return c;
}
GPUEXEC_OP u32 v_sad_u8_sat(u32 a, u32 b, u32 c) {
  return v_add_u32_sat(v_sad_u8(a, b, 0), c);
}
GPUEXEC_OP u32 v_sad_hi_u8(u32 a, u32 b, u32 c) {
  return (v_sad_u8(a, b, 0) << 16) + c;
}
GPUEXEC_OP u32 v_sad_hi_u8_sat(u32 a, u32 b, u32 c) {
  return v_add_u32_sat(v_sad_u8(a, b, 0) << 16, c);
}
GPUEXEC_OP u32 v_sad_u16(u32 a, u32 b, u32 c) {
  return distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16) + c;
}
GPUEXEC_OP u32 v_sad_u16_sat(u32 a, u32 b, u32 c) {
  return v_add_u32_sat(v_sad_u16(a, b, 0), c);
}
GPUEXEC_OP u32 v_sad_u32(u32 a, u32 b, u32 c) { return distance(a, b) + c; }
GPUEXEC_OP u32 v_sad_u32_sat(u32 a, u32 b, u32 c) {
  return v_add_u32_sat(distance(a, b), c);
}
/// Masked: a zero byte of the reference `b` does not count.
GPUEXEC_OP u32 v_msad_u8(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 4; ++i)
    c += byte_of(b, i) ? distance(byte_of(a, i), byte_of(b, i)) : 0;
  return c;
}
GPUEXEC_OP u32 v_msad_u8_sat(u32 a, u32 b, u32 c) {
  return v_add_u32_sat(v_msad_u8(a, b, 0), c);
}
GPUEXEC_OP u32 v_lerp_u8(u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= ((byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1)) >> 1)
              << (8 * i);
  return result;
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_INT_H
