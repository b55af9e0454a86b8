//===-- libc-shim/strings/strerror.c - Texts for error numbers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linux's texts for Linux's numbers (sys/errno.h).
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <reent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {
#define TEXT(number, text) [number] = text,
#include "libc-shim/strings/strerror.def"
#undef TEXT
};

static const char *text_of(int number) {
  return (unsigned)number < sizeof texts / sizeof *texts ? texts[number] : NULL;
}

/// GNU's form (_GNU_SOURCE): returns a constant text, or `buffer` with the text
/// of an unknown number.
char *strerror_r(int number, char *buffer, size_t size) {
  const char *text = text_of(number);
  if (text)
    return (char *)text;
  snprintf(buffer, size, "Unknown error %d", number);
  return buffer;
}

int __xpg_strerror_r(int number, char *buffer, size_t size) {
  const char *text = text_of(number);
  int length = text ? snprintf(buffer, size, "%s", text)
                    : snprintf(buffer, size, "Unknown error %d", number);
  return !text ? EINVAL : (size_t)length >= size ? ERANGE : 0;
}

char *strerror(int number) {
  const char *text = text_of(number);
  if (text)
    return (char *)text;
  // The text of an unknown number is in memory of this thread.
  enum { SIZE = 32 };
  struct _reent *reent = __getreent();
  if (!reent->_signal_buf)
    reent->_signal_buf = malloc(SIZE);
  if (!reent->_signal_buf)
    return (char *)"Unknown error";
  return strerror_r(number, reent->_signal_buf, SIZE);
}
char *strerror_l(int number, locale_t locale) {
  (void)locale;
  return strerror(number);
}

void perror(const char *before) {
  const char *text = strerror(errno);
  if (before && *before)
    fprintf(stderr, "%s: %s\n", before, text);
  else
    fprintf(stderr, "%s\n", text);
}
