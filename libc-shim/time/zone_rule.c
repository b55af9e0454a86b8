//===-- libc-shim/time/zone_rule.c - Rules of POSIX for local time --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "std offset [dst [offset] [,begin[/time],end[/time]]]". As in glibc, the part
// before an error counts: an unknown zone's name is UTC with that name.
//===----------------------------------------------------------------------===//
#include "libc-shim/time/zone.h"
#include <string.h>

/// The most hours of a change's time: glibc's limit. POSIX allows 167.
enum { MOST_HOURS = 65535 };

/// The text that is left to read.
typedef struct {
  char *at;
} reader;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool skip(reader *text, char c) {
  if (*text->at != c)
    return false;
  ++text->at;
  return true;
}

/// Reads a number; a larger one than `most` counts as `most`. False if there is
/// none: then nothing is read.
static bool read_number(reader *text, int most, int *value) {
  if (!is_digit(*text->at))
    return false;
  int sum = 0;
  for (; is_digit(*text->at); ++text->at)
    if (sum <= most)
      sum = sum * 10 + *text->at - '0';
  *value = sum < most ? sum : most;
  return true;
}

/// Reads hh[:mm[:ss]]. *seconds becomes the time in seconds.
static bool read_time(reader *text, int most_hours, int *seconds) {
  int hours, minutes = 0, rest = 0;
  if (!read_number(text, most_hours, &hours))
    return false;
  for (int *part = &minutes; part && *text->at == ':' && is_digit(text->at[1]);
       part = part == &minutes ? &rest : NULL) {
    ++text->at;
    read_number(text, 59, part);
  }
  *seconds = (hours * 60 + minutes) * 60 + rest;
  return true;
}

/// Reads a name: three letters or more, or "<+03>". Sets *name and *length.
static bool read_name(reader *text, const char **name, size_t *length) {
  char *end = text->at;
  while (is_letter(*end))
    ++end;
  if (end - text->at >= 3) {
    *name = text->at;
    *length = (size_t)(end - text->at);
    text->at = end;
    return true;
  }
  if (*text->at != '<')
    return false;
  const char *begin = end = text->at + 1;
  while (is_letter(*end) || is_digit(*end) || *end == '+' || *end == '-')
    ++end;
  if (*end != '>' || end - begin < 3)
    return false;
  *name = begin;
  *length = (size_t)(end - begin);
  text->at = end + 1;
  return true;
}

/// Reads an offset, which the text gives west of UTC. *east becomes the seconds
/// east of UTC.
static bool read_offset(reader *text, long *east) {
  bool negative = *text->at == '-';
  if (negative || *text->at == '+')
    ++text->at;
  int seconds;
  if (!read_time(text, 24, &seconds))
    return false;
  *east = negative ? seconds : -seconds;
  return true;
}

static bool read_day(reader *text, zone_change *change) {
  if (is_digit(*text->at)) {
    change->kind = DAY_FROM_0;
    return read_number(text, 366, &change->day) && change->day <= 365;
  }
  if (skip(text, 'J')) {
    change->kind = DAY_WITHOUT_LEAP_DAY;
    return read_number(text, 366, &change->day) && change->day >= 1 &&
           change->day <= 365;
  }
  if (!skip(text, 'M'))
    return false;
  change->kind = DAY_OF_WEEK;
  return read_number(text, 13, &change->month) && change->month >= 1 &&
         change->month <= 12 && skip(text, '.') &&
         read_number(text, 6, &change->week) && change->week >= 1 &&
         change->week <= 5 && skip(text, '.') &&
         read_number(text, 7, &change->day) && change->day <= 6;
}

