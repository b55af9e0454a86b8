//===-- emulator/amdgpu/ops/salu.h - Scalar ALU instructions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SOP1, SOP2, SOPC and SOPK as pure functions. Instructions that need the wave
// (program counter, MODE, messages, relative moves) are not here. The functions
// of s_*_saveexec and s_andn*_wrexec are the logic functions below, applied to
// (source, exec): see salu.def. Convention: types.h.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; salu.def says what they mean.
// clang-format off
SALU(s_mov_b32)
SALU(s_mov_b64)
SALU(s_movk_i32)
SALU_TIED(s_cmov_b32)
SALU_TIED(s_cmov_b64)
SALU_TIED(s_cmovk_i32)
SALU(s_cselect_b32)
SALU(s_cselect_b64)
SALU(s_add_u32)
SALU(s_sub_u32)
SALU(s_addc_u32)
SALU(s_subb_u32)
SALU(s_add_i32)
SALU(s_sub_i32)
SALU_TIED(s_addk_i32)
SALU(s_abs_i32)
SALU(s_absdiff_i32)
SALU(s_lshl1_add_u32)
SALU(s_lshl2_add_u32)
SALU(s_lshl3_add_u32)
SALU(s_lshl4_add_u32)
SALU(s_mul_i32)
SALU_TIED(s_mulk_i32)
SALU(s_mul_hi_u32)
SALU(s_mul_hi_i32)
SALU(s_min_i32)
SALU(s_min_u32)
SALU(s_max_i32)
SALU(s_max_u32)
SALU(s_not_b32)
SALU(s_not_b64)
SALU(s_and_b32)
SALU(s_and_b64)
SALU(s_or_b32)
SALU(s_or_b64)
SALU(s_xor_b32)
SALU(s_xor_b64)
SALU(s_andn2_b32)
SALU(s_andn2_b64)
SALU(s_orn2_b32)
SALU(s_orn2_b64)
SALU(s_nand_b32)
SALU(s_nand_b64)
SALU(s_nor_b32)
SALU(s_nor_b64)
SALU(s_xnor_b32)
SALU(s_xnor_b64)
SALU(s_lshl_b32)
SALU(s_lshl_b64)
SALU(s_lshr_b32)
SALU(s_lshr_b64)
SALU(s_ashr_i32)
SALU(s_ashr_i64)
SALU(s_bfm_b32)
SALU(s_bfm_b64)
SALU(s_bfe_u32)
SALU(s_bfe_i32)
SALU(s_bfe_u64)
SALU(s_bfe_i64)
SALU_TIED(s_bitset0_b32)
SALU_TIED(s_bitset0_b64)
SALU_TIED(s_bitset1_b32)
SALU_TIED(s_bitset1_b64)
SALU(s_bitreplicate_b64_b32)
SALU(s_bcnt0_i32_b32)
SALU(s_bcnt0_i32_b64)
SALU(s_bcnt1_i32_b32)
SALU(s_bcnt1_i32_b64)
SALU(s_ff1_i32_b32)
SALU(s_ff1_i32_b64)
SALU(s_ff0_i32_b32)
SALU(s_ff0_i32_b64)
SALU(s_flbit_i32_b32)
SALU(s_flbit_i32_b64)
SALU(s_flbit_i32)
SALU(s_flbit_i32_i64)
SALU(s_brev_b32)
SALU(s_brev_b64)
SALU(s_sext_i32_i8)
SALU(s_sext_i32_i16)
SALU(s_pack_ll_b32_b16)
SALU(s_pack_lh_b32_b16)
SALU(s_pack_hh_b32_b16)
SALU(s_pack_hl_b32_b16)
SALU(s_wqm_b64)
SALU(s_wqm_b32)
SALU(s_quadmask_b64)
SALU(s_quadmask_b32)
SALU(s_cmp_eq_i32)
SALU(s_cmp_lg_i32)
SALU(s_cmp_gt_i32)
SALU(s_cmp_ge_i32)
SALU(s_cmp_lt_i32)
SALU(s_cmp_le_i32)
SALU(s_cmp_eq_u32)
SALU(s_cmp_lg_u32)
SALU(s_cmp_gt_u32)
SALU(s_cmp_ge_u32)
SALU(s_cmp_lt_u32)
SALU(s_cmp_le_u32)
SALU(s_cmp_eq_u64)
SALU(s_cmp_lg_u64)
SALU(s_bitcmp0_b32)
SALU(s_bitcmp1_b32)
SALU(s_bitcmp0_b64)
SALU(s_bitcmp1_b64)
SALU(s_cmpk_eq_i32)
SALU(s_cmpk_lg_i32)
SALU(s_cmpk_gt_i32)
SALU(s_cmpk_ge_i32)
SALU(s_cmpk_lt_i32)
SALU(s_cmpk_le_i32)
SALU(s_cmpk_eq_u32)
SALU(s_cmpk_lg_u32)
SALU(s_cmpk_gt_u32)
SALU(s_cmpk_ge_u32)
SALU(s_cmpk_lt_u32)
SALU(s_cmpk_le_u32)

