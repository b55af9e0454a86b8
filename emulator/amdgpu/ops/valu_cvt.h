//===-- emulator/amdgpu/ops/valu_cvt.h - Conversions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between integers and floats of all sizes, packed ones, and
// gfx940's 8-bit floats; and dot products of halves, which convert too.
// Conversions to integers round towards zero; NaN becomes 0, and a number that
// is out of range becomes the nearest in range. Convention: types.h.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; valu.def says what they mean.
// clang-format off
VALU(v_cvt_i32_f32)
VALU(v_cvt_u32_f32)
VALU(v_cvt_i32_f64)
VALU(v_cvt_u32_f64)
VALU(v_cvt_i16_f16)
VALU(v_cvt_u16_f16)
VALU(v_cvt_flr_i32_f32)
VALU(v_cvt_rpi_i32_f32)
VALU(v_cvt_f32_i32)
VALU(v_cvt_f32_u32)
VALU(v_cvt_f64_i32)
VALU(v_cvt_f64_u32)
VALU(v_cvt_f16_i16)
VALU(v_cvt_f16_u16)
VALU(v_cvt_f32_ubyte0)
VALU(v_cvt_f32_ubyte1)
VALU(v_cvt_f32_ubyte2)
VALU(v_cvt_f32_ubyte3)
VALU(v_cvt_off_f32_i4)
VALU(v_cvt_f32_f16)
VALU(v_cvt_f16_f32)
VALU(v_cvt_f64_f32)
VALU(v_cvt_f32_f64)
VMIX(v_fma_mixlo_f16)
VMIX_HIGH(v_fma_mixhi_f16)
VMIX(v_mad_mixlo_f16)
VMIX_HIGH(v_mad_mixhi_f16)
VALU(v_cvt_pkrtz_f16_f32)
VALU(v_cvt_pknorm_i16_f32)
VALU(v_cvt_pknorm_u16_f32)
VALU(v_cvt_pknorm_i16_f16)
VALU(v_cvt_pknorm_u16_f16)
VALU(v_cvt_norm_i16_f16)
VALU(v_cvt_norm_u16_f16)
VALU(v_cvt_pk_u8_f32)
VALU_TIED(v_cvt_pkaccum_u8_f32)
VALU(v_cvt_f32_fp8)
VALU(v_cvt_f32_bf8)
VALU(v_cvt_pk_f32_fp8)
VALU(v_cvt_pk_f32_bf8)
VALU_KEEP_HIGH(v_cvt_pk_fp8_f32)
VALU_KEEP_HIGH(v_cvt_pk_bf8_f32)
VALU(v_cvt_sr_fp8_f32)
VALU(v_cvt_sr_bf8_f32)
// RDNA 4: the decoder adds _ocp.
VALU(v_cvt_f32_fp8_ocp)
VALU(v_cvt_f32_bf8_ocp)
VALU(v_cvt_pk_f32_fp8_ocp)
VALU(v_cvt_pk_f32_bf8_ocp)
VALU_KEEP_HIGH(v_cvt_pk_fp8_f32_ocp)
VALU_KEEP_HIGH(v_cvt_pk_bf8_f32_ocp)
VALU(v_cvt_sr_fp8_f32_ocp)
VALU(v_cvt_sr_bf8_f32_ocp)
VALU(v_dot2_f32_f16)
VALU_TIED(v_dot2c_f32_f16)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_CVT_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_CVT_H

#include "emulator/amdgpu/ops/valu_float.h"

