//===-- libc-shim/stdlib/strtod.c - Text to floating point ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strtod, strtof and atof, correctly rounded for every input, without heap.
// newlib's allocate big numbers and keep a free list per thread.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdlib/decimal.h"
#include <errno.h>
#include <locale.h>
#include <stdlib.h>

struct _reent;

/// If *at is an exponent ("e+12"; `letter` is e or p), moves *at behind it.
/// Returns the exponent, limited to nine digits; 0 if there is none.
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
  int zeros = 0; // zeros after the last digit in text.count
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

/// Reads a hexadecimal number; `start` is behind its "0x". Leaves *end as it is
/// if no digit follows.
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

/// -value, for NaN too, whose sign NVIDIA's negation drops.
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

/// True if `text` begins with `word` (in small letters) in any case.
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
  // A text without a number is +0.
  return negative && behind ? negated(result) : result;
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
/// Called by newlib's functions for wide text.
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
