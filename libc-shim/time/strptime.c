//===-- libc-shim/time/strptime.c - Broken-down time from text ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX's strptime in the C locale, with glibc's extensions (%F %s %z %k %l
// %P). Numbers have a range and a maximum number of digits, so that "%Y%m%d"
// reads "20240229" and rejects a thirteenth month. As in glibc, the days of the
// week and of the year are computed when the text has only the date.
//===----------------------------------------------------------------------===//
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char days[7][10] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                 "Thursday", "Friday", "Saturday"};
static const char months[12][10] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

/// What has been read so far.
typedef struct {
  struct tm *to;
  bool month, day, weekday, yearday, date; ///< the last: something of a date
  bool twelve, afternoon;                  ///< %I, %p
  bool short_year;
  int century; ///< -1: none
  int week,
      week_from; ///< %U: from 0, Sunday; %W: from 1, Monday; week -1: none
} parse;

static bool is_leap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/// Days of the year before the first of `month`.
static int days_before(int month, bool leap) {
  static const short before[] = {0,   31,  59,  90,  120, 151, 181,
                                 212, 243, 273, 304, 334, 365};
  return before[month] + (leap && month > 1);
}

static int weekday_of(int year, int yearday) {
  const long past = (long)year - 1;
  return (
      int)(((past + past / 4 - past / 100 + past / 400 + 1 + yearday) % 7 + 7) %
           7);
}

/// A number of at most `digits` digits in [least, most]; null when there is
/// none.
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

/// One of `count` names, whole or its first three letters.
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

/// "Z", "+hh", "+hhmm" or "+hh:mm" as seconds.
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

static const char *read_text(parse *p, const char *text, const char *format);

/// Reads one conversion. Null when the text does not match.
static const char *convert(parse *p, const char *text, char conversion) {
  struct tm *to = p->to;
  int value;
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
  case 'c':
    p->date = true;
    return read_text(p, text, "%a %b %e %H:%M:%S %Y");
  case 'C':
    p->date = true;
    return number(text, 0, 99, 2, &p->century);
  case 'd':
  case 'e':
    p->day = p->date = true;
    return number(text, 1, 31, 2, &to->tm_mday);
  case 'x':
  case 'D':
    return read_text(p, text, "%m/%d/%y");
  case 'F':
    return read_text(p, text, "%Y-%m-%d");
  case 'H':
  case 'k':
    p->twelve = false;
    return number(text, 0, 23, 2, &to->tm_hour);
  case 'I':
  case 'l':
    if (!(text = number(text, 1, 12, 2, &value)))
      return NULL;
    p->twelve = true;
    to->tm_hour = value % 12;
    return text;
  case 'j':
    if (!(text = number(text, 1, 366, 3, &value)))
      return NULL;
    p->yearday = true;
    to->tm_yday = value - 1;
    return text;
  case 'm':
    if (!(text = number(text, 1, 12, 2, &value)))
      return NULL;
    p->month = p->date = true;
    to->tm_mon = value - 1;
    return text;
  case 'M':
    return number(text, 0, 59, 2, &to->tm_min);
  case 'n':
  case 't':
    return text + strspn(text, " \t\n\v\f\r");
  case 'p':
  case 'P':
    if (strncasecmp(text, "AM", 2) && strncasecmp(text, "PM", 2))
      return NULL;
    p->afternoon = toupper((unsigned char)*text) == 'P';
    return text + 2;
  case 'r':
    return read_text(p, text, "%I:%M:%S %p");
  case 'R':
    return read_text(p, text, "%H:%M");
  case 's': {
    if (!isdigit((unsigned char)*text))
      return NULL;
    time_t seconds = 0;
    for (; isdigit((unsigned char)*text); ++text)
      seconds = seconds * 10 + *text - '0';
    return localtime_r(&seconds, to) ? text : NULL;
  }
  case 'S':
    return number(text, 0, 61, 2, &to->tm_sec);
  case 'X':
  case 'T':
    return read_text(p, text, "%H:%M:%S");
  case 'u':
    if (!(text = number(text, 1, 7, 1, &value)))
      return NULL;
    p->weekday = true;
    to->tm_wday = value % 7;
    return text;
  case 'w':
    p->weekday = true;
    return number(text, 0, 6, 1, &to->tm_wday);
  case 'g':
    return number(text, 0, 99, 2, &value);
  case 'G':
    return number(text, 0, 9999, 4, &value);
  case 'U':
  case 'W':
    p->week_from = conversion == 'W';
    return number(text, 0, 53, 2, &p->week);
  case 'V':
    return number(text, 0, 53, 2, &value);
  case 'y':
    if (!(text = number(text, 0, 99, 2, &value)))
      return NULL;
    to->tm_year = value >= 69 ? value : value + 100;
    p->short_year = p->date = true;
    return text;
  case 'Y':
    if (!(text = number(text, 0, 9999, 4, &value)))
      return NULL;
    to->tm_year = value - 1900;
    p->short_year = false;
    p->date = true;
    p->century = -1;
    return text;
  case 'z':
    return offset(text, &to->tm_gmtoff);
  case 'Z': // read, not used
    text += strspn(text, " \t\n\v\f\r");
    return text + strcspn(text, " \t\n\v\f\r");
  case '%':
    return *text == '%' ? text + 1 : NULL;
  }
  return NULL;
}

static const char *read_text(parse *p, const char *text, const char *format) {
  for (; text && *format; ++format) {
    if (isspace((unsigned char)*format)) {
      text += strspn(text, " \t\n\v\f\r");
    } else if (*format != '%') {
      text = *text == *format ? text + 1 : NULL;
    } else {
      ++format;
      format += strspn(format, "-_0^#"); // for strftime's sake
      format += *format == 'E' || *format == 'O';
      if (!*format)
        return NULL;
      text = convert(p, text, *format);
    }
  }
  return text;
}

static void month_from_yearday(struct tm *to, bool leap) {
  to->tm_mon = 0;
  while (to->tm_mon < 11 && days_before(to->tm_mon + 1, leap) <= to->tm_yday)
    ++to->tm_mon;
  to->tm_mday = to->tm_yday - days_before(to->tm_mon, leap) + 1;
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
  const bool leap = is_leap(year);
  if (p->date && !(p->month && p->day) && p->yearday) {
    const int month = to->tm_mon, day = to->tm_mday;
    month_from_yearday(to, leap);
    if (p->month)
      to->tm_mon = month;
    if (p->day)
      to->tm_mday = day;
  }
  const int yearday =
      days_before((unsigned)to->tm_mon < 12 ? to->tm_mon : 0, leap) +
      to->tm_mday - 1;
  if (p->week >= 0 && p->weekday) {
    const int first = weekday_of(year, 0), from = p->week_from;
    if (!p->yearday)
      to->tm_yday = (7 - (first - from)) % 7 + (p->week - 1) * 7 +
                    (to->tm_wday - from + 7) % 7;
    if (!p->day || !p->month)
      month_from_yearday(to, leap);
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
