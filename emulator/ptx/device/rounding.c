//===-- emulator/ptx/device/rounding.c - Roundings that hardware lacks ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32: computed as f64, whose error is known, then moved to the right
// neighbour. f64 and conversions: with integers of 128 bits. All functions take
// finite and special values; a NaN or an infinity is the plain operation's.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/device/rounding.h"

#pragma STDC FP_CONTRACT OFF

typedef unsigned __int128 uint128;

static const struct layout {
  int precision; // bits of a significand, the hidden one included
  int smallest;  // exponent of the smallest normal number
  int largest;   // exponent of the largest number
} FORMATS[] = {{11, -14, 15}, {8, -126, 127},  {11, -126, 127},  {4, -6, 8},
               {3, -14, 15},  {24, -126, 127}, {53, -1022, 1023}};

static inline uint64_t bits_of(double value) {
  return __builtin_bit_cast(uint64_t, value);
}

static inline double double_of(uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

static inline int highest_bit(uint128 value) {
  uint64_t high = (uint64_t)(value >> 64);
  return high ? 127 - __builtin_clzll(high)
              : 63 - __builtin_clzll((uint64_t)value);
}

/// `value >> amount`; the lowest bit says whether a one was lost.
static inline uint128 shift_right_sticky(uint128 value, int amount) {
  if (amount <= 0)
    return value;
  if (amount > 127)
    return value != 0;
  uint128 lost = value & (((uint128)1 << amount) - 1);
  return value >> amount | (lost != 0);
}

/// Whether the magnitude `kept` + (`rest` of `half` * 2) is rounded up.
static inline int rounds_up(int negative, uint64_t kept, uint128 rest,
                            uint128 half, int rounding) {
  switch (rounding) {
  case TO_ZERO:
    return 0;
  case DOWN:
    return rest && negative;
  case UP:
    return rest && !negative;
  case TIES_AWAY:
    return rest >= half;
  default:
    return rest > half || (rest == half && (kept & 1));
  }
}

/// The largest finite number of a format, without a sign. e4m3 has no infinity
/// and one NaN, 0x7f.
static inline uint64_t largest_of(int format) {
  const struct layout *f = &FORMATS[format];
  int hidden = f->precision - 1;
  uint64_t exponent = (uint64_t)(f->largest - f->smallest + 1);
  uint64_t all = ((uint64_t)1 << hidden) - 1;
  return exponent << hidden | (format == E4M3 ? all - 1 : all);
}

static inline int sign_position(int format) {
  static const char POSITIONS[] = {15, 15, 18, 7, 7, 31, 63};
  return POSITIONS[format];
}

/// The code of (-1)^negative * significand * 2^exponent, significand not 0.
static inline uint64_t pack(int negative, int exponent, uint128 significand,
                            int format, int rounding, int finite) {
  const struct layout *f = &FORMATS[format];
  uint64_t sign = (uint64_t)negative << sign_position(format);
  int hidden = f->precision - 1;
  int top = exponent + highest_bit(significand);
  int lowest = (top < f->smallest ? f->smallest : top) - hidden;
  int amount = lowest - exponent;
  uint64_t kept;
  if (amount <= 0) {
    kept = (uint64_t)(significand << -amount);
  } else if (amount > 126) {
    kept = rounds_up(negative, 0, 1, 2, rounding);
  } else {
    uint128 half = (uint128)1 << (amount - 1);
    uint128 rest = significand & ((half << 1) - 1);
    kept = (uint64_t)(significand >> amount);
    kept += rounds_up(negative, kept, rest, half, rounding);
  }
  int biased =
      lowest + hidden - f->smallest; // one less than the exponent's code
  uint64_t code = ((uint64_t)biased << hidden) + kept;
  uint64_t largest = largest_of(format);
  if (top > f->largest + 1)
    code = largest + 1;
  if (code <= largest)
    return sign | code;
  int to_largest = finite || rounding == TO_ZERO ||
                   (rounding == DOWN && !negative) ||
                   (rounding == UP && negative);
  return sign | (to_largest ? largest : largest + 1);
}

struct number {
  int negative, exponent;
  uint64_t significand;
};

static inline struct number split(double value) {
  uint64_t bits = bits_of(value);
  int code = bits >> 52 & 0x7ff;
  uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  struct number n = {(int)(bits >> 63), (code ? code : 1) - 1075,
                     code ? fraction | (uint64_t)1 << 52 : fraction};
  return n;
}

static inline int is_special(double value) {
  return (bits_of(value) >> 52 & 0x7ff) == 0x7ff;
}

/// The result of opposite numbers: +0, but -0 when rounded down.
static inline double signed_zero(int negative_both, int positive_both,
                                 int rounding) {
  int negative = negative_both || (!positive_both && rounding == DOWN);
  return double_of((uint64_t)negative << 63);
}

static inline double pack_double(int negative, int exponent,
                                 uint128 significand, int rounding) {
  return double_of(pack(negative, exponent, significand, F64, rounding, 0));
}

uint64_t __gpuexec_ptx_encode(double value, int format, int rounding,
                              int finite) {
  int negative = (int)(bits_of(value) >> 63);
  uint64_t largest = largest_of(format), code;
  int shift = format == TF32 ? 13 : 0;
  if (value != value) // the canonical NaN
    return format == TF32  ? 0x7fffffff
           : format == F64 ? bits_of(value)
                           : ((uint64_t)1 << sign_position(format)) - 1;
  if (is_special(value))
    code = (uint64_t)negative << sign_position(format) |
           (finite ? largest : largest + 1);
  else if (value == 0)
    code = (uint64_t)negative << sign_position(format);
  else {
    struct number n = split(value);
    code = pack(negative, n.exponent, n.significand, format, rounding, finite);
  }
  return code << shift;
}

uint64_t __gpuexec_ptx_encode_integer(uint64_t magnitude, int negative,
                                      int format, int rounding) {
  return magnitude ? pack(negative, 0, magnitude, format, rounding, 0) : 0;
}

uint32_t __gpuexec_ptx_decode8(uint32_t code, int format) {
  uint32_t sign = (code & 0x80) << 8;
  if (format == E5M2) // a half's upper byte
    return (code & 0x7f) > 0x7c ? 0x7fff : code << 8;
  uint32_t rest = code & 0x7f;
  if (rest == 0x7f)
    return 0x7fff;
  if (rest >= 8) // the exponent's bias is 7, a half's 15
    return sign | ((rest << 7) + (8 << 10));
  // Subnormal: rest * 2^-9.
  _Float16 value = (_Float16)(rest * 0x1p-9f);
  return sign | __builtin_bit_cast(uint16_t, value);
}

/// A float on the side of `exact` that `rounding` says.
static inline float to_side(double exact, int rounding) {
  float nearest = (float)exact;
  double back = nearest;
  if (rounding == TO_NEAREST || back == exact || exact != exact)
    return nearest;
  int beyond = __builtin_fabs(back) > __builtin_fabs(exact);
  int away = rounding == TO_ZERO ? 0 : (rounding == UP) == (exact > 0);
  uint32_t bits = __builtin_bit_cast(uint32_t, nearest);
  bits += away && !beyond;
  bits -= !away && beyond;
  return __builtin_bit_cast(float, bits);
}

/// The sum as a double whose last bit is set if something was lost below it.
static inline double sum_to_odd(double a, double b) {
  double sum = a + b;
  double of_b = sum - a, of_a = sum - of_b;
  double error = (a - of_a) + (b - of_b);
  uint64_t bits = bits_of(sum);
  if (error == 0 || error != error || (bits & 1))
    return sum;
  // The other neighbour of the exact sum is odd.
  return double_of((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

float __gpuexec_ptx_fma_f32(float a, float b, float c, int rounding) {
  double product = (double)a * b; // exact
  double sum = sum_to_odd(product, c);
  if (sum == 0 && rounding == DOWN &&
      __builtin_signbit(product) != __builtin_signbit(c))
    return -0.0f;
  return to_side(sum, rounding);
}

float __gpuexec_ptx_add_f32(float a, float b, int rounding) {
  return __gpuexec_ptx_fma_f32(a, 1.0f, b, rounding);
}

float __gpuexec_ptx_mul_f32(float a, float b, int rounding) {
  return to_side((double)a * b, rounding);
}

// A quotient or root of floats is not nearer to a float than 2^-49 of it unless
// it is one, so that a double, although rounded, lies on the right side.
float __gpuexec_ptx_div_f32(float a, float b, int rounding) {
  return to_side((double)a / b, rounding);
}

float __gpuexec_ptx_sqrt_f32(float a, int rounding) {
  return to_side(__builtin_sqrt((double)a), rounding);
}

double __gpuexec_ptx_fma_f64(double a, double b, double c, int rounding) {
  double plain = __builtin_fma(a, b, c);
  if (is_special(a) || is_special(b) || is_special(c))
    return plain;
  struct number x = split(a), y = split(b), z = split(c);
  int negative = x.negative ^ y.negative;
  uint128 product = (uint128)x.significand * y.significand;
  if (!product && !z.significand)
    return signed_zero(negative && z.negative, !negative && !z.negative,
                       rounding);
  if (!product)
    return c;
  int exponent = x.exponent + y.exponent;
  if (!z.significand)
    return pack_double(negative, exponent, product, rounding);
  // Both with the highest bit at 125; the lesser loses bits below bit 0.
  int up = 125 - highest_bit(product), z_up = 125 - highest_bit(z.significand);
  uint128 addend = (uint128)z.significand << z_up;
  int z_exponent = z.exponent - z_up;
  product <<= up;
  exponent -= up;
  if (exponent >= z_exponent) {
    addend = shift_right_sticky(addend, exponent - z_exponent);
  } else {
    product = shift_right_sticky(product, z_exponent - exponent);
    exponent = z_exponent;
  }
  if (negative == z.negative)
    return pack_double(negative, exponent, product + addend, rounding);
  if (product == addend)
    return signed_zero(0, 0, rounding);
  return product > addend
             ? pack_double(negative, exponent, product - addend, rounding)
             : pack_double(z.negative, exponent, addend - product, rounding);
}

double __gpuexec_ptx_add_f64(double a, double b, int rounding) {
  return __gpuexec_ptx_fma_f64(a, 1.0, b, rounding);
}

double __gpuexec_ptx_mul_f64(double a, double b, int rounding) {
  double plain = a * b;
  if (is_special(a) || is_special(b) || a == 0 || b == 0)
    return plain;
  struct number x = split(a), y = split(b);
  return pack_double(x.negative ^ y.negative, x.exponent + y.exponent,
                     (uint128)x.significand * y.significand, rounding);
}

double __gpuexec_ptx_div_f64(double a, double b, int rounding) {
  double plain = a / b;
  if (is_special(a) || is_special(b) || a == 0 || b == 0)
    return plain;
  struct number x = split(a), y = split(b);
  int x_up = __builtin_clzll(x.significand);
  int y_up = __builtin_clzll(y.significand);
  uint64_t divisor = y.significand << y_up;
  uint128 rest = (uint128)(x.significand << x_up) >> 1;
  uint64_t quotient = 0; // 64 bits of rest * 2^64 / divisor
  for (int n = 0; n < 64; ++n) {
    rest <<= 1;
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
  }
  uint128 all = (uint128)quotient << 1 | (rest != 0);
  int exponent = (x.exponent - x_up + 1) - (y.exponent - y_up) - 65;
  return pack_double(x.negative ^ y.negative, exponent, all, rounding);
}

double __gpuexec_ptx_sqrt_f64(double a, int rounding) {
  if (is_special(a) || a <= 0)
    return __builtin_sqrt(a);
  struct number x = split(a);
  int up = __builtin_clzll(x.significand) - 2;
  if ((x.exponent - up) & 1)
    ++up;
  // An even exponent, and 62 or 63 bits, with 60 more below the point.
  uint128 square = (uint128)(x.significand << up) << 60;
  uint128 root = 0, bit = (uint128)1 << 124;
  while (bit) { // one bit of the root a round
    if (square >= root + bit) {
      square -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
    bit >>= 2;
  }
  return pack_double(0, (x.exponent - up - 60) / 2 - 1,
                     root << 1 | (square != 0), rounding);
}

/// bf16 has 8 bits: what a double keeps of the sum, made odd, is enough.
__bf16 __gpuexec_ptx_fma_bf16(__bf16 a, __bf16 b, __bf16 c, int rounding) {
  double sum = sum_to_odd((double)(float)a * (float)b, (float)c);
  uint16_t code = (uint16_t)__gpuexec_ptx_encode(sum, BF16, rounding, 0);
  return __builtin_bit_cast(__bf16, code);
}
