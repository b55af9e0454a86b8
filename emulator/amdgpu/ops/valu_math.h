//===-- emulator/amdgpu/ops/valu_math.h - Division and functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reciprocals, roots, exponential, logarithm, sine and cosine, and the three
// helpers of a correctly rounded division: div_scale moves operands away from
// the denormal range, div_fmas undoes it in the last step of the refinement
// with one rounding, div_fixup handles zeros, infinities and NaN. Accuracy as
// the CDNA3 ISA guide states it or better: f32 functions are computed in
// double. Convention: types.h.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; valu.def says what they mean.
// clang-format off
VALU(v_rcp_f32)
VALU(v_rcp_iflag_f32)
VALU(v_sqrt_f32)
VALU(v_rsq_f32)
VALU(v_rcp_f64)
VALU(v_sqrt_f64)
VALU(v_rsq_f64)
VALU(v_rcp_f16)
VALU(v_sqrt_f16)
VALU(v_rsq_f16)
VALU(v_exp_f32)
VALU(v_log_f32)
VALU(v_sin_f32)
VALU(v_cos_f32)
VALU(v_exp_legacy_f32)
VALU(v_log_legacy_f32)
VALU(v_exp_f16)
VALU(v_log_f16)
VALU(v_sin_f16)
VALU(v_cos_f16)
VALU(v_div_scale_f32)
VALU(v_div_scale_f64)
VALU(v_div_fmas_f32)
VALU(v_div_fmas_f64)
VALU(v_div_fixup_f32)
VALU(v_div_fixup_f64)
VALU_KEEP_HIGH(v_div_fixup_f16)
VALU(v_div_fixup_legacy_f16)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_MATH_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_MATH_H

#include "emulator/amdgpu/ops/valu_float.h"

namespace gpuexec::emulator::ops {

// Reciprocals and roots. The f32 ones flush denormals in every mode.
GPUEXEC_OP float v_rcp_f32(const FloatMode &, float a) {
  return flush(1.0f / flush(a));
}
GPUEXEC_OP float v_rcp_iflag_f32(const FloatMode &, float a) {
  return flush(1.0f / flush(a));
}
GPUEXEC_OP float v_sqrt_f32(const FloatMode &, float a) {
  return __builtin_elementwise_sqrt(flush(a));
}
GPUEXEC_OP float v_rsq_f32(const FloatMode &, float a) {
  return float(1.0 / __builtin_elementwise_sqrt(double(flush(a))));
}
GPUEXEC_OP double v_rcp_f64(const FloatMode &mode, double a) {
  return flush_out(mode, 1.0 / flush_in(mode, a));
}
GPUEXEC_OP double v_sqrt_f64(const FloatMode &mode, double a) {
  return __builtin_elementwise_sqrt(flush_in(mode, a));
}
GPUEXEC_OP double v_rsq_f64(const FloatMode &mode, double a) {
  return 1.0 / __builtin_elementwise_sqrt(flush_in(mode, a));
}
GPUEXEC_OP F16 v_rcp_f16(const FloatMode &mode, F16 a) {
  return flush_out(mode, narrow_to_half(1.0f / widen(flush_in(mode, a))));
}
GPUEXEC_OP F16 v_sqrt_f16(const FloatMode &mode, F16 a) {
  return narrow_to_half(__builtin_elementwise_sqrt(widen(flush_in(mode, a))));
}
GPUEXEC_OP F16 v_rsq_f16(const FloatMode &mode, F16 a) {
  return narrow_to_half(1.0f /
                        __builtin_elementwise_sqrt(widen(flush_in(mode, a))));
}

/// 2^x to about 2^-50, for any x; NaN stays NaN.
GPUEXEC_OP double exp2_of(double x) {
  double limited = x < -1020.0 ? -1020.0 : x > 1020.0 ? 1020.0 : x;
  double whole = __builtin_elementwise_roundeven(limited);
  double r = (limited - whole) * 0x1.62e42fefa39efp-1; // ln 2; |r| < 0.35
  double sum = 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  // whole + 1.5 * 2^52 has the integer in its low bits; NaN must not become
  // one.
  u64 exponent = bits_of((whole == whole ? whole : 0.0) + 0x1.8p52) << 52;
  return f64(bits_of(sum) + exponent);
}

/// log2 of a positive normal number to about 2^-45 relative.
GPUEXEC_OP double log2_of(double x) {
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)).
  u64 shifted = bits_of(x) - 0x3fe6a09e667f3bcdull;
  i32 e = i32(i64(shifted) >> 52);
  double m = f64(bits_of(x) - (u64(i64(e)) << 52));
  double s = (m - 1.0) / (m + 1.0), z = s * s; // log m = 2 atanh s, |s| < 0.172
  double sum = 1.0 / 19.0;
  sum = sum * z + 1.0 / 17.0;
  sum = sum * z + 1.0 / 15.0;
  sum = sum * z + 1.0 / 13.0;
  sum = sum * z + 1.0 / 11.0;
  sum = sum * z + 1.0 / 9.0;
  sum = sum * z + 1.0 / 7.0;
  sum = sum * z + 1.0 / 5.0;
  sum = sum * z + 1.0 / 3.0;
  sum = sum * z + 1.0;
  return sum * s * 0x1.71547652b82fep+1 + double(e); // 2 / ln 2
}
/// log2 with its special cases: zero, negative numbers, infinity, NaN.
GPUEXEC_OP double log2_ieee(double x) {
  double regular = log2_of(x > 0.0 && x < __builtin_inf() ? x : 1.0);
  double special = x == 0.0  ? -__builtin_inf()
                   : x < 0.0 ? f64(DOUBLE.default_nan())
                             : x;
  return x > 0.0 && x < __builtin_inf() ? regular : special;
}