namespace gpuexec::emulator::ops {

// Each value is first limited to the range of the integer: casts of others are
// undefined in C++.
GPUEXEC_OP i32 to_i32(float a) {
  float limited = a > -0x1p31f ? a : a == a ? -0x1p31f : 0.0f;
  bool large = limited >= 0x1p31f;
  return large ? 0x7fffffff : i32(large ? 0.0f : limited);
}
GPUEXEC_OP u32 to_u32(float a) {
  float limited = a > 0.0f ? a : 0.0f;
  bool high = limited >= 0x1p31f, large = limited >= 0x1p32f;
  float part = high ? limited - 0x1p31f : limited;
  return large ? ~0u
               : u32(i32(large ? 0.0f : part)) ^ (high ? 0x80000000u : 0u);
}
GPUEXEC_OP i32 to_i32(double a) {
  double limited = a > -0x1p31 ? a : a == a ? -0x1p31 : 0.0;
  return i32(limited < 0x1.fffffffcp30 ? limited : 0x1.fffffffcp30);
}
GPUEXEC_OP u32 to_u32(double a) {
  double limited = a > 0.0 ? a : 0.0;
  limited = limited < 0x1.fffffffep31 ? limited : 0x1.fffffffep31;
  return u32(bits_of(__builtin_elementwise_trunc(limited) + 0x1p52));
}

GPUEXEC_OP i32 v_cvt_i32_f32(float a) { return to_i32(a); }
GPUEXEC_OP u32 v_cvt_u32_f32(float a) { return to_u32(a); }
GPUEXEC_OP i32 v_cvt_i32_f64(double a) { return to_i32(a); }
GPUEXEC_OP u32 v_cvt_u32_f64(double a) { return to_u32(a); }
GPUEXEC_OP i16 v_cvt_i16_f16(F16 a) { return saturate_i16(to_i32(widen(a))); }
GPUEXEC_OP u16 v_cvt_u16_f16(F16 a) { return saturate_u16(to_i32(widen(a))); }
GPUEXEC_OP i32 v_cvt_flr_i32_f32(float a) {
  return to_i32(__builtin_elementwise_floor(a));
}
GPUEXEC_OP i32 v_cvt_rpi_i32_f32(float a) {
  return to_i32(__builtin_elementwise_floor(double(a) + 0.5));
}

GPUEXEC_OP float v_cvt_f32_i32(const FloatMode &mode, i32 a) {
  return rounds_to_nearest<float>(mode)
             ? float(a)
             : f32(u32(soft_from_int(SINGLE, mode.round32, a)));
}
GPUEXEC_OP float v_cvt_f32_u32(const FloatMode &mode, u32 a) {
  return rounds_to_nearest<float>(mode)
             ? float(a)
             : f32(u32(soft_from_int(SINGLE, mode.round32, a)));
}
GPUEXEC_OP double v_cvt_f64_i32(i32 a) { return double(a); }
GPUEXEC_OP double v_cvt_f64_u32(u32 a) { return double(a); }
GPUEXEC_OP F16 v_cvt_f16_i16(const FloatMode &mode, i16 a) {
  return rounds_to_nearest<F16>(mode)
             ? narrow_to_half(float(a))
             : f16(u32(soft_from_int(HALF, mode.round64_16, a)));
}
GPUEXEC_OP F16 v_cvt_f16_u16(const FloatMode &mode, u16 a) {
  return rounds_to_nearest<F16>(mode)
             ? narrow_to_half(float(a))
             : f16(u32(soft_from_int(HALF, mode.round64_16, a)));
}
GPUEXEC_OP float v_cvt_f32_ubyte0(u32 a) { return float(i32(a & 0xff)); }
GPUEXEC_OP float v_cvt_f32_ubyte1(u32 a) { return float(i32(a >> 8 & 0xff)); }
GPUEXEC_OP float v_cvt_f32_ubyte2(u32 a) { return float(i32(a >> 16 & 0xff)); }
GPUEXEC_OP float v_cvt_f32_ubyte3(u32 a) { return float(i32(a >> 24)); }
/// A signed 4-bit number, divided by 16.
GPUEXEC_OP float v_cvt_off_f32_i4(u32 a) {
  return float(i32(a << 28) >> 28) * 0.0625f;
}

// Conversions between formats. Denormals of f16, and rounding to half, follow
// the mode's fields for f64 and f16.
GPUEXEC_OP float v_cvt_f32_f16(const FloatMode &mode, F16 a) {
  float wide = widen(flush_in(mode, a));
  return is_nan(wide) ? quiet(wide) : wide;
}
GPUEXEC_OP F16 v_cvt_f16_f32(const FloatMode &mode, float a) {
  float source = flush_in(mode, a);
  if (rounds_to_nearest<F16>(mode))
    return flush_out(mode, narrow_to_half(source));
  return flush_out(mode, f16(u32(soft_convert(HALF, SINGLE, mode.round64_16,
                                              bits_of(source)))));
}
GPUEXEC_OP double v_cvt_f64_f32(const FloatMode &mode, float a) {
  return double(flush_in(mode, a));
}
GPUEXEC_OP float v_cvt_f32_f64(const FloatMode &mode, double a) {
  if (rounds_to_nearest<float>(mode))
    return flush_out(mode, float(a));
  return flush_out(
      mode, f32(u32(soft_convert(SINGLE, DOUBLE, mode.round32, bits_of(a)))));
}
GPUEXEC_OP F16 v_fma_mixlo_f16(const FloatMode &mode, float a, float b,
                               float c) {
  return v_cvt_f16_f32(mode, mode_fma(mode, a, b, c));
}
GPUEXEC_OP F16 v_fma_mixhi_f16(const FloatMode &mode, float a, float b,
                               float c) {
  return v_fma_mixlo_f16(mode, a, b, c);
}
GPUEXEC_OP F16 v_mad_mixlo_f16(const FloatMode &mode, float a, float b,
                               float c) {
  return v_cvt_f16_f32(mode, v_mad_f32(mode, a, b, c));
}
GPUEXEC_OP F16 v_mad_mixhi_f16(const FloatMode &mode, float a, float b,
                               float c) {
  return v_mad_mixlo_f16(mode, a, b, c);
}

/// Rounds towards zero in every mode: a finite number never becomes infinite.
GPUEXEC_OP F16 narrow_towards_zero(float v) {
  F16 nearest = narrow_to_half(v);
  bool away = magnitude_of(widen(nearest)) > magnitude_of(v);
  return f16(nearest.bits - (away && !is_nan(v)));
}
GPUEXEC_OP P16 v_cvt_pkrtz_f16_f32(const FloatMode &mode, float a, float b) {
  F16 low = flush_out(mode, narrow_towards_zero(a)),
      high = flush_out(mode, narrow_towards_zero(b));
  return {low.bits | u32(high.bits) << 16};
}

// Normalised integers: [-1, 1] or [0, 1] becomes the whole range, NaN becomes
// 0.
GPUEXEC_OP u32 norm_i16(float a) {
  float limited = a > -1.0f ? a : a == a ? -1.0f : 0.0f;
  return u16(i32(__builtin_elementwise_roundeven(
      (limited < 1.0f ? limited : 1.0f) * 32767.0f)));
}
GPUEXEC_OP u32 norm_u16(float a) {
  float limited = a > 0.0f ? a : 0.0f;
  return u16(i32(__builtin_elementwise_roundeven(
      (limited < 1.0f ? limited : 1.0f) * 65535.0f)));
}
GPUEXEC_OP P16 v_cvt_pknorm_i16_f32(float a, float b) {
  return {norm_i16(a) | norm_i16(b) << 16};
}
GPUEXEC_OP P16 v_cvt_pknorm_u16_f32(float a, float b) {
  return {norm_u16(a) | norm_u16(b) << 16};
}
GPUEXEC_OP P16 v_cvt_pknorm_i16_f16(F16 a, F16 b) {
  return {norm_i16(widen(a)) | norm_i16(widen(b)) << 16};
}
GPUEXEC_OP P16 v_cvt_pknorm_u16_f16(F16 a, F16 b) {
  return {norm_u16(widen(a)) | norm_u16(widen(b)) << 16};
}
GPUEXEC_OP i16 v_cvt_norm_i16_f16(F16 a) { return i16(norm_i16(widen(a))); }
GPUEXEC_OP u16 v_cvt_norm_u16_f16(F16 a) { return u16(norm_u16(widen(a))); }

/// Writes a float to byte `select` of c, rounded in the mode and saturated.
GPUEXEC_OP u32 v_cvt_pk_u8_f32(const FloatMode &mode, float a, u32 select,
                               u32 c) {
  float limited = a > 0.0f ? a : 0.0f;
  limited = limited < 255.0f ? limited : 255.0f;
  float whole =
      mode.round32 == Round::nearest ? __builtin_elementwise_roundeven(limited)
      : mode.round32 == Round::up    ? __builtin_elementwise_ceil(limited)
                                     : __builtin_elementwise_floor(limited);
  u32 shift = 8 * (select & 3);
  return (c & ~(0xffu << shift)) | u32(i32(whole)) << shift;
}
GPUEXEC_OP u32 v_cvt_pkaccum_u8_f32(const FloatMode &mode, float a, u32 select,
                                    u32 old) {
  return v_cvt_pk_u8_f32(mode, a, select, old);
}

// 8-bit floats: fp8 has 3 fraction bits, bf8 2. Those of gfx942 ("FNUZ") have
// no infinity and no -0; 0x80 is the NaN, and the bias is one more than IEEE's.
// Those of RDNA 4 are the Open Compute Project's ("OCP 8-bit Floating Point
// Specification"): bf8 is as IEEE's formats, and fp8 has neither infinity nor
// any NaN but 0x7f and 0xff.
enum class Float8 { fnuz, ocp };

template <int FRAC, Float8 FORMAT> GPUEXEC_OP float float8_widen(u32 v) {
  constexpr bool ocp = FORMAT == Float8::ocp;
  constexpr int exp_bits = 7 - FRAC, bias = (1 << (exp_bits - 1)) - ocp;
  const u32 magnitude = v & 0x7f, sign = (v & 0x80) << 24;
  // As a float's exponent and fraction field, then scaled by the biases'
  // difference.
  const float scaled =
      f32(magnitude << (23 - FRAC)) * f32(u32(127 + 127 - bias) << 23);
  if constexpr (!ocp)
    return v == 0x80 ? f32(u32(SINGLE.default_nan()))
                     : f32(bits_of(scaled) | sign);
  constexpr u32 infinity = FRAC == 2 ? 0x7c : 0x7f; // fp8: the NaN
  const u32 special = u32(SINGLE.infinity()) |
                      (FRAC == 2 && magnitude == infinity ? 0 : 1u << 22);
  return f32((magnitude >= infinity ? special : bits_of(scaled)) | sign);
}
/// What a float becomes that has no finite counterpart.
template <int FRAC, Float8 FORMAT>
GPUEXEC_OP u32 float8_special(u32 sign, bool is_nan) {
  if constexpr (FORMAT == Float8::fnuz)
    return 0x80;
  return sign | (FRAC == 3 ? 0x7f : is_nan ? 0x7e : 0x7c);
}
/// Rounds to nearest even if `random` is null; else adds *random, as
/// a fraction of the last place, to what is dropped. Numbers that are too large
/// become infinities, or NaN in a format without; infinities as well.
template <int FRAC, Float8 FORMAT>
GPUEXEC_OP u32 float8_narrow(float v, const u32 *random) {
  constexpr bool ocp = FORMAT == Float8::ocp;
  constexpr int exp_bits = 7 - FRAC, bias = (1 << (exp_bits - 1)) - ocp;
  constexpr u32 largest = !ocp ? 0x7f : FRAC == 3 ? 0x7e : 0x7b;
  const u32 magnitude = magnitude_of(v), sign = bits_of(v) >> 24 & 0x80;
  if (magnitude >= SINGLE.infinity())
    return float8_special<FRAC, FORMAT>(sign, magnitude > SINGLE.infinity());
  int exponent = int(magnitude >> 23) - 127;
  if (exponent < -126) // a denormal float is far below the least 8-bit float
    return ocp ? sign : 0;
  int drop = 23 - FRAC + (exponent < 1 - bias ? 1 - bias - exponent : 0);
  u64 significand = (magnitude & 0x7fffff) | 0x800000;
  u64 kept = 0; // all bits dropped, further than any random number reaches
  if (random && drop <= 56)
    kept = (significand + (u64(*random) << 24 >> (56 - drop))) >> drop;
  else if (!random && drop <= 32)
    kept = (significand + (1ull << (drop - 1)) - 1 +
            ((significand >> drop) & 1)) >>
           drop;
  u32 biased = exponent < 1 - bias ? 0 : u32(exponent + bias - 1);
  u32 result = (biased << FRAC) + u32(kept);
  if (result > largest)
    return float8_special<FRAC, FORMAT>(sign, false);
  return result || ocp ? result | sign : 0;
}

#define GPUEXEC_FLOAT8(TYPE, FRAC, SUFFIX, FORMAT)                             \
  GPUEXEC_OP float v_cvt_f32_##TYPE##SUFFIX(u8 a) {                            \
    return float8_widen<FRAC, FORMAT>(a);                                      \
  }                                                                            \
  GPUEXEC_OP F32x2 v_cvt_pk_f32_##TYPE##SUFFIX(u16 a) {                        \
    return {float8_widen<FRAC, FORMAT>(a & 0xff),                              \
            float8_widen<FRAC, FORMAT>(a >> 8)};                               \
  }                                                                            \
  GPUEXEC_OP u16 v_cvt_pk_##TYPE##_f32##SUFFIX(float a, float b) {             \
    return u16(float8_narrow<FRAC, FORMAT>(a, nullptr) |                       \
               float8_narrow<FRAC, FORMAT>(b, nullptr) << 8);                  \
  }                                                                            \
  GPUEXEC_OP u8 v_cvt_sr_##TYPE##_f32##SUFFIX(float a, u32 random) {           \
    return u8(float8_narrow<FRAC, FORMAT>(a, &random));                        \
  }
GPUEXEC_FLOAT8(fp8, 3, , Float8::fnuz)
GPUEXEC_FLOAT8(bf8, 2, , Float8::fnuz)
GPUEXEC_FLOAT8(fp8, 3, _ocp, Float8::ocp)
GPUEXEC_FLOAT8(bf8, 2, _ocp, Float8::ocp)
#undef GPUEXEC_FLOAT8

/// The products are exact; the guide leaves the order of the sums open.
GPUEXEC_OP float v_dot2_f32_f16(P16 a, P16 b, float c) {
  float sum =
      nearest_fma(widen(f16(a.bits >> 16)), widen(f16(b.bits >> 16)), c);
  return nearest_fma(widen(f16(a.bits & 0xffff)), widen(f16(b.bits & 0xffff)),
                     sum);
}
GPUEXEC_OP float v_dot2c_f32_f16(P16 a, P16 b, float old) {
  return v_dot2_f32_f16(a, b, old);
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_CVT_H
