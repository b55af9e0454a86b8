//===-- emulator/amdgpu/ops/float_core.h - What float ops share -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with the same names for f16, f32 and f64, so that an instruction is
// written once for all three: bit patterns, the mode's fields, flushing of
// denormals, and arithmetic with one rounding to nearest. Halves are computed
// as floats: a float has 24 bits, so that the second rounding of a sum,
// product, quotient or root does not change it (2 * 11 + 2 bits suffice). A fma
// of halves is computed in double.
//===----------------------------------------------------------------------===//

#ifndef GPUEXEC_EMULATOR_AMDGPU_OPS_FLOAT_CORE_H
#define GPUEXEC_EMULATOR_AMDGPU_OPS_FLOAT_CORE_H

#include "emulator/amdgpu/ops/soft_float.h"
#include "emulator/amdgpu/ops/types.h"

namespace gpuexec::emulator::ops {

template <typename T> struct FloatTraits;
template <> struct FloatTraits<float> {
  using Bits = u32;
  using Int = i32;
  static constexpr Format FORMAT = SINGLE;
  GPUEXEC_OP Round round(const FloatMode &m) { return m.round32; }
  GPUEXEC_OP u8 denorm(const FloatMode &m) { return m.denorm32; }
};
template <> struct FloatTraits<double> {
  using Bits = u64;
  using Int = i64;
  static constexpr Format FORMAT = DOUBLE;
  GPUEXEC_OP Round round(const FloatMode &m) { return m.round64_16; }
  GPUEXEC_OP u8 denorm(const FloatMode &m) { return m.denorm64_16; }
};
template <> struct FloatTraits<F16> {
  using Bits = u16;
  using Int = i16;
  static constexpr Format FORMAT = HALF;
  GPUEXEC_OP Round round(const FloatMode &m) { return m.round64_16; }
  GPUEXEC_OP u8 denorm(const FloatMode &m) { return m.denorm64_16; }
};
template <typename T> using BitsOf = typename FloatTraits<T>::Bits;
template <typename T> using IntOf = typename FloatTraits<T>::Int;

template <typename T> GPUEXEC_OP T from_bits(u64 bits) {
  return std::bit_cast<T>(BitsOf<T>(bits));
}

template <typename T> GPUEXEC_OP bool sign_of(T v) {
  return (bits_of(v) & FloatTraits<T>::FORMAT.sign_bit()) != 0;
}
template <typename T> GPUEXEC_OP BitsOf<T> magnitude_of(T v) {
  return BitsOf<T>(bits_of(v) & ~FloatTraits<T>::FORMAT.sign_bit());
}
template <typename T> GPUEXEC_OP bool is_inf(T v) {
  return magnitude_of(v) == FloatTraits<T>::FORMAT.infinity();
}
template <typename T> GPUEXEC_OP bool is_zero(T v) {
  return magnitude_of(v) == 0;
}
/// True for denormal numbers and for zero.
template <typename T> GPUEXEC_OP bool is_denormal_or_zero(T v) {
  return magnitude_of(v) < FloatTraits<T>::FORMAT.hidden();
}
template <typename T> GPUEXEC_OP bool is_signaling(T v) {
  return is_nan(v) && !(bits_of(v) & FloatTraits<T>::FORMAT.quiet_bit());
}
template <typename T> GPUEXEC_OP T quiet(T v) {
  return from_bits<T>(bits_of(v) | FloatTraits<T>::FORMAT.quiet_bit());
}
template <typename T> GPUEXEC_OP T signed_zero(bool sign) {
  return from_bits<T>(sign ? FloatTraits<T>::FORMAT.sign_bit() : 0);
}
template <typename T> GPUEXEC_OP T signed_inf(bool sign) {
  return from_bits<T>((sign ? FloatTraits<T>::FORMAT.sign_bit() : 0) |
                      FloatTraits<T>::FORMAT.infinity());
}
/// The exponent field, bias included.
template <typename T> GPUEXEC_OP int biased_exponent(T v) {
  return int(magnitude_of(v) >> FloatTraits<T>::FORMAT.frac_bits);
}

template <typename T> GPUEXEC_OP T flush(T v) {
  return is_denormal_or_zero(v) ? signed_zero<T>(sign_of(v)) : v;
}
template <typename T> GPUEXEC_OP T flush_in(const FloatMode &mode, T v) {
  return FloatTraits<T>::denorm(mode) & KEEP_INPUT ? v : flush(v);
}
template <typename T> GPUEXEC_OP T flush_out(const FloatMode &mode, T v) {
  return FloatTraits<T>::denorm(mode) & KEEP_OUTPUT ? v : flush(v);
}
template <typename T> GPUEXEC_OP bool rounds_to_nearest(const FloatMode &mode) {
  return FloatTraits<T>::round(mode) == Round::nearest;
}

/// Half to float; every value is represented exactly.
GPUEXEC_OP float widen(F16 v) {
  u32 magnitude = u32(v.bits & 0x7fff) << 13;
  // The exponent's bias differs by 112; the product is exact for denormals too.
  float scaled = f32(magnitude) * 0x1p112f;
  u32 bits =
      magnitude >= 0x0f800000u ? magnitude | 0x7f800000u : bits_of(scaled);
  return f32(bits | u32(v.bits & 0x8000) << 16);
}
GPUEXEC_OP float widen(float v) { return v; }
GPUEXEC_OP double widen(double v) { return v; }

/// Converts to half, rounding to nearest, without a branch.
GPUEXEC_OP F16 narrow_to_half(float v) {
  u32 magnitude = bits_of(v) & 0x7fffffffu;
  // Below the normal range adding 1/2 leaves multiples of 2^-24, rounded.
  u32 denormal = bits_of(f32(magnitude) + 0.5f) - 0x3f000000u;
  u32 normal =
      (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1)) >> 13;
  u32 nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  u32 result = magnitude < 0x38800000u    ? denormal
               : magnitude < 0x477ff000u  ? normal
               : magnitude <= 0x7f800000u ? 0x7c00u
                                          : nan;
  return f16(result | (bits_of(v) >> 16 & 0x8000u));
}

