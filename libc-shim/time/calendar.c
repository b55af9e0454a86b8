//===-- libc-shim/time/calendar.c - Broken-down time ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gmtime, localtime, mktime, asctime and ctime. Results that C allows to be
// static are per thread.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/thread_state.h"
#include "libc-shim/time/zone.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(struct tm) <= 64, "its place in thread_state.h");

int64_t __days_before(int64_t year, int month) {
  // Years here begin in March, so that the leap day is the last of a year.
  int64_t shifted = month < 2 ? year - 1 : year;
  int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  int64_t of_era = shifted - era * 400;
  int64_t of_year = (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5;
  int64_t of_whole = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
  return era * 146097 + of_whole - 719468;
}

/// A day of the Gregorian calendar. Years and days of the year here begin in
/// March, as in __days_before().
typedef struct {
  int64_t year;
  int day;
} march_day;

static march_day march_day_of(int64_t days) {
  int64_t since = days + 719468; // since 0000-03-01
  int64_t era = (since >= 0 ? since : since - 146096) / 146097;
  int64_t day = since - era * 146097; // of the era's 400 years
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  day -= year * 365 + year / 4 - year / 100;
  return (march_day){year + era * 400, (int)day};
}

int64_t __year_of(int64_t when) {
  const march_day at = march_day_of(when / 86400 - (when % 86400 < 0));
  return at.year + (at.day >= 306); // day 306 is January 1
}

struct tm *gmtime_r(const time_t *restrict when, struct tm *restrict to) {
  int64_t days = *when / 86400, seconds = *when % 86400;
  if (seconds < 0)
    seconds += 86400, --days;
  const march_day at = march_day_of(days);
  int64_t year = at.year;
  int month = (5 * at.day + 2) / 153; // counted from March
  int in_month = at.day - (153 * month + 2) / 5;
  month = month < 10 ? month + 2 : month - 10;
  year += month < 2;
  if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
    errno = EOVERFLOW;
    return NULL;
  }
  *to = (struct tm){
      .tm_sec = (int)(seconds % 60),
      .tm_min = (int)(seconds / 60 % 60),
      .tm_hour = (int)(seconds / 3600),
      .tm_mday = in_month + 1,
      .tm_mon = month,
      .tm_year = (int)(year - 1900),
      .tm_wday = (int)(((days + 4) % 7 + 7) % 7),
      .tm_yday = (int)(days - __days_before(year, 0)),
      .tm_zone = "GMT",
  };
  return to;
}

static struct tm *local_time(time_t when, struct tm *to, bool update) {
  const zone_time local = __zone_at(when, update);
  const time_t shifted = when + local.offset;
  if (!gmtime_r(&shifted, to))
    return NULL;
  to->tm_isdst = local.summer;
  to->tm_gmtoff = local.offset;
  to->tm_zone = local.name;
  return to;
}

/// As in glibc, this may ignore that TZ has changed since the last tzset();
/// localtime() may not.
struct tm *localtime_r(const time_t *restrict when, struct tm *restrict to) {
  return local_time(*when, to, false);
}

static int64_t seconds_of(const struct tm *from) {
  int64_t months = from->tm_mon;
  int64_t year = (int64_t)from->tm_year + 1900 + months / 12;
  months %= 12;
  if (months < 0)
    months += 12, --year;
  int64_t days = __days_before(year, (int)months) + from->tm_mday - 1;
  return ((days * 24 + from->tm_hour) * 60 + from->tm_min) * 60 + from->tm_sec;
}

time_t timegm(struct tm *from) {
  time_t when = seconds_of(from);
  return gmtime_r(&when, from) ? when : -1;
}

/// Finds the offset of summer time (`summer`) or of standard time that is
/// nearest to the time `near`. Searches in steps of a week for 7.3 years in
/// both directions, as glibc 2.36 does. False if it finds none.
static bool offset_with(bool summer, int64_t near, long *offset) {
  enum { STEP = 601200, FARTHEST = 457243209 / 2 + STEP };
  for (int64_t away = STEP; away < FARTHEST; away += STEP)
    for (int side = -1; side <= 1; side += 2) {
      const zone_time there = __zone_at(near + side * away, false);
      if (there.summer == summer) {
        *offset = there.offset;
        return true;
      }
    }
  return false;
}

time_t mktime(struct tm *from) {
  const int64_t as_utc = seconds_of(from);
  // The offset depends on the result: guess, then take the offset there.
  zone_time local = __zone_at(as_utc, true);
  local = __zone_at(as_utc - local.offset, false);
  time_t when = as_utc - local.offset;
  const bool wants_summer = from->tm_isdst > 0;
  if (from->tm_isdst >= 0 && wants_summer != local.summer) {
    long offset = local.offset + (wants_summer ? 3600 : -3600);
    offset_with(wants_summer, when, &offset);
    when = as_utc - offset; // tm_isdst asks for the other kind of time
  }
  return localtime_r(&when, from) ? when : -1;
}
time_t timelocal(struct tm *from) { return mktime(from); }

static struct tm *own_tm(void) {
  return (struct tm *)__thread_state()->time.broken_down;
}
struct tm *gmtime(const time_t *when) {
  return gmtime_r(when, own_tm());
}
struct tm *localtime(const time_t *when) {
  return local_time(*when, own_tm(), true);
}

char *asctime_r(const struct tm *restrict from, char *restrict to) {
  static const char names[] = "SunMonTueWedThuFriSat"
                              "JanFebMarAprMayJunJulAugSepOctNovDec";
  unsigned day = (unsigned)from->tm_wday, month = (unsigned)from->tm_mon;
  snprintf(to, 32, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n",
           day < 7 ? names + 3 * day : "???",
           month < 12 ? names + 21 + 3 * month : "???", from->tm_mday,
           from->tm_hour, from->tm_min, from->tm_sec, 1900 + from->tm_year);
  return to;
}
char *asctime(const struct tm *from) {
  return asctime_r(from, __thread_state()->time.text);
}
char *ctime_r(const time_t *when, char *to) {
  struct tm local;
  return local_time(*when, &local, true) ? asctime_r(&local, to) : NULL;
}
char *ctime(const time_t *when) {
  return ctime_r(when, __thread_state()->time.text);
}
