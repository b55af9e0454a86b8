//===-- libc-shim/src/strtol.c - Text to integers -------------------------===//
// The strtol family in one function, with glibc's reading of "0x" without a
// digit (a zero, then an x) and of bases.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>

static int digit_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

/// `most`: the largest value of the result's type, `below`: how much further
/// down it goes (0 for unsigned types, whose negative inputs wrap).
static __attribute__((noinline)) uint64_t parse(const char *text, char **end,
                                                int base, uint64_t most,
                                                bool is_signed) {
  const char *at = text;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
    ++at;
  bool negative = *at == '-', any = false, overflow = false;
  if (*at == '+' || *at == '-')
    ++at;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    if (end)
      *end = (char *)text;
    return 0;
  }
  if ((base == 0 || base == 16) && *at == '0' && (at[1] | 32) == 'x' &&
      digit_of(at[2]) < 16) {
    base = 16;
    at += 2;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  const uint64_t limit = most + (is_signed && negative);
  uint64_t value = 0;
  for (int digit; (digit = digit_of(*at)) < base; ++at) {
    any = true;
    overflow |= __builtin_mul_overflow(value, (uint64_t)base, &value);
    overflow |= __builtin_add_overflow(value, (uint64_t)digit, &value);
    overflow |= value > limit;
  }
  if (end)
    *end = (char *)(any ? at : text);
  if (overflow) {
    errno = ERANGE;
    return is_signed ? (negative ? -limit : limit) : most;
  }
  return negative ? -value : value;
}

#define SIGNED(name, type, most)                                               \
  type name(const char *restrict text, char **restrict end, int base) {        \
    return (type)parse(text, end, base, most, true);                           \
  }                                                                            \
  type name##_l(const char *restrict text, char **restrict end, int base,      \
                locale_t locale) {                                             \
    (void)locale;                                                              \
    return name(text, end, base);                                              \
  }
#define UNSIGNED(name, type, most)                                             \
  type name(const char *restrict text, char **restrict end, int base) {        \
    return (type)parse(text, end, base, most, false);                          \
  }                                                                            \
  type name##_l(const char *restrict text, char **restrict end, int base,      \
                locale_t locale) {                                             \
    (void)locale;                                                              \
    return name(text, end, base);                                              \
  }

SIGNED(strtol, long, LONG_MAX)
SIGNED(strtoll, long long, LLONG_MAX)
SIGNED(strtoimax, intmax_t, INTMAX_MAX)
UNSIGNED(strtoul, unsigned long, ULONG_MAX)
UNSIGNED(strtoull, unsigned long long, ULLONG_MAX)
UNSIGNED(strtoumax, uintmax_t, UINTMAX_MAX)

int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
long atol(const char *text) { return strtol(text, NULL, 10); }
long long atoll(const char *text) { return strtol(text, NULL, 10); }
