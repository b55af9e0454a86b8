//===-- libc-shim/time/strftime.c - Time to text --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C17's and POSIX's conversions in the C locale, with glibc's flags (_ - 0 ^ #)
// and widths. Each conversion is a number with width and filler, a word, or
// another format.
//===----------------------------------------------------------------------===//
#include "libc-shim/time/formats.h"
#include "libc-shim/time/zone.h"
#include "libc-shim/wide/conversion.h"
#include "libc-shim/wide/utf8.h"
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

/// The ISO 8601 week; *year becomes the year to which it belongs.
static int iso_week(const struct tm *at, long *year) {
  *year = 1900l + at->tm_year;
  int monday_based = (at->tm_wday + 6) % 7;
  int week = (at->tm_yday - monday_based + 10) / 7;
  if (week < 1) {
    --*year;
    int length = is_leap_year(*year) ? 366 : 365;
    return (at->tm_yday + length - monday_based + 10) / 7;
  }
  if (week == 53) {
    int length = is_leap_year(*year) ? 366 : 365;
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

//===-- Conversions -------------------------------------------------------===//

/// Numbers that are neither a member of struct tm nor one plus a constant. (A
/// row names a member by its offset, which is less than 200.)
enum field {
  CENTURY = 200,
  EPOCH_SECONDS,
  HOUR_OF_12,
  ISO_WEEK,
  ISO_YEAR,
  ISO_YEAR_OF_CENTURY,
  WEEK_FROM_MONDAY,
  WEEK_FROM_SUNDAY,
  WEEKDAY_FROM_1,
  YEAR,
  YEAR_OF_CENTURY,
};
#define MEMBER(NAME) offsetof(struct tm, NAME)

static const struct number_row {
  char conversion, filler;
  unsigned char width, field;
  unsigned char more; ///< added to the member's value
} numbers[] = {
    {'C', '0', 1, CENTURY, 0},
    {'d', '0', 2, MEMBER(tm_mday), 0},
    {'e', ' ', 2, MEMBER(tm_mday), 0},
    {'G', '0', 1, ISO_YEAR, 0},
    {'g', '0', 2, ISO_YEAR_OF_CENTURY, 0},
    {'H', '0', 2, MEMBER(tm_hour), 0},
    {'I', '0', 2, HOUR_OF_12, 0},
    {'j', '0', 3, MEMBER(tm_yday), 1},
    {'k', ' ', 2, MEMBER(tm_hour), 0},
    {'l', ' ', 2, HOUR_OF_12, 0},
    {'M', '0', 2, MEMBER(tm_min), 0},
    {'m', '0', 2, MEMBER(tm_mon), 1},
    {'S', '0', 2, MEMBER(tm_sec), 0},
    {'s', '0', 1, EPOCH_SECONDS, 0},
    {'U', '0', 2, WEEK_FROM_SUNDAY, 0},
    {'u', '0', 1, WEEKDAY_FROM_1, 0},
    {'V', '0', 2, ISO_WEEK, 0},
    {'W', '0', 2, WEEK_FROM_MONDAY, 0},
    {'w', '0', 1, MEMBER(tm_wday), 0},
    {'Y', '0', 1, YEAR, 0},
    {'y', '0', 2, YEAR_OF_CENTURY, 0},
};

static long number_of(const struct number_row *row, const struct tm *at) {
  long year = 1900l + at->tm_year;
  int member;
  switch (row->field) {
  case CENTURY:
    return year / 100 - (year % 100 < 0);
  case EPOCH_SECONDS: {
    struct tm copy = *at;
    return mktime(&copy);
  }
  case HOUR_OF_12:
    return at->tm_hour % 12 ? at->tm_hour % 12 : 12;
  case ISO_WEEK:
    return iso_week(at, &year);
  case ISO_YEAR:
    iso_week(at, &year);
    return year;
  case ISO_YEAR_OF_CENTURY:
    iso_week(at, &year);
    return (year % 100 + 100) % 100;
  case WEEK_FROM_MONDAY:
    return (at->tm_yday - (at->tm_wday + 6) % 7 + 7) / 7;
  case WEEK_FROM_SUNDAY:
    return (at->tm_yday - at->tm_wday + 7) / 7;
  case WEEKDAY_FROM_1:
    return at->tm_wday ? at->tm_wday : 7;
  case YEAR:
    return year;
  case YEAR_OF_CENTURY:
    return (year % 100 + 100) % 100;
  default:
    memcpy(&member, (const char *)at + row->field, sizeof member);
    return member + row->more;
  }
}

/// Writes a name, or its first three letters.
static void put_name(sink *s, const char (*names)[10], unsigned count,
                     int index, bool is_short, const flags *f) {
  const char *name = (unsigned)index < count ? names[index] : "?";
  const size_t size = is_short && *name != '?' ? 3 : strlen(name);
  put_word(s, name, size, f->swap, false, f);
}

/// Writes the offset from UTC as hours and minutes: `+0130`.
static void put_offset(sink *s, const struct tm *at, const flags *f) {
  if (at->tm_isdst < 0)
    return;
  const long offset = at->tm_gmtoff, seconds = offset < 0 ? -offset : offset;
  put(s, offset < 0 ? '-' : '+');
  put_number(s, seconds / 3600 * 100 + seconds / 60 % 60, 4, '0', f);
}

static void put_zone(sink *s, const struct tm *at, const flags *f) {
  const char *name = at->tm_zone ? at->tm_zone : "";
  if (!*name && at->tm_isdst >= 0) {
    tzset();
    name = tzname[at->tm_isdst > 0];
  }
  put_word(s, name, strlen(name), false, f->swap, f);
}

/// Carries out a conversion that is in neither table. False if the letter is no
/// conversion.
static bool put_text(sink *s, char conversion, const struct tm *at,
                     const flags *f) {
  const bool afternoon = at->tm_hour >= 12;
  switch (conversion) {
  case 'a':
  case 'A':
    put_name(s, days, 7, at->tm_wday, conversion == 'a', f);
    return true;
  case 'b':
  case 'h':
  case 'B':
    put_name(s, months, 12, at->tm_mon, conversion != 'B', f);
    return true;
  case 'p':
    put_word(s, afternoon ? "PM" : "AM", 2, false, f->swap, f);
    return true;
  case 'P':
    put_word(s, afternoon ? "pm" : "am", 2, false, false, f);
    return true;
  case 'Z':
    put_zone(s, at, f);
    return true;
  case 'z':
    put_offset(s, at, f);
    return true;
  case 'n':
    put(s, '\n');
    return true;
  case 't':
    put(s, '\t');
    return true;
  case '%':
    put(s, '%');
    return true;
  }
  return false;
}

static void format_time(sink *s, const char *format, const struct tm *at);

/// Carries out a conversion. False if the letter is none.
static bool convert(sink *s, char conversion, const struct tm *at,
                    const flags *f) {
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (numbers[i].conversion == conversion) {
      put_number(s, number_of(&numbers[i], at), numbers[i].width,
                 numbers[i].filler, f);
      return true;
    }
  const char *format = format_of(conversion);
  if (!format)
    return put_text(s, conversion, at, f);
  char text[64];
  sink nested = {text, sizeof text, 0};
  format_time(&nested, format, at);
  put_word(s, text, nested.size < sizeof text ? nested.size : sizeof text,
           false, false, f);
  return true;
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
    if (*format == 'E' || *format == 'O') // no effect in the C locale
      ++format;
    if (!convert(s, *format, at, &f)) {
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

/// Converts `format` to UTF-8, behind a character that makes no result empty.
/// To be freed; null for no memory, or a format that is not Unicode.
static char *narrow_format(const wchar_t *format) {
  char *narrow = malloc(wcslen(format) * UTF8_MOST_BYTES + 2), *behind = narrow;
  if (!narrow)
    return NULL;
  *behind++ = ' ';
  for (; *format; ++format) {
    const int length = utf8_encode(behind, (uint32_t)*format);
    if (!length) {
      free(narrow);
      return NULL;
    }
    behind += length;
  }
  *behind = 0;
  return narrow;
}

/// strftime() into a block that is large enough, with its length in *length.
/// To be freed; null for no memory, or where `capacity` wide characters do not
/// hold the result.
static char *formatted(const char *narrow, size_t capacity, const struct tm *at,
                       size_t *length) {
  for (size_t size = 256;; size *= 2) {
    char *text = malloc(size);
    if (!text)
      return NULL;
    *length = strftime(text, size, narrow, at);
    if (*length)
      return text;
    free(text);
    if (size / UTF8_MOST_BYTES > capacity)
      return NULL;
  }
}

// strftime() copies all bytes that are no conversion, so UTF-8 passes in any
// locale.
size_t wcsftime(wchar_t *restrict to, size_t capacity,
                const wchar_t *restrict format, const struct tm *restrict at) {
  size_t length = 0, size = 0;
  char *narrow = narrow_format(format);
  char *text = narrow ? formatted(narrow, capacity, at, &length) : NULL;
  free(narrow);
  if (!text)
    return 0;
  for (const char *from = text + 1, *end = text + length;
       from < end && size < capacity;) {
    mbstate_t state = {0};
    from += __utf8_decode(&to[size++], from, (size_t)(end - from), &state);
  }
  free(text);
  if (size >= capacity)
    return 0;
  to[size] = 0;
  return size;
}
