//===-- emulator/amdgpu/ops/valu_rdna.h - What RDNA has besides -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector instructions that Vega and CDNA lack: 16-bit logic, minimum of a
// maximum, fused halves. What RDNA has under another name is in aliases.def.
// Facts: AMD's "RDNA3" and "RDNA4" Instruction Set Architecture reference
// guides, chapter "Instructions". Convention: types.h.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; valu.def says what they mean.
// clang-format off
VALU(v_xor3_b32)
VALU_KEEP_HIGH(v_mov_b16)
VALU_KEEP_HIGH(v_not_b16)
VALU_KEEP_HIGH(v_and_b16)
VALU_KEEP_HIGH(v_or_b16)
VALU_KEEP_HIGH(v_xor_b16)
VALU_KEEP_HIGH(v_cndmask_b16)
VALU(v_maxmin_u32)
VALU(v_minmax_u32)
VALU(v_maxmin_i32)
VALU(v_minmax_i32)
VALU(v_maxmin_f32)
VALU(v_minmax_f32)
VALU_KEEP_HIGH(v_maxmin_f16)
VALU_KEEP_HIGH(v_minmax_f16)
VALU(v_fma_dx9_zero_f32)
VALU_TIED(v_fmac_dx9_zero_f32)
VALU_KEEP_HIGH_TIED(v_fmac_f16)
VALU_KEEP_HIGH(v_fmamk_f16)
VALU_KEEP_HIGH(v_fmaak_f16)
VALU(v_cvt_pk_i16_f32)
VALU(v_cvt_pk_u16_f32)
VALU(v_cvt_i32_i16)
VALU(v_cvt_u32_u16)
#define MINIMA(type) \
  VALU(v_min_num_##type) VALU(v_max_num_##type) VALU(v_minimum_##type) VALU(v_maximum_##type)
#define MINIMA_OF_THREE(row, type) \
  row(v_min3_num_##type) row(v_max3_num_##type) row(v_med3_num_##type) row(v_minmax_num_##type) \
  row(v_maxmin_num_##type) row(v_minimum3_##type) row(v_maximum3_##type) row(v_minimummaximum_##type) \
  row(v_maximumminimum_##type)
MINIMA(f16)
MINIMA(f32)
MINIMA(f64)
MINIMA_OF_THREE(VALU_KEEP_HIGH, f16)
MINIMA_OF_THREE(VALU, f32)
#undef MINIMA
#undef MINIMA_OF_THREE
VPK(v_pk_min_num_f16, v_min_num_f16)
VPK(v_pk_max_num_f16, v_max_num_f16)
VPK(v_pk_minimum_f16, v_minimum_f16)
VPK(v_pk_maximum_f16, v_maximum_f16)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_RDNA_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_RDNA_H

#include "emulator/amdgpu/ops/valu_float.h"
#include "emulator/amdgpu/ops/valu_int.h"

namespace gpuexec::emulator::ops {

GPUEXEC_OP u32 v_xor3_b32(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
GPUEXEC_OP u16 v_mov_b16(u16 a) { return a; }
GPUEXEC_OP u16 v_not_b16(u16 a) { return u16(~a); }
GPUEXEC_OP u16 v_and_b16(u16 a, u16 b) { return a & b; }
GPUEXEC_OP u16 v_or_b16(u16 a, u16 b) { return a | b; }
GPUEXEC_OP u16 v_xor_b16(u16 a, u16 b) { return a ^ b; }
GPUEXEC_OP u16 v_cndmask_b16(u16 a, u16 b, bool take_b) {
  return take_b ? b : a;
}

// maxmin: the minimum of the third operand and the maximum of the others.
GPUEXEC_OP u32 v_maxmin_u32(u32 a, u32 b, u32 c) {
  return v_min_u32(v_max_u32(a, b), c);
}
GPUEXEC_OP u32 v_minmax_u32(u32 a, u32 b, u32 c) {
  return v_max_u32(v_min_u32(a, b), c);
}
GPUEXEC_OP i32 v_maxmin_i32(i32 a, i32 b, i32 c) {
  return v_min_i32(v_max_i32(a, b), c);
}
GPUEXEC_OP i32 v_minmax_i32(i32 a, i32 b, i32 c) {
  return v_max_i32(v_min_i32(a, b), c);
}
GPUEXEC_OP float v_maxmin_f32(const FloatMode &m, float a, float b, float c) {
  return mode_min(m, mode_max(m, a, b), c);
}
GPUEXEC_OP float v_minmax_f32(const FloatMode &m, float a, float b, float c) {
  return mode_max(m, mode_min(m, a, b), c);
}
GPUEXEC_OP F16 v_maxmin_f16(const FloatMode &m, F16 a, F16 b, F16 c) {
  return mode_min(m, mode_max(m, a, b), c);
}
GPUEXEC_OP F16 v_minmax_f16(const FloatMode &m, F16 a, F16 b, F16 c) {
  return mode_max(m, mode_min(m, a, b), c);
}

/// DirectX 9: zero times anything is +0.
GPUEXEC_OP float v_fma_dx9_zero_f32(const FloatMode &mode, float a, float b,
                                    float c) {
  bool zero = is_zero(flush_in(mode, a)) || is_zero(flush_in(mode, b));
  return zero ? mode_add(mode, 0.0f, c) : mode_fma(mode, a, b, c);
}
GPUEXEC_OP float v_fmac_dx9_zero_f32(const FloatMode &mode, float a, float b,
                                     float old) {
  return v_fma_dx9_zero_f32(mode, a, b, old);
}
GPUEXEC_OP F16 v_fmac_f16(const FloatMode &mode, F16 a, F16 b, F16 old) {
  return mode_fma(mode, a, b, old);
}
GPUEXEC_OP F16 v_fmamk_f16(const FloatMode &mode, F16 a, F16 k, F16 b) {
  return mode_fma(mode, a, k, b);
}
GPUEXEC_OP F16 v_fmaak_f16(const FloatMode &mode, F16 a, F16 b, F16 k) {
  return mode_fma(mode, a, b, k);
}

// Rounds towards zero. A number that is out of range becomes the nearest in
// range, a NaN becomes 0.
GPUEXEC_OP u32 i16_bits(float a) {
  return a != a           ? 0
         : a >= 32767.0f  ? 0x7fff
         : a <= -32768.0f ? 0x8000
                          : u32(i32(a)) & 0xffff;
}
GPUEXEC_OP u32 u16_bits(float a) {
  return a >= 65535.0f ? 0xffff : a > 0.0f ? u32(a) : 0;
}
GPUEXEC_OP P16 v_cvt_pk_i16_f32(float a, float b) {
  return {i16_bits(a) | i16_bits(b) << 16};
}
GPUEXEC_OP P16 v_cvt_pk_u16_f32(float a, float b) {
  return {u16_bits(a) | u16_bits(b) << 16};
}

GPUEXEC_OP i32 v_cvt_i32_i16(i16 a) { return a; }
GPUEXEC_OP u32 v_cvt_u32_u16(u16 a) { return a; }

// From RDNA4 on: minimum and maximum of IEEE 754-2019. With "num" in the name,
// of a number and a NaN the number is the result; without it, the NaN is,
// quieted.
GPUEXEC_OP FloatMode numbers_win(FloatMode mode) {
  mode.ieee = false;
  return mode;
}
template <typename T> GPUEXEC_OP T number_or_quiet(T v) {
  return is_nan(v) ? quiet(v) : v;
}
template <typename T> GPUEXEC_OP T min_num(const FloatMode &mode, T a, T b) {
  return number_or_quiet(mode_min(numbers_win(mode), a, b));
}
template <typename T> GPUEXEC_OP T max_num(const FloatMode &mode, T a, T b) {
  return number_or_quiet(mode_max(numbers_win(mode), a, b));
}
template <typename T> GPUEXEC_OP T minimum(const FloatMode &mode, T a, T b) {
  T number = mode_min(mode, a, b);
  number = is_nan(b) ? quiet(b) : number;
  return is_nan(a) ? quiet(a) : number;
}
template <typename T> GPUEXEC_OP T maximum(const FloatMode &mode, T a, T b) {
  T number = mode_max(mode, a, b);
  number = is_nan(b) ? quiet(b) : number;
  return is_nan(a) ? quiet(a) : number;
}
#define GPUEXEC_MINIMUM(NAME, FUNCTION, SUFFIX, T)                             \
  GPUEXEC_OP T v_##NAME##_##SUFFIX(const FloatMode &mode, T a, T b) {          \
    return FUNCTION(mode, a, b);                                               \
  }
#define GPUEXEC_MINIMA(SUFFIX, T)                                              \
  GPUEXEC_MINIMUM(min_num, min_num, SUFFIX, T)                                 \
  GPUEXEC_MINIMUM(max_num, max_num, SUFFIX, T)                                 \
  GPUEXEC_MINIMUM(minimum, minimum, SUFFIX, T)                                 \
  GPUEXEC_MINIMUM(maximum, maximum, SUFFIX, T)
GPUEXEC_MINIMA(f16, F16)
GPUEXEC_MINIMA(f32, float)
GPUEXEC_MINIMA(f64, double)
#undef GPUEXEC_MINIMA
#undef GPUEXEC_MINIMUM
#define GPUEXEC_MINIMUM_OF_THREE(NAME, INNER, OUTER, SUFFIX, T)                \
  GPUEXEC_OP T v_##NAME##_##SUFFIX(const FloatMode &mode, T a, T b, T c) {     \
    return OUTER(mode, INNER(mode, a, b), c);                                  \
  }
#define GPUEXEC_MINIMA_OF_THREE(SUFFIX, T)                                     \
  GPUEXEC_MINIMUM_OF_THREE(min3_num, min_num, min_num, SUFFIX, T)              \
  GPUEXEC_MINIMUM_OF_THREE(max3_num, max_num, max_num, SUFFIX, T)              \
  GPUEXEC_MINIMUM_OF_THREE(minmax_num, min_num, max_num, SUFFIX, T)            \
  GPUEXEC_MINIMUM_OF_THREE(maxmin_num, max_num, min_num, SUFFIX, T)            \
  GPUEXEC_MINIMUM_OF_THREE(minimum3, minimum, minimum, SUFFIX, T)              \
  GPUEXEC_MINIMUM_OF_THREE(maximum3, maximum, maximum, SUFFIX, T)              \
  GPUEXEC_MINIMUM_OF_THREE(minimummaximum, minimum, maximum, SUFFIX, T)        \
  GPUEXEC_MINIMUM_OF_THREE(maximumminimum, maximum, minimum, SUFFIX, T)        \
  GPUEXEC_OP T v_med3_num_##SUFFIX(const FloatMode &mode, T a, T b, T c) {     \
    return number_or_quiet(mode_med3(numbers_win(mode), a, b, c));             \
  }
GPUEXEC_MINIMA_OF_THREE(f16, F16)
GPUEXEC_MINIMA_OF_THREE(f32, float)
#undef GPUEXEC_MINIMA_OF_THREE
#undef GPUEXEC_MINIMUM_OF_THREE

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_RDNA_H
