//===-- emulator/amdgpu/ops/valu_float.h - Float arithmetic VALU ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float arithmetic (addition, multiplication, fma), minimum, maximum and
// median, rounding to integers, and cube maps, for f16, f32 and f64.
// Convention: types.h; facts: "Instructions" in the CDNA3 and Vega ISA guides.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; valu.def says what they mean.
// clang-format off
VALU(v_add_f32)
VALU(v_sub_f32)
VALU(v_subrev_f32)
VALU(v_mul_f32)
VALU(v_fma_f32)
VALU_TIED(v_fmac_f32)
VALU(v_fmamk_f32)
VALU(v_fmaak_f32)
VALU(v_add_f64)
VALU(v_mul_f64)
VALU(v_fma_f64)
VALU_TIED(v_fmac_f64)
VALU(v_add_f16)
VALU(v_sub_f16)
VALU(v_subrev_f16)
VALU(v_mul_f16)
VALU_KEEP_HIGH(v_fma_f16)
VALU(v_fma_legacy_f16)
VALU(v_mad_f32)
VALU_TIED(v_mac_f32)
VALU(v_madmk_f32)
VALU(v_madak_f32)
VALU_KEEP_HIGH(v_mad_f16)
VALU(v_mad_legacy_f16)
VALU_KEEP_HIGH_TIED(v_mac_f16)
VALU_KEEP_HIGH(v_madmk_f16)
VALU_KEEP_HIGH(v_madak_f16)
VALU(v_mul_legacy_f32)
VALU(v_mad_legacy_f32)
VALU_TIED(v_mac_legacy_f32)
VMIX(v_fma_mix_f32)
VMIX(v_mad_mix_f32)
VALU(v_min_f32)
VALU(v_max_f32)
VALU(v_min3_f32)
VALU(v_max3_f32)
VALU(v_med3_f32)
VALU(v_min_f64)
VALU(v_max_f64)
VALU(v_min_f16)
VALU(v_max_f16)
VALU_KEEP_HIGH(v_min3_f16)
VALU_KEEP_HIGH(v_max3_f16)
VALU_KEEP_HIGH(v_med3_f16)
VALU(v_trunc_f32)
VALU(v_ceil_f32)
VALU(v_floor_f32)
VALU(v_rndne_f32)
VALU(v_trunc_f64)
VALU(v_ceil_f64)
VALU(v_floor_f64)
VALU(v_rndne_f64)
VALU(v_trunc_f16)
VALU(v_ceil_f16)
VALU(v_floor_f16)
VALU(v_rndne_f16)
VALU(v_fract_f32)
VALU(v_fract_f64)
VALU(v_fract_f16)
VALU(v_cubeid_f32)
VALU(v_cubesc_f32)
VALU(v_cubetc_f32)
VALU(v_cubema_f32)
VPK(v_pk_fma_f16, v_fma_f16)
VPK(v_pk_add_f16, v_add_f16)
VPK(v_pk_mul_f16, v_mul_f16)
VPK(v_pk_min_f16, v_min_f16)
VPK(v_pk_max_f16, v_max_f16)
VPK_TIED(v_pk_fmac_f16, v_pk_fmac_f16_half)
VPK32(v_pk_fma_f32, v_fma_f32)
VPK32(v_pk_mul_f32, v_mul_f32)
VPK32(v_pk_add_f32, v_add_f32)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_FLOAT_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_FLOAT_H

#include "emulator/amdgpu/ops/float_core.h"