/// sin(2 pi x), or the cosine, to about 2^-50.
GPUEXEC_OP double sin_turns(double x, bool cosine) {
  bool finite = (bits_of(x) & ~(1ull << 63)) < DOUBLE.infinity();
  double turn = finite ? x - __builtin_elementwise_roundeven(x)
                       : 0.0; // exact, [-1/2, 1/2]
  double quarters = __builtin_elementwise_roundeven(turn * 4.0);
  double r = (turn - quarters * 0.25) * 0x1.921fb54442d18p+2,
         z = r * r; // |r| <= pi / 4
  double s = -1.0 / 1307674368000.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  s = s * z * r + r;
  double c = 1.0 / 20922789888000.0;
  c = c * z - 1.0 / 87178291200.0;
  c = c * z + 1.0 / 479001600.0;
  c = c * z - 1.0 / 3628800.0;
  c = c * z + 1.0 / 40320.0;
  c = c * z - 1.0 / 720.0;
  c = c * z + 1.0 / 24.0;
  c = c * z - 0.5;
  c = c * z + 1.0;
  i32 quadrant = i32(quarters) + (cosine ? 1 : 0);
  double value = quadrant & 1 ? c : s;
  value = quadrant & 2 ? 0.0 - value : value;
  // A NaN keeps its payload, infinity is invalid, and sin(-0) = -0.
  double invalid = x != x ? x : f64(DOUBLE.default_nan());
  value = !cosine && x == 0.0 ? x : value;
  return finite ? value : invalid;
}

