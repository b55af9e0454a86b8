//===-- libc-shim/time/strptime.c - Broken-down time from text ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX's strptime in the C locale, with glibc's extensions (%F %s %z %k %l
// %P). Numbers have a range and a maximum number of digits, so that "%Y%m%d"
// reads "20240229" and rejects a thirteenth month. As in glibc, the days of the
// week and of the year are computed when the text has only the date.
//===----------------------------------------------------------------------===//
#include "libc-shim/time/formats.h"
#include "libc-shim/time/zone.h"
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/// The result, and which parts of it the text has given so far.
typedef struct {
  struct tm *to;
  bool month, day, weekday, yearday, date; ///< `date`: any part of a date
  bool twelve, afternoon;                  ///< the hour is %I; "PM" was read
  bool short_year;                         ///< the year is %y
  int century;                             ///< -1: none was read
  int week,      ///< number of the week; -1: none was read
      week_from; ///< first day of a week: 0, Sunday, for %U; 1, Monday, for %W
} parse;

/// Days of the year before the first of `month`.
static int days_before(int year, int month) {
  return (int)(__days_before(year, month) - __days_before(year, 0));
}

static int weekday_of(int year, int yearday) {
  const int thursday = 4; // 1970-01-01
  return (int)(((__days_before(year, 0) + yearday + thursday) % 7 + 7) % 7);
}

/// Reads a number of at most `digits` digits in [least, most]. Returns the text
/// behind it, or null if there is none. (All functions that read do so.)
static const char *number(const char *text, int least, int most, int digits,
                          int *value) {
  while (*text == ' ')
    ++text;
  if (!isdigit((unsigned char)*text))
    return NULL;
  int result = 0;
  do
    result = result * 10 + *text++ - '0';
  while (--digits && result * 10 <= most && isdigit((unsigned char)*text));
  *value = result;
  return result < least || result > most ? NULL : text;
}

/// Reads one of `count` names, whole or its first three letters. *value becomes
/// its index.
static const char *name(const char *text, const char (*names)[10], int count,
                        int *value) {
  for (int i = 0; i < count; ++i) {
    const size_t length = strlen(names[i]);
    const bool whole = !strncasecmp(text, names[i], length);
    if (whole || !strncasecmp(text, names[i], 3)) {
      *value = i;
      return text + (whole ? length : 3);
    }
  }
  return NULL;
}

/// Reads "Z", "+hh", "+hhmm" or "+hh:mm". *value becomes the offset in seconds.
static const char *offset(const char *text, long *value) {
  while (isspace((unsigned char)*text))
    ++text;
  if (*text == 'Z') {
    *value = 0;
    return text + 1;
  }
  if (*text != '+' && *text != '-')
    return NULL;
  const bool west = *text++ == '-';
  int digits = 0, sum = 0;
  for (; digits < 4 && isdigit((unsigned char)*text); ++text) {
    sum = sum * 10 + *text - '0';
    if (++digits == 2 && *text && text[1] == ':')
      ++text;
  }
  if (digits == 2)
    sum *= 100;
  if ((digits != 2 && digits != 4) || sum % 100 >= 60 || sum > 1400)
    return NULL;
  *value = (sum / 100 * 3600 + sum % 100 * 60) * (west ? -1 : 1);
  return text;
}

//===-- Conversions -------------------------------------------------------===//

/// Bits of number_row::facts: the members of `parse` that a number sets.
enum {
  IS_DATE = 1,
  IS_MONTH = 2,
  IS_DAY = 4,
  IS_WEEKDAY = 8,
  IS_YEARDAY = 16,
};
/// Values of number_row::field for numbers that set no member of struct tm
/// directly. UNUSED: the number is read and ignored.
enum {
  UNUSED = 200,
  CENTURY,
  HOUR_OF_12,
  HOUR_OF_24,
  WEEK,
  WEEKDAY_FROM_1,
  YEAR,
  YEAR_OF_CENTURY
};
#define MEMBER(NAME) offsetof(struct tm, NAME)

