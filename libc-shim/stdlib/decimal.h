//===-- libc-shim/stdlib/decimal.h - Decimal numbers to binary ones -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The digits before the point become a binary integer. The digits behind it
// become limbs of nine digits, which are multiplied by 2^32 to get binary
// words. Rounding needs the first 64 significant bits and whether any bit
// follows. Part of strtod.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_DECIMAL_H
#define GPUEXEC_LIBC_DECIMAL_H

#include "libc-shim/stdlib/round_binary.h"

enum {
  LIMB_DIGITS = 9,
  LIMB = 1000000000,
  MOST_DIGITS = 800, // of later digits only matters whether all are zero
  MOST_INTEGER_DIGITS = 310,
  LEAST_POINT = -344,
  INTEGER_WORDS = 34,
  LIMBS = (MOST_DIGITS - LEAST_POINT) / LIMB_DIGITS + 1,
};

/// A number's text, measured but not converted.
typedef struct {
  const char *digits; ///< at the first digit that is not zero
  int count;          ///< significant digits, '.' not counted
  long point;         ///< digits before the decimal point, may be negative
} decimal_text;

/// Returns the next digit and moves *at behind it.
static unsigned next_digit(const char **at) {
  if (**at == '.')
    ++*at;
  return (unsigned)(*(*at)++ - '0');
}

/// The digits that convert_decimal() has not yet read.
typedef struct {
  const char *at;
  int left;
} digit_reader;

/// Converts the digits before the point to an integer, least significant word
/// first. Returns the number of words.
static int read_integer(digit_reader *digits, long point, uint32_t *words) {
  int count = 0;
  while (point > 0) {
    uint32_t chunk = 0, scale = 1;
    for (int i = 0; i < LIMB_DIGITS && point > 0; ++i, --point) {
      chunk = chunk * 10 +
              (digits->left > 0 ? (--digits->left, next_digit(&digits->at)) : 0);
      scale *= 10;
    }
    uint64_t carry = chunk;
    for (int i = 0; i < count; ++i) {
      carry += (uint64_t)words[i] * scale;
      words[i] = (uint32_t)carry;
      carry >>= 32;
    }
    if (carry)
      words[count++] = (uint32_t)carry;
  }
  return count;
}

/// Converts the digits behind the point, with leading zeros, to limbs. Returns
/// the number of limbs.
static int read_fraction(digit_reader *digits, long point, uint32_t *limbs) {
  int count = 0;
  for (long zeros = point < 0 ? -point : 0; digits->left > 0;) {
    uint32_t limb = 0;
    for (int i = 0; i < LIMB_DIGITS; ++i) {
      unsigned digit = 0;
      if (zeros > 0)
        --zeros;
      else if (digits->left > 0)
        --digits->left, digit = next_digit(&digits->at);
      limb = limb * 10 + digit;
    }
    limbs[count++] = limb;
  }
  return count;
}

/// Multiplies the fraction in `limbs` by 2^32 and returns the integer part of
/// the product. Drops limbs that are zero at the end.
static uint32_t next_word(uint32_t *limbs, int *count) {
  uint64_t carry = 0;
  for (int i = *count; i-- > 0;) {
    carry += (uint64_t)limbs[i] << 32;
    limbs[i] = (uint32_t)(carry % LIMB);
    carry /= LIMB;
  }
  while (*count && !limbs[*count - 1])
    --*count;
  return (uint32_t)carry;
}

static PIECE binary convert_decimal(decimal_text text) {
  uint32_t words[INTEGER_WORDS + 4];
  uint32_t limbs[LIMBS];
  binary result = {0, 0, text.count > MOST_DIGITS};
  digit_reader digits = {text.digits, result.more ? MOST_DIGITS : text.count};
  int first = read_integer(&digits, text.point, words) - 1;
  int limb_count = read_fraction(&digits, text.point, limbs);

  // The first three words that are not zero, which have 64 significant bits.
  int got = 0;
  uint64_t high = 0, low = 0;
  long exponent = 0; // of the last word
  for (; first >= 0 && got < 3; --first, ++got) {
    high = high << 32 | low >> 32;
    low = low << 32 | words[first];
    exponent = 32l * first;
  }
  for (; first >= 0; --first)
    result.more |= words[first] != 0;
  while (got < 3 && limb_count) {
    const uint32_t word = next_word(limbs, &limb_count);
    exponent -= 32;
    if (got || word) {
      high = high << 32 | low >> 32;
      low = low << 32 | word;
      ++got;
    }
  }
  result.more |= limb_count != 0;
  // high:low is the number times 2^-exponent: joins the first 64 bits.
  if (high) {
    int shift = 64 - __builtin_clzll(high);
    result.more |= (low & ((shift < 64 ? 1ull << shift : 0) - 1)) != 0;
    result.bits = shift < 64 ? high << (64 - shift) | low >> shift : high;
    result.exponent = exponent + shift;
  } else {
    result.bits = low;
    result.exponent = exponent;
  }
  return result;
}

static const double powers_of_ten[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Converts a number of few digits and a small exponent: both operands of one
/// floating-point operation are exact, so it is rounded once. False for other
/// numbers.
static bool convert_exactly(decimal_text text, double *result) {
  if (text.count > 15)
    return false;
  long exponent = text.point - text.count;
  if (exponent < -22 || exponent > 22)
    return false;
  uint64_t mantissa = 0;
  const char *at = text.digits;
  for (int i = 0; i < text.count; ++i)
    mantissa = mantissa * 10 + next_digit(&at);
  *result = exponent < 0 ? (double)mantissa / powers_of_ten[-exponent]
                         : (double)mantissa * powers_of_ten[exponent];
  return true;
}

#endif
