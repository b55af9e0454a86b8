//===-- libc-shim/posix/syslog.c - Messages for the host's log ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/host_call.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

static const char *name; // of openlog(); the caller keeps the text
static int options, facility = LOG_USER, mask = 0xff;

void openlog(const char *new_name, int new_options, int new_facility) {
  name = new_name;
  options = new_options;
  if (new_facility)
    facility = new_facility;
}
void closelog(void) { name = NULL; }

int setlogmask(int wanted) {
  const int before = mask;
  if (wanted)
    mask = wanted;
  return before;
}

void vsyslog(int priority, const char *format, va_list list) {
  if (!(mask & LOG_MASK(LOG_PRI(priority))))
    return;
  const int error = errno; // for %m
  char *text = NULL;
  errno = error;
  if (vasprintf(&text, format, list) < 0)
    return;
  const char *from = name ? name : program_invocation_short_name;
  if (options & LOG_PERROR)
    fprintf(stderr, "%s: %s\n", from, text);
  if (HOST_HAS_POSIX()) {
    host_message message = {.data = from,
                            .size = strlen(from) + 1,
                            .data2 = text,
                            .size2 = strlen(text) + 1,
                            .a = (uint64_t)(priority & ~LOG_PRIMASK
                                                ? priority
                                                : priority | facility),
                            .b = (uint64_t)options};
    __host_send(RPC_SYSLOG, HOST_FORM_TWO_BYTES | HOST_FORM_WORDS, &message);
  }
  free(text);
}
void syslog(int priority, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsyslog(priority, format, list);
  va_end(list);
}
