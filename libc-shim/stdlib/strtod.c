//===-- libc-shim/stdlib/strtod.c - Text to floating point ----------------===//
// strtod, strtof and atof, correctly rounded for every input, without heap.
// newlib's allocate big numbers and keep a free list per thread.
//
// The digits before the point become a binary integer. The digits behind it
// become limbs of nine digits, which are multiplied by 2^32 to get binary
// words. Rounding needs the first 64 significant bits and whether any bit
// follows.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct _reent;

#define PIECE __attribute__((noinline))

enum {
  LIMB_DIGITS = 9,
  LIMB = 1000000000,
  MOST_DIGITS = 800, // behind the 768th only "not zero" matters
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

/// value = bits * 2^exponent, plus less than one unit of `bits` when `more`.
/// The top bit of `bits` is set.
typedef struct {
  uint64_t bits;
  long exponent;
  bool more;
} binary;

/// The format of a type: double or float.
typedef struct {
  int mantissa_bits; ///< with the leading one
  int least_exponent;
  int most_exponent;
} float_type;

static const float_type double_type = {53, -1074, 1023};
static const float_type single_type = {24, -149, 127};

/// Rounds half to even; sets `*range` when the result over- or underflows.
static PIECE double round_binary(binary from, float_type type, bool *range) {
  if (!from.bits)
    return 0;
  int shift = __builtin_clzll(from.bits);
  from.bits <<= shift;
  from.exponent -= shift;
  // The number is bits * 2^exponent with the top bit of 64 set.
  int drop = 64 - type.mantissa_bits;
  // Underflow is decided after rounding with an unbounded exponent: a number
  // just below the least normal one may be rounded up to it.
  const uint64_t unlimited = from.bits >> drop;
  const bool tiny =
      from.exponent + drop < type.least_exponent &&
      !((unlimited + 1) >> type.mantissa_bits && from.bits >> (drop - 1) & 1);
  if (from.exponent + drop < type.least_exponent)
    drop = from.exponent < type.least_exponent - 65
               ? 65
               : (int)(type.least_exponent - from.exponent);
  uint64_t kept, rest, half;
  if (drop >= 64) {
    kept = 0;
    rest = drop == 64 ? from.bits : 1; // less than half when drop is 65
    half = 1ull << 63;
  } else {
    kept = from.bits >> drop;
    rest = from.bits & ((1ull << drop) - 1);
    half = 1ull << (drop - 1);
  }
  bool inexact = rest || from.more;
  if (rest > half || (rest == half && (from.more || (kept & 1))))
    ++kept;
  long exponent = from.exponent + drop; // kept * 2^exponent
  if (kept >> type.mantissa_bits) {
    kept >>= 1;
    ++exponent;
  }
  if (exponent + type.mantissa_bits - 1 > type.most_exponent) {
    *range = true;
    return HUGE_VAL;
  }
  if (inexact && (tiny || !(kept >> (type.mantissa_bits - 1))))
    *range = true;
  // Exact in double for both types: assemble the bits.
  if (!kept)
    return 0;
  int top = 63 - __builtin_clzll(kept);
  long of_top = exponent + top;
  uint64_t bits;
  if (of_top < -1022)
    bits = kept << (exponent + 1074);
  else
    bits = (uint64_t)(of_top + 1023) << 52 |
           ((kept << (52 - top)) & ((1ull << 52) - 1));
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

//===-- Decimal -----------------------------------------------------------===//

/// The next significant digit; `*at` moves behind it.
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

/// The digits before the point as an integer, least significant word first.
/// Returns the number of words.
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

/// The digits behind the point, with leading zeros, as limbs. Returns their
/// number.
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

/// Few digits and a small exponent: the operands are exact, one rounding.
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

/// Reads "e+12" (or p) at `*at` if it is one; the exponent, capped.
static long parse_exponent(const char **at, char letter) {
  const char *end = *at;
  if ((*end | 32) != letter)
    return 0;
  ++end;
  bool negative = *end == '-';
  if (*end == '+' || *end == '-')
    ++end;
  if (*end < '0' || *end > '9')
    return 0;
  long value = 0;
  for (; *end >= '0' && *end <= '9'; ++end)
    if (value < 100000000)
      value = value * 10 + (*end - '0');
  *at = end;
  return negative ? -value : value;
}

static double parse_decimal(const char *start, const char **end,
                            float_type type, bool *range) {
  decimal_text text = {NULL, 0, 0};
  const char *at = start;
  bool any = false, seen_point = false;
  int zeros = 0; // at the end of what is counted so far
  for (;; ++at) {
    if (*at == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (*at < '0' || *at > '9')
      break;
    any = true;
    if (*at == '0' && !text.digits) {
      text.point -= seen_point;
      continue;
    }
    if (!text.digits)
      text.digits = at;
    if (*at == '0') {
      ++zeros;
    } else {
      text.count += zeros + 1;
      zeros = 0;
    }
    text.point += !seen_point;
  }
  if (!any)
    return 0;
  text.point += parse_exponent(&at, 'e');
  *end = at;
  if (!text.count)
    return 0;
  if (text.point > MOST_INTEGER_DIGITS) {
    *range = true;
    return HUGE_VAL;
  }
  if (text.point < LEAST_POINT) {
    *range = true;
    return 0;
  }
  double result;
  if (type.mantissa_bits == 53 && convert_exactly(text, &result))
    return result;
  return round_binary(convert_decimal(text), type, range);
}

//===-- Hexadecimal, infinity, not a number -------------------------------===//

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// `start` is behind "0x". Nothing is taken when no digit follows.
static double parse_hexadecimal(const char *start, const char **end,
                                float_type type, bool *range) {
  binary number = {0, 0, false};
  bool any = false, seen_point = false;
  const char *at = start;
  for (;; ++at) {
    if (*at == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    int digit = hex_digit(*at);
    if (digit < 0)
      break;
    any = true;
    if (number.bits >> 60) {
      number.more |= digit != 0;
      number.exponent += seen_point ? 0 : 4;
    } else {
      number.bits = number.bits << 4 | (unsigned)digit;
      number.exponent -= seen_point ? 4 : 0;
    }
  }
  if (!any)
    return 0;
  number.exponent += parse_exponent(&at, 'p');
  *end = at;
  return round_binary(number, type, range);
}

/// -value, also for NaN: NVIDIA's negation drops a NaN's sign.
static double negated(double value) {
#ifdef __NVPTX__
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits ^= 1ull << 63;
  __asm__("" : "+l"(bits)); // keeps LLVM from making it a negation
  memcpy(&value, &bits, sizeof value);
  return value;
#else
  return -value;
#endif
}

/// True when `text` begins with `word`, whatever the case.
static bool begins_with(const char *text, const char *word) {
  for (; *word; ++text, ++word)
    if ((*text | 32) != *word)
      return false;
  return true;
}

static PIECE double parse(const char *text, char **end, float_type type) {
  const char *at = text, *behind = NULL;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
    ++at;
  bool negative = *at == '-';
  if (*at == '+' || *at == '-')
    ++at;
  double result = 0;
  bool range = false;
  if (begins_with(at, "inf")) {
    result = HUGE_VAL;
    behind = at + (begins_with(at, "infinity") ? 8 : 3);
  } else if (begins_with(at, "nan")) {
    result = __builtin_nan("");
    behind = at + 3;
    if (*behind == '(') {
      const char *close = behind + 1;
      while (hex_digit(*close) >= 0 || *close == '_' ||
             ((*close | 32) >= 'a' && (*close | 32) <= 'z'))
        ++close;
      if (*close == ')') {
        unsigned long payload = strtoul(behind + 1, NULL, 0);
        if (payload) {
          // In the low bits of the type's mantissa.
          int unused = double_type.mantissa_bits - type.mantissa_bits;
          uint64_t bits =
              0x7ff8000000000000 | (payload << unused & 0x7ffffffffffff);
          memcpy(&result, &bits, sizeof result);
        }
        behind = close + 1;
      }
    }
  } else {
    result = parse_decimal(at, &behind, type, &range);
    if (*at == '0' && (at[1] | 32) == 'x') {
      const char *hex_end = NULL;
      bool hex_range = false;
      double hex = parse_hexadecimal(at + 2, &hex_end, type, &hex_range);
      if (hex_end) {
        result = hex;
        behind = hex_end;
        range = hex_range;
      }
    }
  }
  if (end)
    *end = (char *)(behind ? behind : text);
  if (range)
    errno = ERANGE;
  return negative && behind ? negated(result) : result; // no number is +0
}

double strtod(const char *restrict text, char **restrict end) {
  return parse(text, end, double_type);
}
float strtof(const char *restrict text, char **restrict end) {
  const double value = parse(text, end, single_type);
  float result = (float)value; // exact
  if (isnan(value)) {
    // NVIDIA's conversion drops the sign and payload of a NaN.
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t narrow = (uint32_t)(bits >> 32 & 0x80000000) | 0x7f800000 |
                            (uint32_t)(bits >> 29 & 0x7fffff);
    memcpy(&result, &narrow, sizeof result);
  }
  return result;
}
long double strtold(const char *restrict text, char **restrict end) {
  return strtod(text, end);
}
double strtod_l(const char *restrict text, char **restrict end,
                locale_t locale) {
  (void)locale;
  return strtod(text, end);
}
float strtof_l(const char *restrict text, char **restrict end,
               locale_t locale) {
  (void)locale;
  return strtof(text, end);
}
long double strtold_l(const char *restrict text, char **restrict end,
                      locale_t locale) {
  (void)locale;
  return strtod(text, end);
}
double atof(const char *text) { return strtod(text, NULL); }
/// What newlib's wide functions call.
double _strtod_l(struct _reent *reent, const char *restrict text,
                 char **restrict end, locale_t locale) {
  (void)reent, (void)locale;
  return strtod(text, end);
}
double _strtod_r(struct _reent *reent, const char *restrict text,
                 char **restrict end) {
  (void)reent;
  return strtod(text, end);
}
