//===-- libc-shim/stdlib/strfmon.c - Amounts of money ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As in glibc's C locale: two decimal places, no currency, no groups.
//===----------------------------------------------------------------------===//
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <monetary.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/// "%[flags][width][#left][.right]n".
typedef struct {
  char fill;
  bool parentheses; ///< '(': parentheses around a negative amount
  bool to_left;     ///< '-': left-justified
  bool sign_given;  ///< there was a '+' or '('
  int width;
  int left;  ///< digits before the point, or -1
  int right; ///< decimal places
} amount_format;

static int read_number(const char **at) {
  int number = 0;
  while (isdigit((unsigned char)**at) && number < 10000)
    number = 10 * number + (*(*at)++ - '0');
  return number;
}

/// Reads a conversion behind its '%' and moves *at behind it. False if it is
/// not valid.
static bool read_format(const char **at, amount_format *to) {
  *to = (amount_format){.fill = ' ', .left = -1, .right = 2};
  for (;; ++*at) {
    const char flag = **at;
    if (flag == '=') {
      if (!*++*at)
        return false;
      to->fill = **at;
    } else if (flag == '+' || flag == '(') {
      if (to->sign_given)
        return false;
      to->sign_given = true;
      to->parentheses = flag == '(';
    } else if (flag == '-') {
      to->to_left = true;
    } else if (flag != '^' && flag != '!') {
      break;
    }
  }
  to->width = read_number(at);
  if (**at == '#') {
    ++*at;
    if (!isdigit((unsigned char)**at))
      return false;
    to->left = read_number(at);
  }
  if (**at == '.') {
    ++*at;
    if (!isdigit((unsigned char)**at))
      return false;
    to->right = read_number(at);
  }
  if (**at == 'L')
    ++*at;
  return *(*at)++ != 0 && ((*at)[-1] == 'n' || (*at)[-1] == 'i');
}

/// A text of limited size.
typedef struct {
  char *at, *end;
  bool full;
} target;

static void put(target *to, char c, int count) {
  for (; count > 0; --count)
    if (to->at < to->end)
      *to->at++ = c;
    else
      to->full = true;
}

static void put_amount(target *to, const amount_format *f, double amount) {
  const bool negative = signbit(amount) && amount != 0;
  // With '#', which aligns amounts in columns, a positive amount has a space in
  // the place of the sign.
  const char before = negative       ? f->parentheses ? '(' : '-'
                      : f->left >= 0 ? ' '
                                     : 0;
  const char behind = negative && f->parentheses ? ')' : 0;
  char digits[400];
  const int right = f->right < 60 ? f->right : 60;
  const int length =
      snprintf(digits, sizeof digits, "%.*f", right, fabs(amount));
  const int whole = right ? length - right - 1 : length;
  const int filled = isfinite(amount) && f->left > whole ? f->left - whole : 0;
  const int all = (before != 0) + filled + length + (behind != 0);
  if (!f->to_left)
    put(to, ' ', f->width - all);
  put(to, before, before != 0);
  put(to, f->fill, filled);
  for (int i = 0; i < length; ++i)
    put(to, digits[i], 1);
  put(to, behind, behind != 0);
  if (f->to_left)
    put(to, ' ', f->width - all);
}

static ssize_t print(char *text, size_t size, const char *format,
                     va_list list) {
  target to = {text, text + size, false};
  while (*format) {
    const char c = *format++;
    if (c != '%') {
      put(&to, c, 1);
      continue;
    }
    if (*format == '%') {
      put(&to, *format++, 1);
      continue;
    }
    amount_format read;
    if (!read_format(&format, &read)) {
      errno = EINVAL;
      return -1;
    }
    put_amount(&to, &read, va_arg(list, double)); // long double is double
  }
  put(&to, 0, 1);
  if (to.full) {
    errno = E2BIG;
    return -1;
  }
  return to.at - text - 1;
}

ssize_t strfmon(char *restrict text, size_t size, const char *restrict format,
                ...) {
  va_list list;
  va_start(list, format);
  const ssize_t result = print(text, size, format, list);
  va_end(list);
  return result;
}
ssize_t strfmon_l(char *restrict text, size_t size, locale_t locale,
                  const char *restrict format, ...) {
  (void)locale;
  va_list list;
  va_start(list, format);
  const ssize_t result = print(text, size, format, list);
  va_end(list);
  return result;
}