// Source first, exec second: s_andn2_saveexec is source & ~exec.
SALU_SAVEEXEC(s_and_saveexec_b64, s_and_b64)
SALU_SAVEEXEC(s_or_saveexec_b64, s_or_b64)
SALU_SAVEEXEC(s_xor_saveexec_b64, s_xor_b64)
SALU_SAVEEXEC(s_andn2_saveexec_b64, s_andn2_b64)
SALU_SAVEEXEC(s_orn2_saveexec_b64, s_orn2_b64)
SALU_SAVEEXEC(s_nand_saveexec_b64, s_nand_b64)
SALU_SAVEEXEC(s_nor_saveexec_b64, s_nor_b64)
SALU_SAVEEXEC(s_xnor_saveexec_b64, s_xnor_b64)
SALU_SAVEEXEC(s_andn1_saveexec_b64, s_andn1_b64)
SALU_SAVEEXEC(s_orn1_saveexec_b64, s_orn1_b64)
// RDNA, waves of 32 lanes.
SALU_SAVEEXEC(s_and_saveexec_b32, s_and_b32)
SALU_SAVEEXEC(s_or_saveexec_b32, s_or_b32)
SALU_SAVEEXEC(s_xor_saveexec_b32, s_xor_b32)
SALU_SAVEEXEC(s_andn2_saveexec_b32, s_andn2_b32)
SALU_SAVEEXEC(s_orn2_saveexec_b32, s_orn2_b32)
SALU_SAVEEXEC(s_nand_saveexec_b32, s_nand_b32)
SALU_SAVEEXEC(s_nor_saveexec_b32, s_nor_b32)
SALU_SAVEEXEC(s_xnor_saveexec_b32, s_xnor_b32)
SALU_SAVEEXEC(s_andn1_saveexec_b32, s_andn1_b32)
SALU_SAVEEXEC(s_orn1_saveexec_b32, s_orn1_b32)
SALU_WREXEC(s_andn1_wrexec_b32, s_andn1_b32)
SALU_WREXEC(s_andn2_wrexec_b32, s_andn2_b32)
SALU_WREXEC(s_andn1_wrexec_b64, s_andn1_b64)
SALU_WREXEC(s_andn2_wrexec_b64, s_andn2_b64)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_SALU_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_SALU_H

#include "emulator/amdgpu/ops/salu_rdna.h"
#include "emulator/amdgpu/ops/types.h"