GPUEXEC_OP float v_exp_f32(const FloatMode &, float a) {
  double power = exp2_of(double(flush(a)));
  return is_nan(a) ? quiet(a) : flush(float(power));
}
GPUEXEC_OP float v_log_f32(const FloatMode &, float a) {
  return flush(float(log2_ieee(double(flush(a)))));
}
GPUEXEC_OP float v_sin_f32(const FloatMode &mode, float a) {
  return flush_out(mode, float(sin_turns(double(flush_in(mode, a)), false)));
}
GPUEXEC_OP float v_cos_f32(const FloatMode &mode, float a) {
  return float(sin_turns(double(flush_in(mode, a)), true));
}
GPUEXEC_OP float v_exp_legacy_f32(const FloatMode &mode, float a) {
  return v_exp_f32(mode, a);
}
GPUEXEC_OP float v_log_legacy_f32(const FloatMode &mode, float a) {
  return v_log_f32(mode, a);
}
GPUEXEC_OP F16 v_exp_f16(const FloatMode &mode, F16 a) {
  double power = exp2_of(double(widen(flush_in(mode, a))));
  return is_nan(a) ? quiet(a) : flush_out(mode, narrow_to_half(power));
}
GPUEXEC_OP F16 v_log_f16(const FloatMode &mode, F16 a) {
  return flush_out(mode,
                   narrow_to_half(log2_ieee(double(widen(flush_in(mode, a))))));
}
GPUEXEC_OP F16 v_sin_f16(const FloatMode &mode, F16 a) {
  return flush_out(
      mode, narrow_to_half(sin_turns(double(widen(flush_in(mode, a))), false)));
}
GPUEXEC_OP F16 v_cos_f16(const FloatMode &mode, F16 a) {
  return flush_out(
      mode, narrow_to_half(sin_turns(double(widen(flush_in(mode, a))), true)));
}

// Division. `value` is the denominator or the numerator: the one that is
// scaled.

/// 2^n for n in the normal range of T.
template <typename T> constexpr T power_of_two_constant(int n) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  return std::bit_cast<T>(BitsOf<T>(u64(n + f.bias()) << f.frac_bits));
}

/// The constants of div_scale for a format: all are exponents of 2.
template <typename T> struct DivScale;
// NEAR: with exponents that are not further apart, quotients are normal.
template <> struct DivScale<float> {
  static constexpr int SCALE = 64, FAR_APART = 96, TINY = 23, UNDERFLOW = -150,
                       NEAR = 125;
};
template <> struct DivScale<double> {
  static constexpr int SCALE = 128, FAR_APART = 768, TINY = 53,
                       UNDERFLOW = -1075, NEAR = 1020;
};

/// True if |numerator / denominator| is below the normal range.
GPUEXEC_OP bool quotient_denormal(float numerator, float denominator) {
  return __builtin_elementwise_abs(double(numerator)) <
         0x1p-126 * __builtin_elementwise_abs(double(denominator));
}
GPUEXEC_OP bool quotient_denormal(double numerator, double denominator) {
  // The product is exact, or infinite for a numerator of 4 or more: no finite
  // denominator is large enough then.
  double other = __builtin_elementwise_abs(denominator);
  other = is_inf(denominator) ? 1.0 : other;
  return __builtin_elementwise_abs(numerator) * 0x1p1022 < other;
}

/// Returns `value` times 1, 2^SCALE or 2^-SCALE, as the magnitudes of both
/// operands require, and whether div_fmas must scale back. The product is
/// exact, except in cases that the guide leaves undefined.
template <typename T>
GPUEXEC_OP WithBit<T> div_scale(T value, T denominator, T numerator) {
  using Scale = DivScale<T>;
  constexpr Format f = FloatTraits<T>::FORMAT;
  constexpr T up = power_of_two_constant<T>(Scale::SCALE),
              down = power_of_two_constant<T>(-Scale::SCALE);
  int n = biased_exponent(numerator), d = biased_exponent(denominator);
  bool is_denominator = value == denominator, is_numerator = value == numerator;
  bool zero = is_zero(numerator) || is_zero(denominator);
  bool far_apart = n - d >= Scale::FAR_APART;
  bool denormal = d == 0;
  // 1 / denominator is denormal: the denominator is greater than the largest
  // power of two whose reciprocal is normal.
  bool huge =
      magnitude_of(denominator) > (u64(2 * f.bias() - 1) << f.frac_bits) &&
      !is_inf(denominator);
  bool small = quotient_denormal(numerator, denominator);
  bool tiny = n <= Scale::TINY;
  T factor = far_apart       ? (is_denominator ? up : T(1))
             : denormal      ? up
             : huge && small ? (is_denominator ? down : T(1))
             : huge          ? down
             : small         ? (is_numerator ? up : T(1))
             : tiny          ? up
                             : T(1);
  bool bit = !zero && (far_apart || (!denormal && small));
  T scaled = value * factor;
  return {zero ? from_bits<T>(f.default_nan()) : scaled, bit};
}
GPUEXEC_OP WithBit<float> v_div_scale_f32(float value, float denominator,
                                          float numerator) {
  return div_scale(value, denominator, numerator);
}
GPUEXEC_OP WithBit<double> v_div_scale_f64(double value, double denominator,
                                           double numerator) {
  return div_scale(value, denominator, numerator);
}