/// Converts to float, rounding to odd: truncates, and sets the last bit if that
/// was not exact. Rounding the result to at most 22 bits then gives the same as
/// rounding the original.
GPUEXEC_OP float narrow_to_odd(double v) {
  float nearest = float(v);
  double back = double(nearest);
  u32 bits = bits_of(nearest);
  // Infinity from a finite number steps back to the largest finite one.
  bits -= __builtin_elementwise_abs(back) > __builtin_elementwise_abs(v);
  return f32(bits | (back != v && v == v));
}
GPUEXEC_OP F16 narrow_to_half(double v) {
  return narrow_to_half(narrow_to_odd(v));
}

// Arithmetic with one rounding to nearest.
GPUEXEC_OP float nearest_add(float a, float b) { return a + b; }
GPUEXEC_OP double nearest_add(double a, double b) { return a + b; }
GPUEXEC_OP F16 nearest_add(F16 a, F16 b) {
  return narrow_to_half(widen(a) + widen(b));
}
GPUEXEC_OP float nearest_mul(float a, float b) { return a * b; }
GPUEXEC_OP double nearest_mul(double a, double b) { return a * b; }
GPUEXEC_OP F16 nearest_mul(F16 a, F16 b) {
  return narrow_to_half(widen(a) * widen(b));
}
GPUEXEC_OP float nearest_fma(float a, float b, float c) {
  return __builtin_elementwise_fma(a, b, c);
}
GPUEXEC_OP double nearest_fma(double a, double b, double c) {
  return __builtin_elementwise_fma(a, b, c);
}
GPUEXEC_OP F16 nearest_fma(F16 a, F16 b, F16 c) {
  // The product is exact in double. If the sum is not, its error is far below
  // half of the last place of a half.
  return narrow_to_half(double(widen(a)) * double(widen(b)) + double(widen(c)));
}

// Arithmetic as the mode says: rounding, and flushing of denormals.
template <typename T> GPUEXEC_OP T mode_add(const FloatMode &mode, T a, T b) {
  a = flush_in(mode, a);
  b = flush_in(mode, b);
  if (rounds_to_nearest<T>(mode))
    return flush_out(mode, nearest_add(a, b));
  using Traits = FloatTraits<T>;
  return flush_out(mode,
                   from_bits<T>(soft_add(Traits::FORMAT, Traits::round(mode),
                                         bits_of(a), bits_of(b))));
}
template <typename T> GPUEXEC_OP T mode_mul(const FloatMode &mode, T a, T b) {
  a = flush_in(mode, a);
  b = flush_in(mode, b);
  if (rounds_to_nearest<T>(mode))
    return flush_out(mode, nearest_mul(a, b));
  using Traits = FloatTraits<T>;
  return flush_out(mode,
                   from_bits<T>(soft_mul(Traits::FORMAT, Traits::round(mode),
                                         bits_of(a), bits_of(b))));
}
template <typename T>
GPUEXEC_OP T mode_fma(const FloatMode &mode, T a, T b, T c) {
  a = flush_in(mode, a);
  b = flush_in(mode, b);
  c = flush_in(mode, c);
  if (rounds_to_nearest<T>(mode))
    return flush_out(mode, nearest_fma(a, b, c));
  using Traits = FloatTraits<T>;
  return flush_out(mode,
                   from_bits<T>(soft_fma(Traits::FORMAT, Traits::round(mode),
                                         bits_of(a), bits_of(b), bits_of(c))));
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_FLOAT_CORE_H
