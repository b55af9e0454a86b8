//===-- libc-shim/stdio/format_float.c - Floating point to text -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See format.h. Every conversion is exact and rounded once, half to even. The
// value is converted to limbs, each of nine decimal digits. Of the fraction
// only the limbs that the precision needs are computed; the rest stays binary
// and shows, for the rounding, whether non-zero digits follow.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/format.h"
#include <string.h>

enum {
  LIMB_DIGITS = 9,
  LIMB = 1000000000,
  INTEGER_LIMBS = 35,   // 2^1024 has 309 digits
  FRACTION_LIMBS = 120, // 2^-1074 has 1074 digits
  WORDS = 35,           // 1074 bits of fraction, or 1024 of integer
};

typedef struct {
  // limbs[0] is 0 until rounding carries into it. limbs[point] is the first
  // limb of the fraction; `count` limbs have been computed.
  uint32_t limbs[1 + INTEGER_LIMBS + FRACTION_LIMBS];
  int point, count;
  // The part of the fraction that is not in limbs yet, most significant word
  // first.
  uint32_t words[WORDS];
  int word_count;
} decimal;

static uint32_t power_of_ten(int exponent) {
  uint32_t power = 1;
  while (exponent-- > 0)
    power *= 10;
  return power;
}

/// Converts the integer `mantissa << shift` to limbs.
FORMAT_PIECE static void set_integer(decimal *number, uint64_t mantissa,
                                     int shift) {
  number->limbs[0] = 0;
  if (!shift) {
    // At most 2^64: three limbs.
    number->limbs[1] = (uint32_t)(mantissa / LIMB / LIMB);
    number->limbs[2] = (uint32_t)(mantissa / LIMB % LIMB);
    number->limbs[3] = (uint32_t)(mantissa % LIMB);
    number->point = number->count = 4;
    return;
  }
  uint32_t *words = number->words;
  int last = (shift + 63) / 32; // index of the least significant word
  for (int i = 0; i <= last; ++i)
    words[i] = 0;
  int offset = shift % 32, low = last - shift / 32;
  words[low] = (uint32_t)(mantissa << offset);
  uint64_t high = offset ? mantissa >> (32 - offset) : mantissa >> 32;
  if (low > 0)
    words[low - 1] = (uint32_t)high;
  if (low > 1)
    words[low - 2] = (uint32_t)(high >> 32);
  int first = 0;
  int used = INTEGER_LIMBS + 1;
  while (first <= last) {
    uint64_t remainder = 0;
    for (int i = first; i <= last; ++i) {
      remainder = remainder << 32 | words[i];
      words[i] = (uint32_t)(remainder / LIMB);
      remainder %= LIMB;
    }
    while (first <= last && !words[first])
      ++first;
    number->limbs[--used] = (uint32_t)remainder;
  }
  // The limbs were filled from the end of the array; move them to limbs[1].
  int limbs = INTEGER_LIMBS + 1 - used;
  for (int i = 0; i < limbs; ++i)
    number->limbs[1 + i] = number->limbs[used + i];
  number->point = number->count = 1 + limbs;
}

/// Stores the fraction `bits / 2^scale`, which is less than one, in words.
FORMAT_PIECE static void set_fraction(decimal *number, uint64_t bits,
                                      int scale) {
  int count = (scale + 31) / 32;
  for (int i = 0; i < count; ++i)
    number->words[i] = 0;
  // The lowest bit belongs at position `scale` behind the point.
  int padding = count * 32 - scale;
  uint64_t low = bits << padding;
  uint64_t high = padding ? bits >> (64 - padding) : 0;
  number->words[count - 1] = (uint32_t)low;
  if (count > 1)
    number->words[count - 2] = (uint32_t)(low >> 32);
  if (count > 2)
    number->words[count - 3] = (uint32_t)high;
  number->word_count = count;
  while (number->word_count && !number->words[number->word_count - 1])
    --number->word_count;
}