namespace gpuexec::emulator::ops {

// Arithmetic.
GPUEXEC_OP float v_add_f32(const FloatMode &mode, float a, float b) {
  return mode_add(mode, a, b);
}
GPUEXEC_OP float v_sub_f32(const FloatMode &mode, float a, float b) {
  return mode_add(mode, a, apply_neg(b));
}
GPUEXEC_OP float v_subrev_f32(const FloatMode &mode, float a, float b) {
  return v_sub_f32(mode, b, a);
}
GPUEXEC_OP float v_mul_f32(const FloatMode &mode, float a, float b) {
  return mode_mul(mode, a, b);
}
GPUEXEC_OP float v_fma_f32(const FloatMode &mode, float a, float b, float c) {
  return mode_fma(mode, a, b, c);
}
GPUEXEC_OP float v_fmac_f32(const FloatMode &mode, float a, float b,
                            float old) {
  return mode_fma(mode, a, b, old);
}
GPUEXEC_OP float v_fmamk_f32(const FloatMode &mode, float a, float k, float b) {
  return mode_fma(mode, a, k, b);
}
GPUEXEC_OP float v_fmaak_f32(const FloatMode &mode, float a, float b, float k) {
  return mode_fma(mode, a, b, k);
}
GPUEXEC_OP double v_add_f64(const FloatMode &mode, double a, double b) {
  return mode_add(mode, a, b);
}
GPUEXEC_OP double v_mul_f64(const FloatMode &mode, double a, double b) {
  return mode_mul(mode, a, b);
}
GPUEXEC_OP double v_fma_f64(const FloatMode &mode, double a, double b,
                            double c) {
  return mode_fma(mode, a, b, c);
}
GPUEXEC_OP double v_fmac_f64(const FloatMode &mode, double a, double b,
                             double old) {
  return mode_fma(mode, a, b, old);
}
GPUEXEC_OP F16 v_add_f16(const FloatMode &mode, F16 a, F16 b) {
  return mode_add(mode, a, b);
}
GPUEXEC_OP F16 v_sub_f16(const FloatMode &mode, F16 a, F16 b) {
  return mode_add(mode, a, apply_neg(b));
}
GPUEXEC_OP F16 v_subrev_f16(const FloatMode &mode, F16 a, F16 b) {
  return v_sub_f16(mode, b, a);
}
GPUEXEC_OP F16 v_mul_f16(const FloatMode &mode, F16 a, F16 b) {
  return mode_mul(mode, a, b);
}
GPUEXEC_OP F16 v_fma_f16(const FloatMode &mode, F16 a, F16 b, F16 c) {
  return mode_fma(mode, a, b, c);
}
GPUEXEC_OP F16 v_fma_legacy_f16(const FloatMode &mode, F16 a, F16 b, F16 c) {
  return mode_fma(mode, a, b, c);
}
GPUEXEC_OP F16 v_pk_fmac_f16_half(const FloatMode &mode, F16 a, F16 b,
                                  F16 old) {
  return mode_fma(mode, a, b, old);
}

// Multiply-add that is not fused: the product is rounded too. These
// instructions flush denormals in every mode.
GPUEXEC_OP FloatMode without_denormals32(FloatMode mode) {
  mode.denorm32 = FLUSH_ALL;
  return mode;
}
GPUEXEC_OP float v_mad_f32(const FloatMode &mode, float a, float b, float c) {
  FloatMode flushing = without_denormals32(mode);
  return mode_add(flushing, mode_mul(flushing, a, b), c);
}
GPUEXEC_OP float v_mac_f32(const FloatMode &mode, float a, float b, float old) {
  return v_mad_f32(mode, a, b, old);
}
GPUEXEC_OP float v_madmk_f32(const FloatMode &mode, float a, float k, float b) {
  return v_mad_f32(mode, a, k, b);
}
GPUEXEC_OP float v_madak_f32(const FloatMode &mode, float a, float b, float k) {
  return v_mad_f32(mode, a, b, k);
}
GPUEXEC_OP FloatMode without_denormals16(FloatMode mode) {
  mode.denorm64_16 = FLUSH_ALL;
  return mode;
}
GPUEXEC_OP F16 v_mad_f16(const FloatMode &mode, F16 a, F16 b, F16 c) {
  FloatMode flushing = without_denormals16(mode);
  return mode_add(flushing, mode_mul(flushing, a, b), c);
}
GPUEXEC_OP F16 v_mad_legacy_f16(const FloatMode &mode, F16 a, F16 b, F16 c) {
  return v_mad_f16(mode, a, b, c);
}
GPUEXEC_OP F16 v_mac_f16(const FloatMode &mode, F16 a, F16 b, F16 old) {
  return v_mad_f16(mode, a, b, old);
}
GPUEXEC_OP F16 v_madmk_f16(const FloatMode &mode, F16 a, F16 k, F16 b) {
  return v_mad_f16(mode, a, k, b);
}
GPUEXEC_OP F16 v_madak_f16(const FloatMode &mode, F16 a, F16 b, F16 k) {
  return v_mad_f16(mode, a, b, k);
}
/// DirectX 9: zero times anything is +0.
GPUEXEC_OP float v_mul_legacy_f32(const FloatMode &mode, float a, float b) {
  bool zero = is_zero(flush_in(mode, a)) || is_zero(flush_in(mode, b));
  float product = mode_mul(mode, a, b);
  return zero ? 0.0f : product;
}
GPUEXEC_OP float v_mad_legacy_f32(const FloatMode &mode, float a, float b,
                                  float c) {
  FloatMode flushing = without_denormals32(mode);
  return mode_add(flushing, v_mul_legacy_f32(flushing, a, b), c);
}
GPUEXEC_OP float v_mac_legacy_f32(const FloatMode &mode, float a, float b,
                                  float old) {
  return v_mad_legacy_f32(mode, a, b, old);
}

// Sources are f16 or f32, as op_sel_hi says; the result is computed as f32.
// (mixlo and mixhi, which round it to a half, are in valu_cvt.h.)
GPUEXEC_OP float v_fma_mix_f32(const FloatMode &mode, float a, float b,
                               float c) {
  return mode_fma(mode, a, b, c);
}
GPUEXEC_OP float v_mad_mix_f32(const FloatMode &mode, float a, float b,
                               float c) {
  return v_mad_f32(mode, a, b, c);
}

// Minimum and maximum: -0 is below +0; of a NaN and a number the number is
// taken; in IEEE mode a signaling NaN is quieted and taken.
/// An integer that orders numbers as their values do.
template <typename T> GPUEXEC_OP IntOf<T> order_of(T v) {
  using Int = IntOf<T>;
  constexpr int top = 8 * sizeof(Int) - 1;
  Int bits = std::bit_cast<Int>(bits_of(v));
  return Int(bits ^ ((bits >> top) & Int(BitsOf<T>(~BitsOf<T>(0)) >> 1)));
}
template <typename T>
GPUEXEC_OP T pick(const FloatMode &mode, T a, T b, bool take_a) {
  T picked = take_a ? a : b;
  picked = is_nan(b) ? a : picked;
  picked = is_nan(a) ? b : picked;
  if (mode.ieee) {
    picked = is_signaling(b) ? quiet(b) : picked;
    picked = is_signaling(a) ? quiet(a) : picked;
  }
  return flush_out(mode, picked);
}
template <typename T> GPUEXEC_OP T mode_min(const FloatMode &mode, T a, T b) {
  a = flush_in(mode, a);
  b = flush_in(mode, b);
  return pick(mode, a, b, order_of(a) < order_of(b));
}
template <typename T> GPUEXEC_OP T mode_max(const FloatMode &mode, T a, T b) {
  a = flush_in(mode, a);
  b = flush_in(mode, b);
  return pick(mode, a, b, order_of(a) >= order_of(b));
}
template <typename T>
GPUEXEC_OP T mode_med3(const FloatMode &mode, T a, T b, T c) {
  T least = mode_min(mode, mode_min(mode, a, b), c);
  T low = mode_min(mode, a, b), high = mode_max(mode, a, b);
  T median = mode_max(mode, low, mode_min(mode, high, c));
  return is_nan(a) || is_nan(b) || is_nan(c) ? least : median;
}
GPUEXEC_OP float v_min_f32(const FloatMode &mode, float a, float b) {
  return mode_min(mode, a, b);
}
GPUEXEC_OP float v_max_f32(const FloatMode &mode, float a, float b) {
  return mode_max(mode, a, b);
}
GPUEXEC_OP float v_min3_f32(const FloatMode &m, float a, float b, float c) {
  return mode_min(m, mode_min(m, a, b), c);
}
GPUEXEC_OP float v_max3_f32(const FloatMode &m, float a, float b, float c) {
  return mode_max(m, mode_max(m, a, b), c);
}
GPUEXEC_OP float v_med3_f32(const FloatMode &mode, float a, float b, float c) {
  return mode_med3(mode, a, b, c);
}
GPUEXEC_OP double v_min_f64(const FloatMode &mode, double a, double b) {
  return mode_min(mode, a, b);
}
GPUEXEC_OP double v_max_f64(const FloatMode &mode, double a, double b) {
  return mode_max(mode, a, b);
}
GPUEXEC_OP F16 v_min_f16(const FloatMode &mode, F16 a, F16 b) {
  return mode_min(mode, a, b);
}
GPUEXEC_OP F16 v_max_f16(const FloatMode &mode, F16 a, F16 b) {
  return mode_max(mode, a, b);
}
GPUEXEC_OP F16 v_min3_f16(const FloatMode &m, F16 a, F16 b, F16 c) {
  return mode_min(m, mode_min(m, a, b), c);
}
GPUEXEC_OP F16 v_max3_f16(const FloatMode &m, F16 a, F16 b, F16 c) {
  return mode_max(m, mode_max(m, a, b), c);
}
GPUEXEC_OP F16 v_med3_f16(const FloatMode &mode, F16 a, F16 b, F16 c) {
  return mode_med3(mode, a, b, c);
}

// Rounding to integral values. The results are exact, so the mode's rounding
// does not matter. (The builtins are instructions from x86-64-v2 on.)
GPUEXEC_OP float v_trunc_f32(const FloatMode &mode, float a) {
  return __builtin_elementwise_trunc(flush_in(mode, a));
}
GPUEXEC_OP float v_ceil_f32(const FloatMode &mode, float a) {
  return __builtin_elementwise_ceil(flush_in(mode, a));
}
GPUEXEC_OP float v_floor_f32(const FloatMode &mode, float a) {
  return __builtin_elementwise_floor(flush_in(mode, a));
}
GPUEXEC_OP float v_rndne_f32(const FloatMode &mode, float a) {
  return __builtin_elementwise_roundeven(flush_in(mode, a));
}
GPUEXEC_OP double v_trunc_f64(const FloatMode &mode, double a) {
  return __builtin_elementwise_trunc(flush_in(mode, a));
}
GPUEXEC_OP double v_ceil_f64(const FloatMode &mode, double a) {
  return __builtin_elementwise_ceil(flush_in(mode, a));
}
GPUEXEC_OP double v_floor_f64(const FloatMode &mode, double a) {
  return __builtin_elementwise_floor(flush_in(mode, a));
}
GPUEXEC_OP double v_rndne_f64(const FloatMode &mode, double a) {
  return __builtin_elementwise_roundeven(flush_in(mode, a));
}
GPUEXEC_OP F16 v_trunc_f16(const FloatMode &mode, F16 a) {
  return narrow_to_half(__builtin_elementwise_trunc(widen(flush_in(mode, a))));
}
GPUEXEC_OP F16 v_ceil_f16(const FloatMode &mode, F16 a) {
  return narrow_to_half(__builtin_elementwise_ceil(widen(flush_in(mode, a))));
}
GPUEXEC_OP F16 v_floor_f16(const FloatMode &mode, F16 a) {
  return narrow_to_half(__builtin_elementwise_floor(widen(flush_in(mode, a))));
}
GPUEXEC_OP F16 v_rndne_f16(const FloatMode &mode, F16 a) {
  return narrow_to_half(
      __builtin_elementwise_roundeven(widen(flush_in(mode, a))));
}

/// a - floor(a), but always below 1. Infinity gives NaN.
GPUEXEC_OP float v_fract_f32(const FloatMode &mode, float a) {
  float rest = v_sub_f32(mode, a, v_floor_f32(mode, a));
  return rest >= 1.0f ? 0x1.fffffep-1f : rest;
}
GPUEXEC_OP double v_fract_f64(const FloatMode &mode, double a) {
  double rest = mode_add(mode, a, apply_neg(v_floor_f64(mode, a)));
  return rest >= 1.0 ? 0x1.fffffffffffffp-1 : rest;
}
GPUEXEC_OP F16 v_fract_f16(const FloatMode &mode, F16 a) {
  F16 rest = v_sub_f16(mode, a, v_floor_f16(mode, a));
  return !is_nan(rest) && !sign_of(rest) && rest.bits >= 0x3c00 ? f16(0x3bff)
                                                                : rest;
}

// Cube maps: the face in the direction (x, y, z), the coordinates on it, and
// twice the major axis.
struct CubeFace {
  bool z_major, y_major;
};
GPUEXEC_OP CubeFace cube_face(float x, float y, float z) {
  float ax = apply_abs(x), ay = apply_abs(y), az = apply_abs(z);
  bool z_major = az >= ax && az >= ay;
  return {z_major, !z_major && ay >= ax};
}
GPUEXEC_OP float v_cubeid_f32(const FloatMode &, float x, float y, float z) {
  CubeFace face = cube_face(x, y, z);
  return face.z_major   ? (z < 0 ? 5.0f : 4.0f)
         : face.y_major ? (y < 0 ? 3.0f : 2.0f)
         : x < 0        ? 1.0f
                        : 0.0f;
}
GPUEXEC_OP float v_cubesc_f32(const FloatMode &, float x, float y, float z) {
  CubeFace face = cube_face(x, y, z);
  return face.z_major   ? (z < 0 ? apply_neg(x) : x)
         : face.y_major ? x
         : x < 0        ? z
                        : apply_neg(z);
}
GPUEXEC_OP float v_cubetc_f32(const FloatMode &, float x, float y, float z) {
  CubeFace face = cube_face(x, y, z);
  return face.z_major   ? apply_neg(y)
         : face.y_major ? (y < 0 ? apply_neg(z) : z)
                        : apply_neg(y);
}
GPUEXEC_OP float v_cubema_f32(const FloatMode &, float x, float y, float z) {
  CubeFace face = cube_face(x, y, z);
  return 2.0f * (face.z_major ? z : face.y_major ? y : x);
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_FLOAT_H
