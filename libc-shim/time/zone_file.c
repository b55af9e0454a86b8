//===-- libc-shim/time/zone_file.c - Files of the zone database -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RFC 8536 (TZif): changes with the type of local time that each begins, types,
// names, and a rule for what follows the last change. Numbers are big-endian. A
// file of version 2 or later holds all of it twice, with times of 4 and of 8
// bytes. Leap seconds ("right/...") are not counted.
//===----------------------------------------------------------------------===//
#include "libc-shim/time/zone.h"
#include <string.h>

enum { HEADER = 44, TYPE = 6, LEAP = 4 };

static int64_t number_at(const uint8_t *bytes, int width) {
  uint64_t value = bytes[0] & 0x80 ? ~0ull : 0;
  for (int i = 0; i < width; ++i)
    value = value << 8 | bytes[i];
  return (int64_t)value;
}

/// The number of elements of each part, in the header's order.
typedef struct {
  uint64_t utc_marks, standard_marks, leaps, changes, types, names;
} counts;

static bool read_header(const uint8_t *bytes, size_t size, counts *of) {
  if (size < HEADER || memcmp(bytes, "TZif", 4))
    return false;
  uint64_t *const parts = &of->utc_marks;
  for (int i = 0; i < 6; ++i)
    parts[i] = (uint32_t)number_at(bytes + 20 + 4 * i, 4);
  return true;
}

/// The number of bytes of data behind a header. It cannot overflow, because the
/// counts have 32 bits.
static uint64_t size_of(const counts *of, unsigned width) {
  return of->changes * (width + 1) + of->types * TYPE + of->names +
         of->leaps * (width + LEAP) + of->standard_marks + of->utc_marks;
}

/// Sets all members of `file` but the rule. False if a number of a type or the
/// position of a name is out of range.
static bool refer_to(const uint8_t *data, const counts *of, int width,
                     zone_file *file) {
  *file = (zone_file){.times = data,
                      .width = width,
                      .changes = (uint32_t)of->changes,
                      .type_count = (uint32_t)of->types};
  file->kinds = file->times + of->changes * (unsigned)width;
  file->types = file->kinds + of->changes;
  file->names = (const char *)file->types + of->types * TYPE;
  if (!of->types || !of->names || file->names[of->names - 1])
    return false;
  for (uint32_t i = 0; i < file->changes; ++i)
    if (file->kinds[i] >= of->types)
      return false;
  for (uint32_t i = 0; i < file->type_count; ++i)
    if (file->types[i * TYPE + 5] >= of->names)
      return false;
  return true;
}

bool __zone_read_file(uint8_t *bytes, size_t size, zone_file *file) {
  counts of;
  if (!read_header(bytes, size, &of))
    return false;
  int width = 4;
  const bool twice = bytes[4] >= '2';
  bytes += HEADER, size -= HEADER;
  if (twice) {
    const uint64_t first = size_of(&of, 4);
    if (first > size || !read_header(bytes + first, size - first, &of))
      return false;
    bytes += first + HEADER, size -= first + HEADER;
    width = 8;
  }
  const uint64_t data = size_of(&of, (unsigned)width);
  if (data > size || !refer_to(bytes, &of, width, file))
    return false;
  // The rule is a line behind the data.
  char *const footer = (char *)bytes + data;
  if (!twice || size - data < 3 || footer[0] != '\n' || bytes[size - 1] != '\n')
    return true;
  bytes[size - 1] = 0;
  file->has_rule = __zone_read_rule(footer + 1, &file->rule);
  return true;
}

static zone_time type(const zone_file *file, uint32_t number) {
  const uint8_t *const bytes = file->types + number * TYPE;
  return (zone_time){.offset = number_at(bytes, 4),
                     .summer = bytes[4] != 0,
                     .name = file->names + bytes[5]};
}

zone_time __zone_after(const zone_file *file, uint32_t change) {
  return type(file, file->kinds[change]);
}

/// The number of changes at or before `when`.
static uint32_t changes_until(const zone_file *file, int64_t when) {
  uint32_t low = 0, high = file->changes;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (number_at(file->times + middle * (unsigned)file->width, file->width) <=
        when)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

zone_time __zone_by_file(const zone_file *file, int64_t when) {
  const uint32_t past = changes_until(file, when);
  if (file->has_rule && past == file->changes)
    return __zone_by_rule(&file->rule, when);
  if (past)
    return __zone_after(file, past - 1);
  // Before the first change: the first type that is not summer time.
  for (uint32_t i = 0; i < file->type_count; ++i)
    if (!type(file, i).summer)
      return type(file, i);
  return type(file, 0);
}
