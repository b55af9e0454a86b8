//===-- libc-shim/time/calendar.c - Broken-down time ----------------------===//
// gmtime, localtime, mktime, asctime and ctime. The host knows the time zone;
// under a loader that does not offer it local time is UTC. Results that C
// allows to be static are per thread.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/thread_state.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(struct tm) <= 64, "its place in thread_state.h");

static const char utc[] = "UTC";
char *tzname[2] = {(char *)utc, (char *)utc};
long timezone;
int daylight;

/// Days from 1970-01-01 to the first of `month` (0..11) of `year`.
static int64_t days_before(int64_t year, int month) {
  // Years here begin in March, so that the leap day is the last of a year.
  int64_t shifted = month < 2 ? year - 1 : year;
  int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  int64_t of_era = shifted - era * 400;
  int64_t of_year = (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5;
  int64_t of_whole = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
  return era * 146097 + of_whole - 719468;
}

struct tm *gmtime_r(const time_t *restrict when, struct tm *restrict to) {
  int64_t days = *when / 86400, seconds = *when % 86400;
  if (seconds < 0)
    seconds += 86400, --days;
  int64_t since = days + 719468; // since 0000-03-01
  int64_t era = (since >= 0 ? since : since - 146096) / 146097;
  int64_t day = since - era * 146097; // of the era's 400 years
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  day -= year * 365 + year / 4 - year / 100;
  int month = (int)(5 * day + 2) / 153; // counted from March
  int in_month = (int)day - (153 * month + 2) / 5;
  year += era * 400;
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
      .tm_yday = (int)(days - days_before(year, 0)),
      .tm_zone = "GMT",
  };
  return to;
}

/// Seconds east of UTC at `when`. Also sets whether it is summer time, and the
/// name of the zone.
static long offset_at(time_t when, int *summer, const char **name) {
  *summer = 0;
  *name = utc;
  if (!HOST_HAS_POSIX())
    return 0;
  char *own = __thread_state()->time.abbreviation;
  rpc_port port = __port_open(RPC_LOCALTIME_OFFSET);
  __port_send_begin(&port)->words[0] = (uint64_t)when;
  __port_send_end(&port);
  const rpc_packet *answer = __port_recv(&port);
  long offset = 0;
  if (!answer->words[0]) {
    offset = (long)answer->words[1];
    *summer = (int)answer->words[2];
    memcpy(own, answer->bytes + 24, 32);
    own[31] = 0;
    *name = own;
  }
  __port_close(&port);
  return offset;
}

struct tm *localtime_r(const time_t *restrict when, struct tm *restrict to) {
  int summer;
  const char *name;
  long offset = offset_at(*when, &summer, &name);
  time_t shifted = *when + offset;
  if (!gmtime_r(&shifted, to))
    return NULL;
  to->tm_isdst = summer;
  to->tm_gmtoff = offset;
  to->tm_zone = name;
  return to;
}

static int64_t seconds_of(const struct tm *from) {
  int64_t months = from->tm_mon;
  int64_t year = (int64_t)from->tm_year + 1900 + months / 12;
  months %= 12;
  if (months < 0)
    months += 12, --year;
  int64_t days = days_before(year, (int)months) + from->tm_mday - 1;
  return ((days * 24 + from->tm_hour) * 60 + from->tm_min) * 60 + from->tm_sec;
}

time_t timegm(struct tm *from) {
  time_t when = seconds_of(from);
  return gmtime_r(&when, from) ? when : -1;
}

time_t mktime(struct tm *from) {
  int64_t as_utc = seconds_of(from);
  int summer;
  const char *name;
  // The offset depends on the result: guess, then ask for the offset there.
  long offset = offset_at(as_utc, &summer, &name);
  offset = offset_at(as_utc - offset, &summer, &name);
  time_t when = as_utc - offset;
  if (from->tm_isdst >= 0 && (from->tm_isdst > 0) != summer)
    when += summer ? 3600 : -3600; // the caller means the other time
  return localtime_r(&when, from) ? when : -1;
}
time_t timelocal(struct tm *from) { return mktime(from); }

static struct tm *own_tm(void) {
  return (struct tm *)__thread_state()->time.broken_down;
}
struct tm *gmtime(const time_t *when) { return gmtime_r(when, own_tm()); }
struct tm *localtime(const time_t *when) { return localtime_r(when, own_tm()); }

// Asks the host about now and half a year later: if the zone has summer time,
// one of them is in it. All threads write the same values.
void tzset(void) {
  static char names[2][32];
  const time_t now = time(NULL);
  bool found[2] = {false, false};
  for (int i = 0; i < 2; ++i) {
    int summer;
    const char *name;
    const long offset = offset_at(now + i * 182L * 86400, &summer, &name);
    summer = summer > 0;
    if (!summer)
      timezone = -offset;
    memcpy(names[summer], name, strlen(name) + 1);
    found[summer] = true;
  }
  daylight = found[1];
  tzname[0] = names[!found[0]];
  tzname[1] = names[found[1]];
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
  return localtime_r(when, &local) ? asctime_r(&local, to) : NULL;
}
char *ctime(const time_t *when) {
  return ctime_r(when, __thread_state()->time.text);
}