/// Computes the next limb of the fraction. False when all that follows is zero.
FORMAT_PIECE static bool next_limb(decimal *number) {
  if (!number->word_count)
    return false;
  uint64_t carry = 0;
  for (int i = number->word_count; i-- > 0;) {
    carry += (uint64_t)number->words[i] * LIMB;
    number->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  number->limbs[number->count++] = (uint32_t)carry;
  while (number->word_count && !number->words[number->word_count - 1])
    --number->word_count;
  return true;
}

static decimal *set(decimal *number, uint64_t mantissa, int exponent) {
  number->word_count = 0;
  if (exponent >= 0) {
    set_integer(number, mantissa, exponent);
    number->word_count = 0;
  } else {
    int scale = -exponent;
    uint64_t integer = scale < 64 ? mantissa >> scale : 0;
    set_integer(number, integer, 0);
    set_fraction(number,
                 scale < 64 ? mantissa & ((uint64_t)1 << scale) - 1 : mantissa,
                 scale);
  }
  return number;
}

/// Position of the first non-zero digit, counted from the first digit of
/// limbs[0]. Computes limbs until it finds one. -1 if the number is zero.
FORMAT_PIECE static int first_digit(decimal *number) {
  for (int i = 0;; ++i) {
    if (i == number->count && !next_limb(number))
      return -1;
    uint32_t limb = number->limbs[i];
    if (!limb)
      continue;
    int digits = 0;
    for (uint32_t rest = limb; rest; rest /= 10)
      ++digits;
    return i * LIMB_DIGITS + LIMB_DIGITS - digits;
  }
}

static char digit_at(const decimal *number, int64_t position) {
  if (position < 0 || position >= (int64_t)number->count * LIMB_DIGITS)
    return '0';
  uint32_t limb = number->limbs[position / LIMB_DIGITS];
  return (char)('0' + limb /
                          power_of_ten(LIMB_DIGITS - 1 -
                                       (int)(position % LIMB_DIGITS)) %
                          10);
}

/// Keeps the digits before `position` and rounds by what follows.
FORMAT_PIECE static void round_at(decimal *number, int64_t position) {
  while ((int64_t)number->count * LIMB_DIGITS <= position)
    if (!next_limb(number))
      return;       // exact
  if (position < 0) // less than a tenth of the smallest kept digit
    position = 0;
  int index = (int)(position / LIMB_DIGITS);
  int kept = (int)(position % LIMB_DIGITS);
  uint32_t unit = power_of_ten(LIMB_DIGITS - kept);
  uint32_t remainder = number->limbs[index] % unit;
  bool more = number->word_count != 0;
  for (int i = index + 1; i < number->count && !more; ++i)
    more = number->limbs[i] != 0;
  uint32_t half = unit / 2;
  uint32_t last = kept    ? number->limbs[index] / unit
                  : index ? number->limbs[index - 1]
                          : 0;
  bool up = remainder > half || (remainder == half && (more || (last & 1)));
  number->limbs[index] -= remainder;
  number->count = index + 1;
  number->word_count = 0;
  if (!up)
    return;
  uint32_t add = unit;
  if (!kept) {
    --index;
    add = 1;
  }
  for (number->limbs[index] += add; number->limbs[index] >= LIMB;) {
    number->limbs[index] -= LIMB;
    ++number->limbs[--index];
  }
}

/// Stores `letter`, the sign and at least `least` digits of the exponent in
/// `text`, as %e and %a print it. Returns the number of characters.
FORMAT_PIECE static int exponent_text(char *text, char letter, int exponent,
                                      int least) {
  int size = 0;
  text[size++] = letter;
  text[size++] = exponent < 0 ? '-' : '+';
  unsigned value = (unsigned)(exponent < 0 ? -exponent : exponent);
  int digits = 1;
  for (unsigned rest = value; rest >= 10; rest /= 10)
    ++digits;
  if (digits < least)
    digits = least;
  for (int i = digits; i-- > 0; value /= 10)
    text[size + i] = (char)('0' + value % 10);
  return size + digits;
}

/// Writes the digits at positions [from, from + count) of the number.
FORMAT_PIECE static void put_digits(format_sink *sink, const decimal *number,
                                    int64_t from, int64_t count) {
  int64_t end = (int64_t)number->count * LIMB_DIGITS;
  for (; count && from < end; --count)
    __format_put(sink, digit_at(number, from++));
  __format_repeat(sink, '0', count);
}

/// Of the `count` digits from position `from` on, the number that is left when
/// trailing zeros are removed.
FORMAT_PIECE static int64_t without_zeros(const decimal *number, int64_t from,
                                          int64_t count) {
  int64_t end = (int64_t)number->count * LIMB_DIGITS;
  if (from + count > end)
    count = end > from ? end - from : 0;
  while (count && digit_at(number, from + count - 1) == '0')
    --count;
  return count;
}

FORMAT_PIECE static void put_decimal(format_sink *sink, const format_spec *spec,
                                     const char *sign, char style, bool capital,
                                     uint64_t mantissa, int exponent) {
  decimal number;
  set(&number, mantissa, exponent);
  int64_t precision = spec->precision < 0 ? 6 : spec->precision;
  const int64_t point = (int64_t)number.point * LIMB_DIGITS;
  bool trim = false, rounded_up = false;
  int64_t first = 0;
  if (style != 'f') {
    if (style == 'g') {
      if (!precision)
        precision = 1;
      --precision;
      trim = !spec->alternate;
    }
    first = first_digit(&number);
    if (first >= 0) {
      const int64_t before = first;
      round_at(&number, first + precision + 1);
      first = first_digit(&number); // 9.99 may have become 10
      rounded_up = first < before;
    } else {
      first = point - 1; // zero is 0e+00
    }
  }
  int64_t tens = point - 1 - first; // the exponent of ten
  if (style == 'g') {
    if (tens >= -4 && tens <= precision) {
      style = 'f';
      precision -= tens;
    } else {
      style = 'e';
      // Where rounding alone made the number too large for %f, glibc forgets
      // that %#g keeps zeros: 1.e+06, not C's 1.00000e+06. A program prints
      // here what it prints on its host.
      if (rounded_up && tens == precision + 1)
        precision = 0;
    }
  } else if (style == 'f') {
    round_at(&number, point + precision);
  }

  char tail[8];
  int tail_size = 0;
  int64_t integer_from, integer_count;
  if (style == 'f') {
    first = first_digit(&number);
    integer_from = first < 0 || first >= point ? point - 1 : first;
    integer_count = point - integer_from;
  } else {
    integer_from = first;
    integer_count = 1;
    tail_size = exponent_text(tail, capital ? 'E' : 'e', (int)tens, 2);
  }
  int64_t fraction_from = integer_from + integer_count;
  if (trim)
    precision = without_zeros(&number, fraction_from, precision);
  bool dot = precision > 0 || spec->alternate;
  int64_t size = integer_count + dot + precision + tail_size;
  __format_begin(sink, spec, sign, size, spec->zero);
  put_digits(sink, &number, integer_from, integer_count);
  if (dot)
    __format_put(sink, '.');
  put_digits(sink, &number, fraction_from, precision);
  __format_bytes(sink, tail, (size_t)tail_size);
  __format_end(sink, spec, sign, size);
}

FORMAT_PIECE static void put_hexadecimal(format_sink *sink,
                                         const format_spec *spec,
                                         const char *sign, bool capital,
                                         uint64_t bits) {
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & ((uint64_t)1 << 52) - 1;
  uint64_t lead = exponent ? 1 : 0;
  if (!exponent)
    exponent = fraction ? 1 : 1023;
  exponent -= 1023;
  int digits = 13;
  if (spec->precision >= 0 && spec->precision < 13) {
    digits = spec->precision;
    int drop = 4 * (13 - digits);
    uint64_t whole = lead << 52 | fraction;
    uint64_t rest = whole & ((uint64_t)1 << drop) - 1;
    uint64_t half = (uint64_t)1 << (drop - 1);
    whole >>= drop;
    if (rest > half || (rest == half && (whole & 1)))
      ++whole;
    whole <<= drop;
    lead = whole >> 52;
    fraction = whole & ((uint64_t)1 << 52) - 1;
  } else if (spec->precision < 0) {
    while (digits && !(fraction >> (4 * (13 - digits)) & 15))
      --digits;
  }
  int64_t zeros = spec->precision > 13 ? spec->precision - 13 : 0;
  bool dot = digits || zeros || spec->alternate;
  char tail[8];
  int tail_size = exponent_text(tail, capital ? 'P' : 'p', exponent, 1);
  char prefix[4];
  strcpy(prefix, sign);
  strcat(prefix, capital ? "0X" : "0x");
  int64_t size = 1 + dot + digits + zeros + tail_size;
  __format_begin(sink, spec, prefix, size, spec->zero);
  __format_put(sink, (char)('0' + lead));
  if (dot)
    __format_put(sink, '.');
  for (int i = 0; i < digits; ++i) {
    unsigned digit = fraction >> (48 - 4 * i) & 15;
    __format_put(sink,
                 (capital ? "0123456789ABCDEF" : "0123456789abcdef")[digit]);
  }
  __format_repeat(sink, '0', zeros);
  __format_bytes(sink, tail, (size_t)tail_size);
  __format_end(sink, spec, prefix, size);
}

void __format_float(format_sink *sink, const format_spec *spec, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const char *sign = bits >> 63    ? "-"
                     : spec->plus  ? "+"
                     : spec->space ? " "
                                   : "";
  bits &= ~(uint64_t)0 >> 1;
  char style = spec->conversion;
  bool capital = style >= 'A' && style <= 'Z';
  if (capital)
    style = (char)(style - 'A' + 'a');
  if (bits >> 52 == 0x7ff) {
    const char *text = bits << 12 ? capital ? "NAN" : "nan"
                       : capital  ? "INF"
                                  : "inf";
    __format_begin(sink, spec, sign, 3, false);
    __format_bytes(sink, text, 3);
    __format_end(sink, spec, sign, 3);
    return;
  }
  if (style == 'a') {
    put_hexadecimal(sink, spec, sign, capital, bits);
    return;
  }
  int exponent = (int)(bits >> 52);
  uint64_t mantissa = bits & ((uint64_t)1 << 52) - 1;
  if (exponent)
    mantissa |= (uint64_t)1 << 52;
  else
    exponent = 1;
  exponent -= 1075;
  // Trailing zero bits would only make the fraction longer.
  if (mantissa && exponent < 0) {
    int zeros = __builtin_ctzll(mantissa);
    if (zeros > -exponent)
      zeros = -exponent;
    mantissa >>= zeros;
    exponent += zeros;
  } else if (!mantissa) {
    exponent = 0;
  }
  put_decimal(sink, spec, sign, style, capital, mantissa, exponent);
}
