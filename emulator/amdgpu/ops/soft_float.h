//===-- emulator/amdgpu/ops/soft_float.h - Exact float arithmetic ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE 754 operations on bit patterns, for every binary format up to 64 bits
// and every rounding mode. Instructions use them when the MODE register asks
// for a rounding that the host's operators do not do; they are not on a hot
// path. Results are computed exactly (bits that are lost set a sticky last bit)
// and then rounded once.
//===----------------------------------------------------------------------===//

#ifndef GPUEXEC_EMULATOR_AMDGPU_OPS_SOFT_FLOAT_H
#define GPUEXEC_EMULATOR_AMDGPU_OPS_SOFT_FLOAT_H

#include "emulator/amdgpu/ops/types.h"
#include <initializer_list>

namespace gpuexec::emulator::ops {

/// A binary interchange format: sign, exponent and fraction field, in bits.
struct Format {
  int exp_bits, frac_bits;

  constexpr int bias() const { return (1 << (exp_bits - 1)) - 1; }
  constexpr int min_exponent() const { return 1 - bias(); }
  constexpr u64 hidden() const { return 1ull << frac_bits; }
  constexpr u64 infinity() const {
    return ((1ull << exp_bits) - 1) << frac_bits;
  }
  constexpr u64 sign_bit() const { return 1ull << (exp_bits + frac_bits); }
  constexpr u64 quiet_bit() const { return 1ull << (frac_bits - 1); }
  /// The NaN of an invalid operation: sign set, as AMD's and x86's is.
  constexpr u64 default_nan() const {
    return sign_bit() | infinity() | quiet_bit();
  }
};

inline constexpr Format HALF{5, 10}, SINGLE{8, 23}, DOUBLE{11, 52},
    BFLOAT{8, 7};

GPUEXEC_OP bool is_nan_bits(const Format &f, u64 bits) {
  return (bits & ~f.sign_bit()) > f.infinity();
}

/// A finite number: (-1)^sign * significand * 2^exponent. Bit 0 of the
/// significand may be sticky: it is also set if lower bits were lost.
struct Unpacked {
  bool sign;
  int exponent;
  u128 significand;
};

GPUEXEC_OP int top_bit(u128 v) {
  u64 high = u64(v >> 64);
  return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(u64(v) | 1);
}

/// Shifts right, and sets bit 0 if bits that were 1 are lost.
GPUEXEC_OP u128 shift_right_sticky(u128 v, int n) {
  if (n <= 0)
    return v;
  if (n >= 128)
    return v != 0;
  return (v >> n) | ((v & ((u128(1) << n) - 1)) != 0);
}

/// The parts of a finite number.
GPUEXEC_OP Unpacked soft_unpack(const Format &f, u64 bits) {
  u64 fraction = bits & (f.hidden() - 1);
  int biased = int((bits & ~f.sign_bit()) >> f.frac_bits);
  if (biased == 0)
    return {bool(bits & f.sign_bit()), f.min_exponent() - f.frac_bits,
            fraction};
  return {bool(bits & f.sign_bit()), biased - f.bias() - f.frac_bits,
          fraction | f.hidden()};
}

/// True if rounding increases a magnitude by one in its last place. `odd`: its
/// last bit; `half`: whether the part that is dropped is less than, equal to or
/// greater than half of the last place (-1, 0, 1); `inexact`: it is not zero.
GPUEXEC_OP bool rounds_away(Round round, bool sign, bool odd, int half,
                            bool inexact) {
  switch (round) {
  case Round::nearest:
    return half > 0 || (half == 0 && odd);
  case Round::up:
    return inexact && !sign;
  case Round::down:
    return inexact && sign;
  case Round::zero:
    break;
  }
  return false;
}

/// Rounds to a format and returns the bits. Overflow gives infinity or the
/// largest number, as the rounding mode says. A zero significand gives zero
/// with the sign of `v`.
GPUEXEC_SLOW u64 soft_round(const Format &f, Round round, Unpacked v) {
  u64 sign = v.sign ? f.sign_bit() : 0;
  if (v.significand == 0)
    return sign;
  int exponent = top_bit(v.significand) + v.exponent;
  int last_place =
      (exponent > f.min_exponent() ? exponent : f.min_exponent()) - f.frac_bits;
  int drop = last_place - v.exponent;
  u128 kept;
  if (drop <= 0) {
    kept = v.significand << -drop; // at most to frac_bits + 1 bits
  } else {
    u128 wide = drop > 126 ? shift_right_sticky(v.significand, drop - 126)
                           : v.significand;
    int bits = drop > 126 ? 126 : drop;
    u128 rest = wide & ((u128(1) << bits) - 1), middle = u128(1) << (bits - 1);
    kept = wide >> bits;
    kept += rounds_away(round, v.sign, kept & 1,
                        rest == middle  ? 0
                        : rest > middle ? 1
                                        : -1,
                        rest != 0);
  }
  if (exponent > f.bias() ||
      (exponent == f.bias() && kept >= 2 * u128(f.hidden()))) {
    bool infinite =
        round == Round::nearest || round == (v.sign ? Round::down : Round::up);
    return sign | (infinite ? f.infinity() : f.infinity() - 1);
  }
  // The hidden bit, and a carry out of the fraction, add to the exponent field.
  u64 biased =
      exponent >= f.min_exponent() ? u64(exponent - f.min_exponent()) : 0;
  return sign | ((biased << f.frac_bits) + u64(kept));
}

/// (a + b) * 2^scale, with one rounding. Neither a nor b is zero.
GPUEXEC_SLOW u64 soft_sum(const Format &f, Round round, Unpacked a, Unpacked b,
                          int scale) {
  // Move the top bit of both to bit 125, then shift the smaller one right to
  // the same exponent. If that loses bits, the difference is at most one bit
  // shorter than the larger one, and the sticky bit is far below the last
  // place.
  for (Unpacked *v : {&a, &b}) {
    int up = 125 - top_bit(v->significand);
    v->significand <<= up;
    v->exponent -= up;
  }
  bool a_larger = a.exponent > b.exponent ||
                  (a.exponent == b.exponent && a.significand >= b.significand);
  Unpacked large = a_larger ? a : b, small = a_larger ? b : a;
  u128 shifted =
      shift_right_sticky(small.significand, large.exponent - small.exponent);
  if (large.sign == small.sign)
    large.significand += shifted;
  else
    large.significand -= shifted;
  if (large.significand == 0)
    large.sign = round == Round::down;
  large.exponent += scale;
  return soft_round(f, round, large);
}

/// a * b + c with one rounding. If operands are NaN, returns the first of
/// these, quieted.
GPUEXEC_SLOW u64 soft_fma(const Format &f, Round round, u64 a, u64 b, u64 c) {
  for (u64 operand : {a, b, c})
    if (is_nan_bits(f, operand))
      return operand | f.quiet_bit();
  u64 magnitude_a = a & ~f.sign_bit(), magnitude_b = b & ~f.sign_bit(),
      magnitude_c = c & ~f.sign_bit();
  bool product_sign = bool((a ^ b) & f.sign_bit()),
       c_sign = bool(c & f.sign_bit());
  if (magnitude_a == f.infinity() || magnitude_b == f.infinity()) {
    if (magnitude_a == 0 || magnitude_b == 0 ||
        (magnitude_c == f.infinity() && product_sign != c_sign))
      return f.default_nan();
    return (product_sign ? f.sign_bit() : 0) | f.infinity();
  }
  if (magnitude_c == f.infinity())
    return c;
  Unpacked x = soft_unpack(f, a), y = soft_unpack(f, b), z = soft_unpack(f, c);
  Unpacked product{product_sign, x.exponent + y.exponent,
                   x.significand * y.significand};
  if (product.significand == 0 && z.significand == 0)
    return product_sign == c_sign ? (c & f.sign_bit())
           : round == Round::down ? f.sign_bit()
                                  : 0;
  if (product.significand == 0)
    return soft_round(f, round, z);
  if (z.significand == 0)
    return soft_round(f, round, product);
  return soft_sum(f, round, product, z, 0);
}

GPUEXEC_SLOW u64 soft_mul(const Format &f, Round round, u64 a, u64 b) {
  // Adding a zero of the product's sign changes nothing, not even a zero.
  return soft_fma(f, round, a, b, (a ^ b) & f.sign_bit());
}

GPUEXEC_SLOW u64 soft_add(const Format &f, Round round, u64 a, u64 b) {
  return soft_fma(f, round, a, u64(f.bias()) << f.frac_bits, b);
}

/// Converts from one format to another.
GPUEXEC_SLOW u64 soft_convert(const Format &to, const Format &from, Round round,
                              u64 bits) {
  u64 sign = bits & from.sign_bit() ? to.sign_bit() : 0;
  u64 magnitude = bits & ~from.sign_bit();
  if (magnitude >= from.infinity()) {
    u64 payload = magnitude & (from.hidden() - 1);
    int down = from.frac_bits - to.frac_bits;
    u64 moved = down >= 0 ? payload >> down : payload << -down;
    return sign | to.infinity() | (payload ? moved | to.quiet_bit() : 0);
  }
  return soft_round(to, round, soft_unpack(from, bits));
}

/// Converts from a signed integer.
GPUEXEC_SLOW u64 soft_from_int(const Format &f, Round round, i64 v) {
  return soft_round(f, round, {v < 0, 0, v < 0 ? 0 - u64(v) : u64(v)});
}

/// bits * 2^n.
GPUEXEC_SLOW u64 soft_scale(const Format &f, Round round, u64 bits, i32 n) {
  if (is_nan_bits(f, bits))
    return bits | f.quiet_bit();
  if ((bits & ~f.sign_bit()) == f.infinity())
    return bits;
  Unpacked v = soft_unpack(f, bits);
  v.exponent += n > 10000 ? 10000 : n < -10000 ? -10000 : n;
  return soft_round(f, round, v);
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_SOFT_FLOAT_H