/// Reads a change: [,]day[/time]. At the end of the text *change becomes
/// *usual. False if the text is no change: *change then stays zero, the year's
/// first midnight, as in glibc.
static bool read_change(reader *text, const zone_change *usual,
                        zone_change *change) {
  zone_change read = {.seconds = 2 * 3600};
  skip(text, ',');
  if (!*text->at) {
    *change = *usual;
    return true;
  }
  if (!read_day(text, &read))
    return false;
  if (skip(text, '/')) {
    const bool negative = skip(text, '-');
    if (!read_time(text, MOST_HOURS, &read.seconds) && !*text->at)
      return false;
    if (negative)
      read.seconds = -read.seconds;
  }
  if (*text->at && *text->at != ',')
    return false;
  *change = read;
  return true;
}

/// Reads a rule, but does not yet store the nulls behind its names, because the
/// text goes on there. `lengths`: of the two names.
static bool read_rule(reader *text, zone_rule *rule, size_t lengths[2]) {
  // The changes of a rule that names none: those of the United States since
  // 2007. (glibc takes those of each year from the database's "posixrules".)
  static const zone_change begin = {DAY_OF_WEEK, 3, 2, 0, 2 * 3600};
  static const zone_change end = {DAY_OF_WEEK, 11, 1, 0, 2 * 3600};
  zone_time *const standard = &rule->standard, *const summer = &rule->summer;
  if (!read_name(text, &standard->name, &lengths[0]))
    return false;
  const char next = *text->at;
  if (!is_digit(next) && next != '+' && next != '-')
    return false;
  if (!read_offset(text, &standard->offset))
    return false;
  if (!*text->at) {
    *summer = *standard;
    return true;
  }
  if (read_name(text, &summer->name, &lengths[1]) &&
      !read_offset(text, &summer->offset))
    summer->offset = standard->offset + 3600;
  if (read_change(text, &begin, &rule->begin))
    read_change(text, &end, &rule->end);
  return true;
}

bool __zone_read_rule(char *text, zone_rule *rule) {
  *rule = (zone_rule){.standard.name = "", .summer.name = ""};
  size_t lengths[2] = {0, 0};
  const bool whole = read_rule(&(reader){text}, rule, lengths);
  rule->summer.summer = true;
  if (*rule->standard.name)
    text[rule->standard.name - text + (ptrdiff_t)lengths[0]] = 0;
  if (*rule->summer.name && rule->summer.name != rule->standard.name)
    text[rule->summer.name - text + (ptrdiff_t)lengths[1]] = 0;
  return whole;
}

/// Days since 1970 of a change in `year`.
static int64_t day_of(const zone_change *change, int64_t year) {
  const int64_t new_year = __days_before(year, 0);
  if (change->kind == DAY_FROM_0)
    return new_year + change->day;
  if (change->kind == DAY_WITHOUT_LEAP_DAY)
    return new_year + change->day - 1 + (change->day >= 60 && is_leap_year(year));
  const int64_t first = __days_before(year, change->month - 1);
  const int64_t next = change->month == 12 ? __days_before(year + 1, 0)
                                           : __days_before(year, change->month);
  const int weekday = (int)(((first + 4) % 7 + 7) % 7); // 1970-01-01: Thursday
  int64_t day =
      first + (change->day - weekday + 7) % 7 + 7 * (change->week - 1);
  return day < next ? day : day - 7;
}

/// The time of a change in seconds since 1970. `before` is the kind of time
/// that it ends, in which the rule gives the time of day.
static int64_t time_of(const zone_change *change, int64_t year,
                       const zone_time *before) {
  return day_of(change, year) * 86400 + change->seconds - before->offset;
}

zone_time __zone_by_rule(const zone_rule *rule, int64_t when) {
  // As in glibc, years before 1970 have the changes of 1970.
  const int64_t year = when < 0 ? 1970 : __year_of(when);
  const int64_t begin = time_of(&rule->begin, year, &rule->standard);
  const int64_t end = time_of(&rule->end, year, &rule->summer);
  // South of the equator summer is around the new year.
  const bool summer =
      begin > end ? when < end || when >= begin : when >= begin && when < end;
  return summer ? rule->summer : rule->standard;
}
