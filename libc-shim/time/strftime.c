//===-- libc-shim/time/strftime.c - Time to text --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C17's and POSIX's conversions in the C locale, with glibc's flags (_ - 0 ^ #)
// and widths. Each conversion is a number with width and filler, a word, or
// another format.
//===----------------------------------------------------------------------===//
#include "libc-shim/wide/conversion.h"
#include "libc-shim/wide/utf8.h"
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

static bool is_leap(long year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/// The ISO 8601 week and, in `*year`, the year it belongs to.
static int iso_week(const struct tm *at, long *year) {
  *year = 1900l + at->tm_year;
  int monday_based = (at->tm_wday + 6) % 7;
  int week = (at->tm_yday - monday_based + 10) / 7;
  if (week < 1) {
    --*year;
    int length = is_leap(*year) ? 366 : 365;
    return (at->tm_yday + length - monday_based + 10) / 7;
  }
  if (week == 53) {
    int length = is_leap(*year) ? 366 : 365;
    if (at->tm_yday - monday_based + 3 >= length) {
      ++*year;
      return 1;
    }
  }
  return week;
}

typedef struct {
  char *to;
  size_t capacity, size;
} sink;

static void put(sink *s, char c) {
  if (s->size < s->capacity)
    s->to[s->size] = c;
  ++s->size;
}

typedef struct {
  char filler; ///< '_', '-', '0' or 0 for the conversion's own
  bool upper, swap;
  int width;
} flags;

static void put_number(sink *s, long value, int width, char filler,
                       const flags *f) {
  char digits[24];
  int count = 0;
  unsigned long rest =
      value < 0 ? 0 - (unsigned long)value : (unsigned long)value;
  do
    digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (f->filler)
    filler = f->filler == '_' ? ' ' : f->filler;
  if (f->width)
    width = f->width;
  if (value < 0 && filler != ' ')
    put(s, '-');
  if (filler != '-')
    for (int i = count + (value < 0); i < width; ++i)
      put(s, filler);
  if (value < 0 && filler == ' ')
    put(s, '-');
  while (count)
    put(s, digits[--count]);
}

static void put_word(sink *s, const char *word, size_t size, bool upper,
                     bool lower, const flags *f) {
  for (size_t i = size; (int)i < f->width; ++i)
    put(s, f->filler == '0' ? '0' : ' ');
  for (size_t i = 0; i < size; ++i) {
    char c = word[i];
    if ((upper || f->upper) && c >= 'a' && c <= 'z')
      c -= 32;
    else if (lower && c >= 'A' && c <= 'Z')
      c += 32;
    put(s, c);
  }
}

static const char *name(const char *const *names, unsigned count, int index) {
  return (unsigned)index < count ? names[index] : "?";
}

static void format_time(sink *s, const char *format, const struct tm *at);

static void convert(sink *s, char conversion, const struct tm *at,
                    const flags *f) {
  const char *word = NULL, *inner = NULL;
  long year = 1900l + at->tm_year, number = 0;
  int width = 2, hour = at->tm_hour % 12 ? at->tm_hour % 12 : 12;
  char filler = '0';
  size_t size = 0;
  bool upper = false, lower = false;
  switch (conversion) {
  case 'a':
  case 'A':
    word = name(days, 7, at->tm_wday);
    size = conversion == 'a' && *word != '?' ? 3 : strlen(word);
    upper = f->swap;
    break;
  case 'b':
  case 'h':
  case 'B':
    word = name(months, 12, at->tm_mon);
    size = conversion != 'B' && *word != '?' ? 3 : strlen(word);
    upper = f->swap;
    break;
  case 'p':
    word = at->tm_hour >= 12 ? "PM" : "AM";
    size = 2;
    lower = f->swap;
    break;
  case 'P':
    word = at->tm_hour >= 12 ? "pm" : "am";
    size = 2;
    break;
  case 'Z':
    word = at->tm_zone ? at->tm_zone : "";
    if (!*word && at->tm_isdst >= 0) {
      tzset();
      word = tzname[at->tm_isdst > 0];
    }
    size = strlen(word);
    lower = f->swap;
    break;
  case 'c':
    inner = "%a %b %e %H:%M:%S %Y";
    break;
  case 'D':
  case 'x':
    inner = "%m/%d/%y";
    break;
  case 'F':
    inner = "%Y-%m-%d";
    break;
  case 'r':
    inner = "%I:%M:%S %p";
    break;
  case 'R':
    inner = "%H:%M";
    break;
  case 'T':
  case 'X':
    inner = "%H:%M:%S";
    break;
  case 'n':
    put(s, '\n');
    return;
  case 't':
    put(s, '\t');
    return;
  case 'C':
    number = year / 100 - (year % 100 < 0);
    width = 1;
    break;
  case 'd':
    number = at->tm_mday;
    break;
  case 'e':
    number = at->tm_mday;
    filler = ' ';
    break;
  case 'G':
    iso_week(at, &number);
    width = 1;
    break;
  case 'g':
    iso_week(at, &number);
    number = (number % 100 + 100) % 100;
    break;
  case 'V':
    number = iso_week(at, &year);
    break;
  case 'H':
    number = at->tm_hour;
    break;
  case 'I':
    number = hour;
    break;
  case 'k':
    number = at->tm_hour;
    filler = ' ';
    break;
  case 'l':
    number = hour;
    filler = ' ';
    break;
  case 'j':
    number = at->tm_yday + 1;
    width = 3;
    break;
  case 'M':
    number = at->tm_min;
    break;
  case 'm':
    number = at->tm_mon + 1;
    break;
  case 'S':
    number = at->tm_sec;
    break;
  case 's': {
    struct tm copy = *at;
    number = mktime(&copy);
    width = 1;
    break;
  }
  case 'U':
    number = (at->tm_yday - at->tm_wday + 7) / 7;
    break;
  case 'W':
    number = (at->tm_yday - (at->tm_wday + 6) % 7 + 7) / 7;
    break;
  case 'u':
    number = at->tm_wday ? at->tm_wday : 7;
    width = 1;
    break;
  case 'w':
    number = at->tm_wday;
    width = 1;
    break;
  case 'y':
    number = (year % 100 + 100) % 100;
    break;
  case 'Y':
    number = year;
    width = 1;
    break;
  case 'z':
    if (at->tm_isdst < 0)
      return;
    number = at->tm_gmtoff;
    put(s, number < 0 ? '-' : '+');
    number = number < 0 ? -number : number;
    number = number / 3600 * 100 + number / 60 % 60;
    width = 4;
    break;
  }
  if (inner) {
    char text[64];
    sink nested = {text, sizeof text, 0};
    format_time(&nested, inner, at);
    put_word(s, text, nested.size < sizeof text ? nested.size : sizeof text,
             false, false, f);
  } else if (word) {
    put_word(s, word, size, upper, lower, f);
  } else {
    put_number(s, number, width, filler, f);
  }
}

static void format_time(sink *s, const char *format, const struct tm *at) {
  for (; *format; ++format) {
    if (*format != '%') {
      put(s, *format);
      continue;
    }
    const char *start = format++;
    flags f = {0};
    for (;; ++format) {
      if (*format == '^')
        f.upper = true;
      else if (*format == '#')
        f.swap = true;
      else if (*format == '_' || *format == '-' || *format == '0')
        f.filler = *format;
      else
        break;
    }
    for (; *format >= '0' && *format <= '9'; ++format)
      if (f.width < 10000)
        f.width = f.width * 10 + (*format - '0');
    if (*format == 'E' || *format == 'O') // the C locale has no others
      ++format;
    if (*format == '%') {
      put(s, '%');
    } else if (*format &&
               strchr("aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ", *format)) {
      convert(s, *format, at, &f);
    } else {
      for (; start < format; ++start)
        put(s, *start);
      if (!*format)
        return;
      put(s, *format);
    }
  }
}

size_t strftime(char *restrict to, size_t capacity, const char *restrict format,
                const struct tm *restrict at) {
  sink s = {to, capacity, 0};
  format_time(&s, format, at);
  if (s.size >= capacity)
    return 0;
  to[s.size] = 0;
  return s.size;
}

size_t strftime_l(char *restrict to, size_t capacity,
                  const char *restrict format, const struct tm *restrict at,
                  locale_t locale) {
  (void)locale;
  return strftime(to, capacity, format, at);
}

/// In the C locale every result is ASCII.
size_t wcsftime(wchar_t *restrict to, size_t capacity,
                const wchar_t *restrict format, const struct tm *restrict at) {
  // strftime() copies what is no conversion: UTF-8 is, in any locale.
  char narrow[256], text[1024], *behind = narrow;
  for (; *format; ++format) {
    if (behind - narrow + UTF8_MOST_BYTES >= (ptrdiff_t)sizeof narrow)
      return 0;
    const int length = utf8_encode(behind, (uint32_t)*format);
    if (!length)
      return 0;
    behind += length;
  }
  *behind = 0;
  const char *from = text,
             *end = text + strftime(text, sizeof text, narrow, at);
  size_t size = 0;
  while (from < end && size < capacity) {
    mbstate_t state = {0};
    from += __utf8_decode(&to[size++], from, (size_t)(end - from), &state);
  }
  if (size >= capacity)
    return 0;
  to[size] = 0;
  return size;
}