static const struct number_row {
  char conversion;
  unsigned char digits;
  short least, most;
  unsigned char field; ///< an offset in struct tm, or a value of the enum above
  unsigned char less;  ///< subtracted from the number for a member
  unsigned char facts;
} numbers[] = {
    {'C', 2, 0, 99, CENTURY, 0, IS_DATE},
    {'d', 2, 1, 31, MEMBER(tm_mday), 0, IS_DAY | IS_DATE},
    {'e', 2, 1, 31, MEMBER(tm_mday), 0, IS_DAY | IS_DATE},
    {'G', 4, 0, 9999, UNUSED, 0, 0},
    {'g', 2, 0, 99, UNUSED, 0, 0},
    {'H', 2, 0, 23, HOUR_OF_24, 0, 0},
    {'I', 2, 1, 12, HOUR_OF_12, 0, 0},
    {'j', 3, 1, 366, MEMBER(tm_yday), 1, IS_YEARDAY},
    {'k', 2, 0, 23, HOUR_OF_24, 0, 0},
    {'l', 2, 1, 12, HOUR_OF_12, 0, 0},
    {'M', 2, 0, 59, MEMBER(tm_min), 0, 0},
    {'m', 2, 1, 12, MEMBER(tm_mon), 1, IS_MONTH | IS_DATE},
    {'S', 2, 0, 61, MEMBER(tm_sec), 0, 0},
    {'U', 2, 0, 53, WEEK, 0, 0},
    {'u', 1, 1, 7, WEEKDAY_FROM_1, 0, IS_WEEKDAY},
    {'V', 2, 0, 53, UNUSED, 0, 0},
    {'W', 2, 0, 53, WEEK, 0, 0},
    {'w', 1, 0, 6, MEMBER(tm_wday), 0, IS_WEEKDAY},
    {'Y', 4, 0, 9999, YEAR, 0, IS_DATE},
    {'y', 2, 0, 99, YEAR_OF_CENTURY, 0, IS_DATE},
};

static void set_number(parse *p, const struct number_row *row, int value) {
  struct tm *to = p->to;
  const int member = value - row->less;
  p->date |= (row->facts & IS_DATE) != 0;
  p->month |= (row->facts & IS_MONTH) != 0;
  p->day |= (row->facts & IS_DAY) != 0;
  p->weekday |= (row->facts & IS_WEEKDAY) != 0;
  p->yearday |= (row->facts & IS_YEARDAY) != 0;
  switch (row->field) {
  case UNUSED:
    break;
  case CENTURY:
    p->century = value;
    break;
  case HOUR_OF_12:
    p->twelve = true;
    to->tm_hour = value % 12;
    break;
  case HOUR_OF_24:
    p->twelve = false;
    to->tm_hour = value;
    break;
  case WEEK:
    p->week_from = row->conversion == 'W';
    p->week = value;
    break;
  case WEEKDAY_FROM_1:
    to->tm_wday = value % 7;
    break;
  case YEAR:
    to->tm_year = value - 1900;
    p->short_year = false;
    p->century = -1;
    break;
  case YEAR_OF_CENTURY:
    to->tm_year = value >= 69 ? value : value + 100;
    p->short_year = true;
    break;
  default:
    memcpy((char *)to + row->field, &member, sizeof member);
  }
}

/// Reads AM or PM.
static const char *half_of_day(parse *p, const char *text) {
  if (strncasecmp(text, "AM", 2) && strncasecmp(text, "PM", 2))
    return NULL;
  p->afternoon = toupper((unsigned char)*text) == 'P';
  return text + 2;
}

/// Reads the seconds since 1970 and sets all members.
static const char *epoch_seconds(struct tm *to, const char *text) {
  if (!isdigit((unsigned char)*text))
    return NULL;
  time_t seconds = 0;
  for (; isdigit((unsigned char)*text); ++text)
    seconds = seconds * 10 + *text - '0';
  return localtime_r(&seconds, to) ? text : NULL;
}