/// v_div_scale for operands for which div_scale_is_copy() returns true. The
/// interpreter tests whole rows of lanes, and most rows pass.
template <typename T> GPUEXEC_OP WithBit<T> div_scale_copy(T value, T, T) {
  return {value, false};
}
/// Takes the operands' words, of doubles the upper ones. True if their
/// exponents alone show that no scaling is needed.
template <typename T>
GPUEXEC_OP bool div_scale_is_copy(u32 value, u32 denominator, u32 numerator) {
  using Scale = DivScale<T>;
  constexpr Format f = FloatTraits<T>::FORMAT;
  constexpr unsigned SHIFT = f.frac_bits % 32;
  constexpr u32 TOP = 2 * f.bias() + 1; // exponent of infinity and NaN
  u32 v = value >> SHIFT & TOP, d = denominator >> SHIFT & TOP,
      n = numerator >> SHIFT & TOP;
  return (v != TOP) & (d - 1 < TOP - 3) &
         (n - Scale::TINY - 1 < TOP - Scale::TINY - 1) &
         (n - d + Scale::NEAR < Scale::FAR_APART + Scale::NEAR);
}

/// A fma. If `scale` is set, the result is multiplied by 2^64 or, if the
/// quotient `c` is below 2, by 2^-64, and rounded once.
GPUEXEC_OP float v_div_fmas_f32(const FloatMode &mode, float a, float b,
                                float c, bool scale) {
  float plain = rounds_to_nearest<float>(mode)
                    ? nearest_fma(a, b, c)
                    : f32(u32(soft_fma(SINGLE, mode.round32, bits_of(a),
                                       bits_of(b), bits_of(c))));
  bool up = biased_exponent(c) > SINGLE.bias();
  // Scaling up loses no bits. For scaling down, the sum is rounded to odd in
  // double: the product is exact there, and the error of the sum is known.
  double product = double(a) * double(b), sum = product + double(c);
  double part = sum - product,
         error = (product - (sum - part)) + (double(c) - part);
  u64 odd = bits_of(sum);
  bool inexact = error != 0.0 && error == error;
  odd -= inexact && (error < 0.0) != (sum < 0.0);
  odd |= inexact;
  float scaled_down;
  if (rounds_to_nearest<float>(mode))
    scaled_down = float(f64(odd) * 0x1p-64);
  else
    scaled_down = f32(u32(soft_convert(SINGLE, DOUBLE, mode.round32,
                                       bits_of(f64(odd) * 0x1p-64))));
  float scaled = up ? plain * 0x1p64f : scaled_down;
  return flush_out(mode, scale ? scaled : plain);
}
/// The exact fma times 2^n, rounded once.
GPUEXEC_SLOW double scaled_fma(Round round, double a, double b, double c,
                               int n) {
  Unpacked x = soft_unpack(DOUBLE, bits_of(a)),
           y = soft_unpack(DOUBLE, bits_of(b)),
           z = soft_unpack(DOUBLE, bits_of(c));
  if (is_nan(a) || is_nan(b) || is_nan(c) || is_inf(a) || is_inf(b) ||
      is_inf(c) || is_zero(c) || is_zero(a) || is_zero(b))
    return f64(soft_scale(
        DOUBLE, round,
        soft_fma(DOUBLE, round, bits_of(a), bits_of(b), bits_of(c)), n));
  Unpacked product{bool(x.sign != y.sign), x.exponent + y.exponent,
                   x.significand * y.significand};
  return f64(soft_sum(DOUBLE, round, product, z, n));
}
GPUEXEC_OP double v_div_fmas_f64(const FloatMode &mode, double a, double b,
                                 double c, bool scale) {
  double plain = rounds_to_nearest<double>(mode)
                     ? nearest_fma(a, b, c)
                     : f64(soft_fma(DOUBLE, mode.round64_16, bits_of(a),
                                    bits_of(b), bits_of(c)));
  if (scale) [[unlikely]]
    plain = biased_exponent(c) > DOUBLE.bias()
                ? plain * 0x1p128
                : scaled_fma(mode.round64_16, a, b, c, -128);
  return flush_out(mode, plain);
}

