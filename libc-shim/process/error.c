//===-- libc-shim/process/error.c - GNU's messages of failures ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error() and error_at_line() of error.h. A message is one write, so that
// messages of several threads do not mix.
//===----------------------------------------------------------------------===//
#include "libc-shim/process/process.h"
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

static void say(int status, int number, const char *place, const char *format,
                va_list list) {
  char *text = NULL;
  if (vasprintf(&text, format, list) < 0)
    text = NULL;
  fflush(stdout);
  if (error_print_progname)
    error_print_progname();
  fprintf(stderr, "%s%s%s%s%s%s\n",
          error_print_progname ? "" : program_invocation_name,
          error_print_progname ? ""
          : place              ? ":"
                               : ": ",
          place ? place : "", text ? text : "", number ? ": " : "",
          number ? strerror(number) : "");
  free(text);
  __atomic_fetch_add(&error_message_count, 1, __ATOMIC_RELAXED);
  if (status)
    exit(status);
}

void error(int status, int number, const char *format, ...) {
  va_list list;
  va_start(list, format);
  say(status, number, NULL, format, list);
  va_end(list);
}

/// Did the last message name the same file and line? Notes these for the next
/// call.
static _Bool is_repeated(const char *file, unsigned line) {
  static const char *last_file;
  static unsigned last_line;
  const _Bool same = last_line == line && last_file && file &&
                     (last_file == file || !strcmp(last_file, file));
  last_file = file;
  last_line = line;
  return same;
}

void error_at_line(int status, int number, const char *file, unsigned line,
                   const char *format, ...) {
  if (error_one_per_line && is_repeated(file, line))
    return;
  char *place = NULL;
  if (asprintf(&place, "%s:%u: ", file ? file : "", line) < 0)
    place = NULL;
  va_list list;
  va_start(list, format);
  say(status, number, place, format, list);
  va_end(list);
  free(place);
}
