//===-- libc-shim/time/zone.h - Time zones --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As in glibc, TZ names a file of the host's zone database, or is a rule in
// POSIX's notation ("CET-1CEST,M3.5.0,M10.5.0/3"). A zone is made once for each
// value of TZ and never freed, so that its names (tm_zone, tzname) stay valid.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ZONE_H
#define GPUEXEC_LIBC_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_leap_year(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/// A kind of local time: standard or summer time of a zone.
typedef struct {
  long offset; ///< seconds east of UTC
  bool summer;
  const char *name; ///< lives as long as the program
} zone_time;

/// The day and the time of day at which a rule changes the kind of time.
typedef struct {
  enum { DAY_FROM_0, DAY_WITHOUT_LEAP_DAY, DAY_OF_WEEK } kind;
  int month, week; ///< DAY_OF_WEEK: 1..12; 1..5, the fifth is the last
  int day;     ///< 0..365, 1..365 (February 29 is not counted), or 0 for Sunday
  int seconds; ///< since local midnight; may be negative or above a day
} zone_change;

/// A rule of POSIX: all zero is UTC without a name.
typedef struct {
  zone_time standard, summer;
  zone_change begin, end; ///< of summer time
} zone_rule;

/// A file of the zone database (RFC 8536) that has been checked.
typedef struct {
  const uint8_t *times; ///< `changes` big-endian numbers of `width` bytes
  const uint8_t *kinds; ///< for each change: the number of the type it begins
  const uint8_t *types; ///< `type_count` types of 6 bytes
  const char *names;    ///< names of types; the last byte is a null
  int width;            ///< 4 or 8
  uint32_t changes, type_count;
  bool has_rule; ///< `rule` holds after the last change
  zone_rule rule;
} zone_file;

/// Days from 1970-01-01 to the first of `month` (0..11) of `year`.
int64_t __days_before(int64_t year, int month);
/// The Gregorian year of a time in seconds since 1970.
int64_t __year_of(int64_t when);

/// Reads a rule. Its names stay in `text`, where nulls are stored behind them.
/// False if the text does not begin with a name and an offset; the rule then
/// has the part that could be read, as in glibc.
bool __zone_read_rule(char *text, zone_rule *rule);
/// The kind of time at `when` (seconds since 1970) by the rule.
zone_time __zone_by_rule(const zone_rule *rule, int64_t when);

/// Checks a file's bytes, to which `file` refers afterwards. The rule at their
/// end is changed as by __zone_read_rule(). False if they are no zone file.
bool __zone_read_file(uint8_t *bytes, size_t size, zone_file *file);
/// The kind of time at `when` (seconds since 1970) by the file.
zone_time __zone_by_file(const zone_file *file, int64_t when);
/// The kind of time that change number `change` begins.
zone_time __zone_after(const zone_file *file, uint32_t change);

/// The kind of time at `when` in the zone of the last tzset(), or, with
/// `update`, in the zone that TZ names now.
zone_time __zone_at(int64_t when, bool update);

#endif
