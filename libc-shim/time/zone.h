//===-- libc-shim/time/zone.h - Time zones --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What TZ names, as glibc reads it: a file of the host's zone database, or a
// rule in POSIX's notation ("CET-1CEST,M3.5.0,M10.5.0/3"). A zone is made once
// for each value of TZ and kept until the program ends, so that its names
// (tm_zone, tzname) stay valid.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ZONE_H
#define GPUEXEC_LIBC_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_leap_year(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/// A kind of local time: what a zone's clocks show during part of the year.
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
  const uint8_t *kinds; ///< after each change: a number of a type
  const uint8_t *types; ///< `type_count` of 6 bytes
  const char *names;    ///< ends with a NUL
  int width;            ///< 4 or 8
  uint32_t changes, type_count;
  bool has_rule; ///< `rule` holds after the last change
  zone_rule rule;
} zone_file;

/// Days from 1970-01-01 to the first of `month` (0..11) of `year`.
int64_t __days_before(int64_t year, int month);
/// The Gregorian year of a time in seconds since 1970.
int64_t __year_of(int64_t when);

/// Reads a rule. `text` is changed: names are ended there and must stay. False
/// when there is no name with an offset; the rule then holds what was read, as
/// glibc's does.
bool __zone_read_rule(char *text, zone_rule *rule);
/// What the rule says of `when`.
zone_time __zone_by_rule(const zone_rule *rule, int64_t when);

/// Checks a file's bytes, to which `file` refers afterwards. The rule at its
/// end is changed as by __zone_read_rule(). False when it is not of the format.
bool __zone_read_file(uint8_t *bytes, size_t size, zone_file *file);
/// What the file says of `when`.
zone_time __zone_by_file(const zone_file *file, int64_t when);
/// The type after change number `change`.
zone_time __zone_after(const zone_file *file, uint32_t change);

/// The local time's kind at `when`, by the zone that tzset() set last, or, with
/// `update`, by the one that TZ names now.
zone_time __zone_at(int64_t when, bool update);

#endif