namespace gpuexec::emulator::ops {

/// The result of a logic instruction, which sets scc if it is not zero.
template <typename T> GPUEXEC_OP WithScc<T> nonzero(T value) {
  return {value, value != 0};
}

// Moves.
GPUEXEC_OP u32 s_mov_b32(u32 a) { return a; }
GPUEXEC_OP u64 s_mov_b64(u64 a) { return a; }
GPUEXEC_OP u32 s_movk_i32(u32 a) { return a; }
GPUEXEC_OP u32 s_cmov_b32(u32 old, u32 a, bool scc) { return scc ? a : old; }
GPUEXEC_OP u64 s_cmov_b64(u64 old, u64 a, bool scc) { return scc ? a : old; }
GPUEXEC_OP u32 s_cmovk_i32(u32 old, u32 a, bool scc) { return scc ? a : old; }
GPUEXEC_OP u32 s_cselect_b32(u32 a, u32 b, bool scc) { return scc ? a : b; }
GPUEXEC_OP u64 s_cselect_b64(u64 a, u64 b, bool scc) { return scc ? a : b; }

// Addition and subtraction: scc is carry or borrow (u32) or signed overflow
// (i32).
GPUEXEC_OP WithScc<u32> s_add_u32(u32 a, u32 b) { return {a + b, a + b < a}; }
GPUEXEC_OP WithScc<u32> s_sub_u32(u32 a, u32 b) { return {a - b, a < b}; }
GPUEXEC_OP WithScc<u32> s_addc_u32(u32 a, u32 b, bool scc) {
  u64 sum = u64(a) + b + scc;
  return {u32(sum), sum >> 32 != 0};
}
GPUEXEC_OP WithScc<u32> s_subb_u32(u32 a, u32 b, bool scc) {
  return {a - b - scc, u64(b) + scc > a};
}
GPUEXEC_OP WithScc<i32> s_add_i32(i32 a, i32 b) {
  i32 sum;
  bool overflow = __builtin_add_overflow(a, b, &sum);
  return {sum, overflow};
}
GPUEXEC_OP WithScc<i32> s_sub_i32(i32 a, i32 b) {
  i32 difference;
  bool overflow = __builtin_sub_overflow(a, b, &difference);
  return {difference, overflow};
}
GPUEXEC_OP WithScc<i32> s_addk_i32(i32 old, i32 a) { return s_add_i32(old, a); }
GPUEXEC_OP WithScc<u32> s_abs_i32(i32 a) {
  return nonzero(a < 0 ? 0 - u32(a) : u32(a));
}
GPUEXEC_OP WithScc<u32> s_absdiff_i32(i32 a, i32 b) {
  return s_abs_i32(i32(u32(a) - u32(b)));
}
GPUEXEC_OP WithScc<u32> shift_add(u32 a, unsigned n, u32 b) {
  u64 sum = (u64(a) << n) + b;
  return {u32(sum), sum >> 32 != 0};
}
GPUEXEC_OP WithScc<u32> s_lshl1_add_u32(u32 a, u32 b) {
  return shift_add(a, 1, b);
}
GPUEXEC_OP WithScc<u32> s_lshl2_add_u32(u32 a, u32 b) {
  return shift_add(a, 2, b);
}
GPUEXEC_OP WithScc<u32> s_lshl3_add_u32(u32 a, u32 b) {
  return shift_add(a, 3, b);
}
GPUEXEC_OP WithScc<u32> s_lshl4_add_u32(u32 a, u32 b) {
  return shift_add(a, 4, b);
}

// Multiplication leaves scc alone.
GPUEXEC_OP u32 s_mul_i32(u32 a, u32 b) { return a * b; }
GPUEXEC_OP u32 s_mulk_i32(u32 old, u32 a) { return old * a; }
GPUEXEC_OP u32 s_mul_hi_u32(u32 a, u32 b) { return u32((u64(a) * b) >> 32); }
GPUEXEC_OP i32 s_mul_hi_i32(i32 a, i32 b) { return i32((i64(a) * b) >> 32); }

// Minimum and maximum: scc says that the first operand was taken.
GPUEXEC_OP WithScc<i32> s_min_i32(i32 a, i32 b) {
  return {a < b ? a : b, a < b};
}
GPUEXEC_OP WithScc<u32> s_min_u32(u32 a, u32 b) {
  return {a < b ? a : b, a < b};
}
GPUEXEC_OP WithScc<i32> s_max_i32(i32 a, i32 b) {
  return {a > b ? a : b, a > b};
}
GPUEXEC_OP WithScc<u32> s_max_u32(u32 a, u32 b) {
  return {a > b ? a : b, a > b};
}

// Logic. n1 negates the first operand, n2 the second.
GPUEXEC_OP WithScc<u32> s_not_b32(u32 a) { return nonzero(~a); }
GPUEXEC_OP WithScc<u64> s_not_b64(u64 a) { return nonzero(~a); }
GPUEXEC_OP WithScc<u32> s_and_b32(u32 a, u32 b) { return nonzero(a & b); }
GPUEXEC_OP WithScc<u64> s_and_b64(u64 a, u64 b) { return nonzero(a & b); }
GPUEXEC_OP WithScc<u32> s_or_b32(u32 a, u32 b) { return nonzero(a | b); }
GPUEXEC_OP WithScc<u64> s_or_b64(u64 a, u64 b) { return nonzero(a | b); }
GPUEXEC_OP WithScc<u32> s_xor_b32(u32 a, u32 b) { return nonzero(a ^ b); }
GPUEXEC_OP WithScc<u64> s_xor_b64(u64 a, u64 b) { return nonzero(a ^ b); }
GPUEXEC_OP WithScc<u32> s_andn2_b32(u32 a, u32 b) { return nonzero(a & ~b); }
GPUEXEC_OP WithScc<u64> s_andn2_b64(u64 a, u64 b) { return nonzero(a & ~b); }
GPUEXEC_OP WithScc<u32> s_orn2_b32(u32 a, u32 b) { return nonzero(a | ~b); }
GPUEXEC_OP WithScc<u64> s_orn2_b64(u64 a, u64 b) { return nonzero(a | ~b); }
GPUEXEC_OP WithScc<u32> s_nand_b32(u32 a, u32 b) { return nonzero(~(a & b)); }
GPUEXEC_OP WithScc<u64> s_nand_b64(u64 a, u64 b) { return nonzero(~(a & b)); }
GPUEXEC_OP WithScc<u32> s_nor_b32(u32 a, u32 b) { return nonzero(~(a | b)); }
GPUEXEC_OP WithScc<u64> s_nor_b64(u64 a, u64 b) { return nonzero(~(a | b)); }
GPUEXEC_OP WithScc<u32> s_xnor_b32(u32 a, u32 b) { return nonzero(~(a ^ b)); }
GPUEXEC_OP WithScc<u64> s_xnor_b64(u64 a, u64 b) { return nonzero(~(a ^ b)); }
GPUEXEC_OP WithScc<u32> s_andn1_b32(u32 a, u32 b) { return nonzero(~a & b); }
GPUEXEC_OP WithScc<u32> s_orn1_b32(u32 a, u32 b) { return nonzero(~a | b); }
GPUEXEC_OP WithScc<u64> s_andn1_b64(u64 a, u64 b) { return nonzero(~a & b); }
GPUEXEC_OP WithScc<u64> s_orn1_b64(u64 a, u64 b) { return nonzero(~a | b); }

// Shifts and bit fields.
GPUEXEC_OP WithScc<u32> s_lshl_b32(u32 a, u32 n) {
  return nonzero(a << (n & 31));
}
GPUEXEC_OP WithScc<u64> s_lshl_b64(u64 a, u32 n) {
  return nonzero(a << (n & 63));
}
GPUEXEC_OP WithScc<u32> s_lshr_b32(u32 a, u32 n) {
  return nonzero(a >> (n & 31));
}
GPUEXEC_OP WithScc<u64> s_lshr_b64(u64 a, u32 n) {
  return nonzero(a >> (n & 63));
}
GPUEXEC_OP WithScc<i32> s_ashr_i32(i32 a, u32 n) {
  return nonzero(a >> (n & 31));
}
GPUEXEC_OP WithScc<i64> s_ashr_i64(i64 a, u32 n) {
  return nonzero(a >> (n & 63));
}
GPUEXEC_OP u32 s_bfm_b32(u32 width, u32 offset) {
  return ((1u << (width & 31)) - 1) << (offset & 31);
}
GPUEXEC_OP u64 s_bfm_b64(u32 width, u32 offset) {
  return ((1ull << (width & 63)) - 1) << (offset & 63);
}
/// The field of s_bfe: offset in bits 4:0 (5:0 for 64 bits), width in 22:16; a
/// field that would reach beyond the top ends there.
GPUEXEC_OP u64 field_mask(u32 width) {
  return width >= 64 ? ~0ull : (1ull << width) - 1;
}
GPUEXEC_OP i64 field_sign_extend(u64 field, u32 width) {
  u64 sign = width == 0 || width > 64 ? 0 : 1ull << (width - 1);
  return i64((field ^ sign) - sign);
}
GPUEXEC_OP WithScc<u32> s_bfe_u32(u32 a, u32 field) {
  return nonzero(u32((a >> (field & 31)) & field_mask((field >> 16) & 127)));
}
GPUEXEC_OP WithScc<i32> s_bfe_i32(i32 a, u32 field) {
  u32 width = (field >> 16) & 127;
  return nonzero(i32(field_sign_extend(
      u64(i64(a) >> (field & 31)) & field_mask(width), width)));
}
GPUEXEC_OP WithScc<u64> s_bfe_u64(u64 a, u32 field) {
  return nonzero((a >> (field & 63)) & field_mask((field >> 16) & 127));
}
GPUEXEC_OP WithScc<i64> s_bfe_i64(i64 a, u32 field) {
  u32 width = (field >> 16) & 127;
  return nonzero(
      field_sign_extend(u64(a >> (field & 63)) & field_mask(width), width));
}
GPUEXEC_OP u32 s_bitset0_b32(u32 old, u32 n) { return old & ~(1u << (n & 31)); }
GPUEXEC_OP u64 s_bitset0_b64(u64 old, u32 n) {
  return old & ~(1ull << (n & 63));
}
GPUEXEC_OP u32 s_bitset1_b32(u32 old, u32 n) { return old | 1u << (n & 31); }
GPUEXEC_OP u64 s_bitset1_b64(u64 old, u32 n) { return old | 1ull << (n & 63); }
GPUEXEC_OP u64 s_bitreplicate_b64_b32(u32 a) {
  u64 result = 0;
  for (unsigned i = 0; i < 32; ++i)
    result |= u64((a >> i) & 1) * 3 << (2 * i);
  return result;
}

// Bit counts and searches; a search that finds nothing gives -1.
GPUEXEC_OP WithScc<u32> s_bcnt0_i32_b32(u32 a) {
  return nonzero(u32(__builtin_popcount(~a)));
}
GPUEXEC_OP WithScc<u32> s_bcnt0_i32_b64(u64 a) {
  return nonzero(u32(__builtin_popcountll(~a)));
}
GPUEXEC_OP WithScc<u32> s_bcnt1_i32_b32(u32 a) {
  return nonzero(u32(__builtin_popcount(a)));
}
GPUEXEC_OP WithScc<u32> s_bcnt1_i32_b64(u64 a) {
  return nonzero(u32(__builtin_popcountll(a)));
}
GPUEXEC_OP u32 s_ff1_i32_b32(u32 a) { return a ? u32(__builtin_ctz(a)) : ~0u; }
GPUEXEC_OP u32 s_ff1_i32_b64(u64 a) {
  return a ? u32(__builtin_ctzll(a)) : ~0u;
}
GPUEXEC_OP u32 s_ff0_i32_b32(u32 a) { return s_ff1_i32_b32(~a); }
GPUEXEC_OP u32 s_ff0_i32_b64(u64 a) { return s_ff1_i32_b64(~a); }
GPUEXEC_OP u32 s_flbit_i32_b32(u32 a) {
  return a ? u32(__builtin_clz(a)) : ~0u;
}
GPUEXEC_OP u32 s_flbit_i32_b64(u64 a) {
  return a ? u32(__builtin_clzll(a)) : ~0u;
}
GPUEXEC_OP u32 s_flbit_i32(i32 a) {
  return s_flbit_i32_b32(u32(a ^ (a >> 31)));
}
GPUEXEC_OP u32 s_flbit_i32_i64(i64 a) {
  return s_flbit_i32_b64(u64(a ^ (a >> 63)));
}
GPUEXEC_OP u32 s_brev_b32(u32 a) { return __builtin_bitreverse32(a); }
GPUEXEC_OP u64 s_brev_b64(u64 a) { return __builtin_bitreverse64(a); }
GPUEXEC_OP u32 s_sext_i32_i8(u32 a) { return u32(i32(i8(a))); }
GPUEXEC_OP u32 s_sext_i32_i16(u32 a) { return u32(i32(i16(a))); }
GPUEXEC_OP u32 s_pack_ll_b32_b16(u32 a, u32 b) {
  return (a & 0xffff) | b << 16;
}
GPUEXEC_OP u32 s_pack_lh_b32_b16(u32 a, u32 b) {
  return (a & 0xffff) | (b & 0xffff0000);
}
GPUEXEC_OP u32 s_pack_hh_b32_b16(u32 a, u32 b) {
  return a >> 16 | (b & 0xffff0000);
}
GPUEXEC_OP u32 s_pack_hl_b32_b16(u32 a, u32 b) { return a >> 16 | b << 16; }

// Quads of four bits: any bit set, one bit per quad or the whole quad.
GPUEXEC_OP u64 quad_any(u64 a) {
  return (a | a >> 1 | a >> 2 | a >> 3) & 0x1111111111111111ull;
}
GPUEXEC_OP WithScc<u64> s_wqm_b64(u64 a) { return nonzero(quad_any(a) * 15); }
GPUEXEC_OP WithScc<u32> s_wqm_b32(u32 a) {
  return nonzero(u32(quad_any(a) * 15));
}
GPUEXEC_OP WithScc<u64> s_quadmask_b64(u64 a) {
  u64 result = 0;
  for (unsigned i = 0; i < 16; ++i)
    result |= ((quad_any(a) >> (4 * i)) & 1) << i;
  return nonzero(result);
}
GPUEXEC_OP WithScc<u32> s_quadmask_b32(u32 a) {
  return nonzero(u32(s_quadmask_b64(a).value));
}

// Comparisons.
GPUEXEC_OP Scc s_cmp_eq_i32(i32 a, i32 b) { return {a == b}; }
GPUEXEC_OP Scc s_cmp_lg_i32(i32 a, i32 b) { return {a != b}; }
GPUEXEC_OP Scc s_cmp_gt_i32(i32 a, i32 b) { return {a > b}; }
GPUEXEC_OP Scc s_cmp_ge_i32(i32 a, i32 b) { return {a >= b}; }
GPUEXEC_OP Scc s_cmp_lt_i32(i32 a, i32 b) { return {a < b}; }
GPUEXEC_OP Scc s_cmp_le_i32(i32 a, i32 b) { return {a <= b}; }
GPUEXEC_OP Scc s_cmp_eq_u32(u32 a, u32 b) { return {a == b}; }
GPUEXEC_OP Scc s_cmp_lg_u32(u32 a, u32 b) { return {a != b}; }
GPUEXEC_OP Scc s_cmp_gt_u32(u32 a, u32 b) { return {a > b}; }
GPUEXEC_OP Scc s_cmp_ge_u32(u32 a, u32 b) { return {a >= b}; }
GPUEXEC_OP Scc s_cmp_lt_u32(u32 a, u32 b) { return {a < b}; }
GPUEXEC_OP Scc s_cmp_le_u32(u32 a, u32 b) { return {a <= b}; }
GPUEXEC_OP Scc s_cmp_eq_u64(u64 a, u64 b) { return {a == b}; }
GPUEXEC_OP Scc s_cmp_lg_u64(u64 a, u64 b) { return {a != b}; }
GPUEXEC_OP Scc s_bitcmp0_b32(u32 a, u32 n) { return {!((a >> (n & 31)) & 1)}; }
GPUEXEC_OP Scc s_bitcmp1_b32(u32 a, u32 n) {
  return {bool((a >> (n & 31)) & 1)};
}
GPUEXEC_OP Scc s_bitcmp0_b64(u64 a, u32 n) { return {!((a >> (n & 63)) & 1)}; }
GPUEXEC_OP Scc s_bitcmp1_b64(u64 a, u32 n) {
  return {bool((a >> (n & 63)) & 1)};
}
/// SOPK: the unsigned comparisons zero-extend the immediate, whatever the
/// caller has put into bits 31:16.
GPUEXEC_OP Scc s_cmpk_eq_i32(i32 a, i32 k) { return {a == k}; }
GPUEXEC_OP Scc s_cmpk_lg_i32(i32 a, i32 k) { return {a != k}; }
GPUEXEC_OP Scc s_cmpk_gt_i32(i32 a, i32 k) { return {a > k}; }
GPUEXEC_OP Scc s_cmpk_ge_i32(i32 a, i32 k) { return {a >= k}; }
GPUEXEC_OP Scc s_cmpk_lt_i32(i32 a, i32 k) { return {a < k}; }
GPUEXEC_OP Scc s_cmpk_le_i32(i32 a, i32 k) { return {a <= k}; }
GPUEXEC_OP Scc s_cmpk_eq_u32(u32 a, u32 k) { return {a == (k & 0xffff)}; }
GPUEXEC_OP Scc s_cmpk_lg_u32(u32 a, u32 k) { return {a != (k & 0xffff)}; }
GPUEXEC_OP Scc s_cmpk_gt_u32(u32 a, u32 k) { return {a > (k & 0xffff)}; }
GPUEXEC_OP Scc s_cmpk_ge_u32(u32 a, u32 k) { return {a >= (k & 0xffff)}; }
GPUEXEC_OP Scc s_cmpk_lt_u32(u32 a, u32 k) { return {a < (k & 0xffff)}; }
GPUEXEC_OP Scc s_cmpk_le_u32(u32 a, u32 k) { return {a <= (k & 0xffff)}; }

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_SALU_H
