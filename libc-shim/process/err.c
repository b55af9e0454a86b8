//===-- libc-shim/process/err.c - Messages of a program's failures --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warn(), err() and the others of err.h. A message is one write, so that
// messages of several threads do not mix.
//===----------------------------------------------------------------------===//
#include "libc-shim/process/process.h"
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *format, va_list list, const char *reason) {
  char *text = NULL;
  if (format && vasprintf(&text, format, list) < 0)
    text = NULL;
  fprintf(stderr, "%s: %s%s%s\n", program_invocation_short_name,
          text ? text : "", text && reason ? ": " : "", reason ? reason : "");
  free(text);
}

void vwarn(const char *format, va_list list) {
  say(format, list, strerror(errno));
}
void vwarnx(const char *format, va_list list) { say(format, list, NULL); }
void verr(int status, const char *format, va_list list) {
  vwarn(format, list);
  exit(status);
}
void verrx(int status, const char *format, va_list list) {
  vwarnx(format, list);
  exit(status);
}

#define WITH_LIST(call)                                                        \
  va_list list;                                                                \
  va_start(list, format);                                                      \
  call;                                                                        \
  va_end(list)
void warn(const char *format, ...) { WITH_LIST(vwarn(format, list)); }
void warnx(const char *format, ...) { WITH_LIST(vwarnx(format, list)); }
void err(int status, const char *format, ...) {
  WITH_LIST(vwarn(format, list));
  exit(status);
}
void errx(int status, const char *format, ...) {
  WITH_LIST(vwarnx(format, list));
  exit(status);
}