#define SPACES " \t\n\v\f\r"

/// Reads a conversion that is in neither table.
static const char *read_other(parse *p, const char *text, char conversion) {
  struct tm *to = p->to;
  switch (conversion) {
  case 'a':
  case 'A':
    p->weekday = true;
    return name(text, days, 7, &to->tm_wday);
  case 'b':
  case 'B':
  case 'h':
    p->month = p->date = true;
    return name(text, months, 12, &to->tm_mon);
  case 'n':
  case 't':
    return text + strspn(text, SPACES);
  case 'p':
  case 'P':
    return half_of_day(p, text);
  case 's':
    return epoch_seconds(to, text);
  case 'z':
    return offset(text, &to->tm_gmtoff);
  case 'Z': // read, not used
    text += strspn(text, SPACES);
    return text + strcspn(text, SPACES);
  case '%':
    return *text == '%' ? text + 1 : NULL;
  }
  return NULL;
}

static const char *read_text(parse *p, const char *text, const char *format);

/// Reads one conversion. Null when the text does not match.
static const char *convert(parse *p, const char *text, char conversion) {
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    const struct number_row *row = &numbers[i];
    int value;
    if (row->conversion != conversion)
      continue;
    text = number(text, row->least, row->most, row->digits, &value);
    if (text)
      set_number(p, row, value);
    return text;
  }
  const char *format = format_of(conversion);
  return format ? read_text(p, text, format) : read_other(p, text, conversion);
}

static const char *read_text(parse *p, const char *text, const char *format) {
  for (; text && *format; ++format) {
    if (isspace((unsigned char)*format)) {
      text += strspn(text, SPACES);
    } else if (*format != '%') {
      text = *text == *format ? text + 1 : NULL;
    } else {
      ++format;
      format += strspn(format, "-_0^#"); // flags of strftime(), ignored here
      format += *format == 'E' || *format == 'O';
      if (!*format)
        return NULL;
      text = convert(p, text, *format);
    }
  }
  return text;
}

static void month_from_yearday(struct tm *to, int year) {
  to->tm_mon = 0;
  while (to->tm_mon < 11 && days_before(year, to->tm_mon + 1) <= to->tm_yday)
    ++to->tm_mon;
  to->tm_mday = to->tm_yday - days_before(year, to->tm_mon) + 1;
}

/// Computes the fields that follow from those that were read.
static void complete(parse *p) {
  struct tm *to = p->to;
  if (p->twelve && p->afternoon)
    to->tm_hour += 12;
  if (p->century >= 0)
    to->tm_year =
        (p->century - 19) * 100 + (p->short_year ? to->tm_year % 100 : 0);
  const int year = to->tm_year + 1900;
  if (p->date && !(p->month && p->day) && p->yearday) {
    const int month = to->tm_mon, day = to->tm_mday;
    month_from_yearday(to, year);
    if (p->month)
      to->tm_mon = month;
    if (p->day)
      to->tm_mday = day;
  }
  const int yearday =
      days_before(year, (unsigned)to->tm_mon < 12 ? to->tm_mon : 0) +
      to->tm_mday - 1;
  if (p->week >= 0 && p->weekday) {
    const int first = weekday_of(year, 0), from = p->week_from;
    if (!p->yearday)
      to->tm_yday = (7 - (first - from)) % 7 + (p->week - 1) * 7 +
                    (to->tm_wday - from + 7) % 7;
    if (!p->day || !p->month)
      month_from_yearday(to, year);
    return;
  }
  if (p->date && !p->weekday)
    to->tm_wday = weekday_of(year, yearday);
  if (p->date && !p->yearday)
    to->tm_yday = yearday;
}

char *strptime(const char *restrict text, const char *restrict format,
               struct tm *restrict to) {
  parse p = {.to = to, .century = -1, .week = -1};
  const char *end = read_text(&p, text, format);
  if (end)
    complete(&p);
  return (char *)end;
}