template <typename T>
GPUEXEC_OP T div_fixup(T quotient, T denominator, T numerator) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  bool sign = sign_of(denominator) != sign_of(numerator);
  bool invalid = (is_zero(denominator) && is_zero(numerator)) ||
                 (is_inf(denominator) && is_inf(numerator));
  T result = sign ? apply_neg(apply_abs(quotient)) : apply_abs(quotient);
  result =
      is_inf(denominator) || is_zero(numerator) ? signed_zero<T>(sign) : result;
  result =
      is_zero(denominator) || is_inf(numerator) ? signed_inf<T>(sign) : result;
  result = invalid ? from_bits<T>(f.default_nan()) : result;
  result = is_nan(denominator) ? quiet(denominator) : result;
  return is_nan(numerator) ? quiet(numerator) : result;
}
/// A quotient that is less than every number of the format, as the mode rounds
/// it: zero or the least number.
template <typename T> GPUEXEC_OP T underflow(const FloatMode &mode, bool sign) {
  Round round = FloatTraits<T>::round(mode);
  bool least = round == (sign ? Round::down : Round::up);
  return flush_out(mode,
                   from_bits<T>((sign ? FloatTraits<T>::FORMAT.sign_bit() : 0) |
                                (least ? 1 : 0)));
}
/// A quotient that is greater than every number of the format, as the mode
/// rounds it: infinity or the largest number. (The refinement of the division
/// has made an infinity or a NaN of it.)
template <typename T> GPUEXEC_OP T overflow(const FloatMode &mode, bool sign) {
  Round round = FloatTraits<T>::round(mode);
  bool infinite =
      round == Round::nearest || round == (sign ? Round::down : Round::up);
  return from_bits<T>(bits_of(signed_inf<T>(sign)) - (infinite ? 0 : 1));
}
template <typename T>
GPUEXEC_OP T div_fixup_wide(const FloatMode &mode, T quotient, T denominator,
                            T numerator) {
  bool sign = sign_of(denominator) != sign_of(numerator);
  bool below = biased_exponent(numerator) - biased_exponent(denominator) <
               DivScale<T>::UNDERFLOW;
  bool above =
      biased_exponent(quotient) == biased_exponent(signed_inf<T>(false));
  T result = above ? overflow<T>(mode, sign) : quotient;
  result = below ? underflow<T>(mode, sign) : result;
  return div_fixup(result, denominator, numerator);
}
GPUEXEC_OP float v_div_fixup_f32(const FloatMode &mode, float quotient,
                                 float denominator, float numerator) {
  return div_fixup_wide(mode, quotient, denominator, numerator);
}
GPUEXEC_OP double v_div_fixup_f64(const FloatMode &mode, double quotient,
                                  double denominator, double numerator) {
  return div_fixup_wide(mode, quotient, denominator, numerator);
}
GPUEXEC_OP F16 v_div_fixup_f16(F16 quotient, F16 denominator, F16 numerator) {
  return div_fixup(quotient, denominator, numerator);
}
GPUEXEC_OP F16 v_div_fixup_legacy_f16(F16 quotient, F16 denominator,
                                      F16 numerator) {
  return div_fixup(quotient, denominator, numerator);
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_MATH_H
