//===-- libc-shim/openmp/affinity.c - omp_display_affinity and others -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char format_of_all[256] = "level %L thread %n of %N";

void omp_set_affinity_format(const char *format) {
  if (format)
    snprintf(format_of_all, sizeof format_of_all, "%s", format);
}
size_t omp_get_affinity_format(char *text, size_t size) {
  if (size)
    snprintf(text, size, "%s", format_of_all);
  return strlen(format_of_all);
}

static const struct {
  char letter;
  const char *name;
} FIELDS[] = {
    {'t', "team_num"},     {'T', "num_teams"},       {'L', "nesting_level"},
    {'n', "thread_num"},   {'N', "num_threads"},     {'a', "ancestor_tnum"},
    {'H', "host"},         {'P', "process_id"},      {'i', "native_thread_id"},
    {'A', "thread_affinity"},
};

/// Reads a field, written as a letter or as {NAME}, and moves *format behind
/// it. Returns its letter, or 0 if there is no such field.
static char read_field(const char **format) {
  const char *at = *format;
  const bool is_long = *at == '{';
  size_t length = *at != 0;
  if (is_long) {
    const char *end = strchr(++at, '}');
    length = end ? (size_t)(end - at) : strlen(at);
    *format = at + length + (end != NULL);
  } else {
    *format = at + length;
  }
  for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; ++i)
    if (is_long ? strlen(FIELDS[i].name) == length &&
                      !strncmp(FIELDS[i].name, at, length)
                : FIELDS[i].letter == *at)
      return FIELDS[i].letter;
  return 0;
}

static void write_field(char *text, size_t size, char letter) {
  int value = 0;
  switch (letter) {
  case 'T':
    value = omp_get_num_teams();
    break;
  case 'L':
    value = omp_get_level();
    break;
  case 'i': // in a region that is not nested this is the number in the grid
  case 'n':
    value = omp_get_thread_num();
    break;
  case 'N':
    value = omp_get_num_threads();
    break;
  case 'a':
    value = omp_get_level() ? omp_get_ancestor_thread_num(omp_get_level() - 1)
                            : -1;
    break;
  case 'P':
    value = getpid();
    break;
  case 'H':
    if (gethostname(text, size))
      *text = 0;
    return;
  case 'A':
    *text = 0; // places have no numbers
    return;
  }
  snprintf(text, size, "%d", value);
}

/// An array of `size` characters. Characters beyond it are counted in `length`
/// but not stored.
typedef struct {
  char *text;
  size_t size, length;
} output;

static void put(output *to, char character) {
  if (to->length + 1 < to->size)
    to->text[to->length] = character;
  ++to->length;
}

/// Writes the field, padded, whose description ("0.5n") is at *format, behind
/// the percent sign.
static void put_field(output *to, const char **format) {
  const char *at = *format;
  const bool zeros = *at == '0';
  at += zeros;
  const bool right = *at == '.';
  at += right;
  size_t width = 0;
  for (; *at >= '0' && *at <= '9' && width < 1000; ++at)
    width = width * 10 + (size_t)(*at - '0');
  const char letter = read_field(&at);
  char value[80] = "undefined";
  if (letter)
    write_field(value, sizeof value, letter);
  *format = at;
  const size_t length = strlen(value);
  const size_t padding = width > length ? width - length : 0;
  for (size_t i = 0; right && i < padding; ++i)
    put(to, zeros ? '0' : ' ');
  for (size_t i = 0; i < length; ++i)
    put(to, value[i]);
  for (size_t i = 0; !right && i < padding; ++i)
    put(to, ' ');
}

size_t omp_capture_affinity(char *text, size_t size, const char *format) {
  output to = {text, size, 0};
  if (!format || !*format)
    format = format_of_all;
  while (*format) {
    if (*format != '%') {
      put(&to, *format++);
    } else if (*++format == '%') {
      put(&to, *format++);
    } else {
      put_field(&to, &format);
    }
  }
  if (size)
    text[to.length < size ? to.length : size - 1] = 0;
  return to.length;
}

void omp_display_affinity(const char *format) {
  char text[512];
  omp_capture_affinity(text, sizeof text, format);
  puts(text);
}
