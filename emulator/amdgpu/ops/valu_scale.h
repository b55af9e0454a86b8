//===-- emulator/amdgpu/ops/valu_scale.h - Parts of numbers, powers of 2 --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mantissa and exponent, scaling by powers of two, and the bits of 2/pi that an
// argument reduction needs, for f16, f32 and f64. Convention: types.h; facts:
// "Instructions" in the CDNA3 and Vega ISA guides.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; valu.def says what they mean.
// clang-format off
VALU(v_frexp_exp_i32_f32)
VALU(v_frexp_exp_i32_f64)
VALU(v_frexp_exp_i16_f16)
VALU(v_frexp_mant_f32)
VALU(v_frexp_mant_f64)
VALU(v_frexp_mant_f16)
VALU(v_ldexp_f32)
VALU(v_ldexp_f64)
VALU(v_trig_preop_f64)
VALU(v_ldexp_f16)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_SCALE_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_SCALE_H

#include "emulator/amdgpu/ops/float_core.h"

namespace gpuexec::emulator::ops {

// A number is a mantissa in [1/2, 1) times a power of two. Zero, infinity and
// NaN are their own mantissa and have exponent 0.
template <typename T> GPUEXEC_OP bool has_exponent(T v) {
  return magnitude_of(v) != 0 &&
         magnitude_of(v) < FloatTraits<T>::FORMAT.infinity();
}
/// How far a denormal's top bit is below the hidden bit; 0 for normal numbers.
template <typename T> GPUEXEC_OP int denormal_shift(T v) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  u64 fraction = magnitude_of(v);
  return fraction >= f.hidden()
             ? 0
             : __builtin_clzll(fraction | 1) - (63 - f.frac_bits);
}
template <typename T>
GPUEXEC_OP i32 frexp_exponent(const FloatMode &mode, T a) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  a = flush_in(mode, a);
  int shift = denormal_shift(a);
  int exponent = (shift ? 1 - shift : biased_exponent(a)) - f.bias() + 1;
  return has_exponent(a) ? exponent : 0;
}
template <typename T> GPUEXEC_OP T frexp_mantissa(const FloatMode &mode, T a) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  a = flush_in(mode, a);
  u64 fraction = (u64(magnitude_of(a)) << denormal_shift(a)) & (f.hidden() - 1);
  T mantissa = from_bits<T>((bits_of(a) & f.sign_bit()) |
                            u64(f.bias() - 1) << f.frac_bits | fraction);
  return has_exponent(a) ? mantissa : is_nan(a) ? quiet(a) : a;
}
GPUEXEC_OP i32 v_frexp_exp_i32_f32(const FloatMode &mode, float a) {
  return frexp_exponent(mode, a);
}
GPUEXEC_OP i32 v_frexp_exp_i32_f64(const FloatMode &mode, double a) {
  return frexp_exponent(mode, a);
}
GPUEXEC_OP i16 v_frexp_exp_i16_f16(const FloatMode &mode, F16 a) {
  return i16(frexp_exponent(mode, a));
}
GPUEXEC_OP float v_frexp_mant_f32(const FloatMode &mode, float a) {
  return frexp_mantissa(mode, a);
}
GPUEXEC_OP double v_frexp_mant_f64(const FloatMode &mode, double a) {
  return frexp_mantissa(mode, a);
}
GPUEXEC_OP F16 v_frexp_mant_f16(const FloatMode &mode, F16 a) {
  return frexp_mantissa(mode, a);
}

/// 2^n, for n in the normal range.
GPUEXEC_OP double power_of_two(i32 n) { return f64(u64(n + 1023) << 52); }

// a * 2^n with one rounding: computed exactly in double, then rounded.
GPUEXEC_OP float nearest_scale(float a, i32 n) {
  i32 limited = n < -400 ? -400 : n > 400 ? 400 : n;
  return float(double(a) * power_of_two(limited));
}
GPUEXEC_OP F16 nearest_scale(F16 a, i32 n) {
  i32 limited = n < -100 ? -100 : n > 100 ? 100 : n;
  return narrow_to_half(double(widen(a)) * power_of_two(limited));
}
/// Two steps of 2^1023 or 2^-969 leave a factor in the normal range. A step
/// down loses bits only if the result is less than half of the least number.
GPUEXEC_OP double nearest_scale(double a, i32 n) {
  i32 rest = n;
  for (int step = 0; step < 2; ++step) {
    bool up = rest > 1023, down = rest < -1022;
    a *= up ? 0x1p1023 : down ? 0x1p-969 : 1.0;
    rest = up ? rest - 1023 : down ? rest + 969 : rest;
  }
  rest = rest < -1022 ? -1022 : rest > 1023 ? 1023 : rest;
  return a * power_of_two(rest);
}
template <typename T>
GPUEXEC_OP T mode_scale(const FloatMode &mode, T a, i32 n) {
  a = flush_in(mode, a);
  if (rounds_to_nearest<T>(mode))
    return flush_out(mode, nearest_scale(a, n));
  using Traits = FloatTraits<T>;
  return flush_out(mode,
                   from_bits<T>(soft_scale(Traits::FORMAT, Traits::round(mode),
                                           bits_of(a), n)));
}
GPUEXEC_OP float v_ldexp_f32(const FloatMode &mode, float a, i32 n) {
  return mode_scale(mode, a, n);
}
GPUEXEC_OP double v_ldexp_f64(const FloatMode &mode, double a, i32 n) {
  return mode_scale(mode, a, n);
}
/// v_ldexp_f64 for exponents for which ldexp_is_product() returns true. The
/// interpreter tests whole rows of lanes.
GPUEXEC_OP double ldexp_product(const FloatMode &mode, double a, i32 n) {
  return flush_out(mode, flush_in(mode, a) * power_of_two(n));
}
/// True if 2^n is a normal number.
GPUEXEC_OP bool ldexp_is_product(i32 n) { return u32(n) + 1022 < 2046; }
GPUEXEC_OP F16 v_ldexp_f16(const FloatMode &mode, F16 a, i16 n) {
  return mode_scale(mode, a, n);
}

/// The first 1201 bits of 2/pi behind the binary point, as many as AMD's guide
/// names, then zeros. (No argument reduction uses segments that reach beyond
/// bit 1120; LLVM folds those to 0.)
inline constexpr u32 TWO_OVER_PI[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
    0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
    0x56033046, 0xfc7b0000, 0,          0,          0};
/// 53 bits of 2/pi for the argument reduction of sine and cosine. Segment 0 is
/// the first that matters for an operand with the exponent of `a`; each further
/// segment begins 53 bits later.
GPUEXEC_OP double v_trig_preop_f64(const FloatMode &mode, double a,
                                   u32 segment) {
  u32 exponent = u32(bits_of(a) >> 52) & 0x7ff;
  u32 shift = (segment & 31) * 53;
  shift += exponent > 1077 ? exponent - 1077 : 0;
  shift = shift > 1201 ? 1201 : shift;
  const u32 *word = TWO_OVER_PI + shift / 32;
  u64 bits = (u64(word[0]) << 32 | word[1]) << (shift % 32);
  bits |= (u64(word[2]) << (shift % 32)) >> 32;
  i32 scale = -53 - i32(shift) + (exponent >= 1968 ? 128 : 0);
  return mode_scale(mode, double(bits >> 11), scale);
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_SCALE_H
