//===-- libc-shim/stdio/wide_stream.c - Wide input and output -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wide character of a stream is a multibyte character of its file: in the C
// locale a byte of ASCII, in others UTF-8. Other characters cannot be written
// or read. As in glibc the first function that uses a stream decides whether it
// is for bytes or for wide characters, and functions of the other kind fail;
// but bytes can be read from a wide stream.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/wide_stream.h"
#include "libc-shim/stdio/format.h"
#include "libc-shim/stdio/stream_lock.h"
#include "libc-shim/wide/utf8.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

bool __stream_takes_wide(FILE *stream) {
  if (!stream->orientation)
    stream->orientation = 1;
  if (stream->orientation < 0)
    return false;
  __stream_any_wide = true;
  return true;
}

int fwide(FILE *stream, int mode) {
  if (mode && !stream->orientation)
    stream->orientation = mode > 0 ? 1 : -1;
  if (stream->orientation > 0)
    __stream_any_wide = true;
  return stream->orientation;
}

//===-- Output ------------------------------------------------------------===//

/// Writes the characters in one piece. False after an error; nothing is written
/// if the locale cannot encode one of them.
static bool write_text(FILE *stream, const wchar_t *text, size_t count) {
  char few[64];
  size_t size = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t length = wcrtomb(few, text[i], NULL);
    if (length > UTF8_MOST_BYTES) {
      stream->failed = true;
      return false;
    }
    size += length;
  }
  char *bytes = size <= sizeof few ? few : malloc(size), *to = bytes;
  if (!bytes)
    return false;
  for (size_t i = 0; i < count; ++i)
    to += wcrtomb(to, text[i], NULL);
  const bool good = __stream_write(stream, bytes, size, false) == size;
  if (bytes != few)
    free(bytes);
  return good;
}

wint_t fputwc(wchar_t c, FILE *stream) {
  return __stream_takes_wide(stream) && write_text(stream, &c, 1) ? (wint_t)c
                                                                  : WEOF;
}
/// As in glibc, and unlike fputwc(), these write to a stream of bytes, too: a
/// program that uses std::cout may use std::wcout.
wint_t putwc(wchar_t c, FILE *stream) {
  __stream_takes_wide(stream);
  return write_text(stream, &c, 1) ? (wint_t)c : WEOF;
}
wint_t putwchar(wchar_t c) { return putwc(c, stdout); }

int fputws(const wchar_t *restrict text, FILE *restrict stream) {
  return __stream_takes_wide(stream) && write_text(stream, text, wcslen(text))
             ? 1
             : -1;
}

//===-- Input -------------------------------------------------------------===//

wint_t fgetwc(FILE *stream) {
  wint_t c = WEOF;
  if (!__stream_takes_wide(stream))
    return WEOF;
  WITH_STREAM(stream) {
    FOR_EACH_LANE(stream_mask) { c = __stream_get_wide(stream); }
  }
  return c;
}
wint_t getwc(FILE *stream) { return fgetwc(stream); }
wint_t getwchar(void) { return fgetwc(stdin); }

wint_t ungetwc(wint_t c, FILE *stream) {
  char bytes[UTF8_MOST_BYTES];
  if (c == WEOF || !__stream_takes_wide(stream))
    return WEOF;
  const size_t length = wcrtomb(bytes, (wchar_t)c, NULL);
  if (length > UTF8_MOST_BYTES)
    return WEOF;
  for (size_t i = length; i-- > 0;)
    if (ungetc((unsigned char)bytes[i], stream) == EOF)
      return WEOF;
  return c;
}

wchar_t *fgetws(wchar_t *restrict to, int size, FILE *restrict stream) {
  int got = 0;
  const bool failed_before = stream->failed;
  stream->failed = false;
  while (got < size - 1) {
    wint_t c = fgetwc(stream);
    if (c == WEOF)
      break;
    to[got++] = (wchar_t)c;
    if (c == '\n')
      break;
  }
  const bool failed = stream->failed;
  stream->failed |= failed_before;
  if (failed || size < 1 || (!got && size > 1))
    return NULL;
  to[got] = 0;
  return to;
}

//===-- Formatted ---------------------------------------------------------===//

char *__wide_format_in_bytes(const wchar_t *format) {
  enum { LONGEST = 13 }; // "%2147483647" and the letter
  char *result = malloc(wcslen(format) * LONGEST + 1), *to = result;
  for (; result && *format; ++format)
    if ((unsigned)*format <= 0x7f)
      *to++ = (char)*format;
    else
      to += snprintf(to, LONGEST, "%%%u%c", (unsigned)*format & 0x7fffffff,
                     FORMAT_WIDE_CHARACTER);
  if (result)
    *to = 0;
  return result;
}

int vswprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format,
              va_list list) {
  char *bytes = __wide_format_in_bytes(format);
  format_sink sink = {(char *)to, size ? size - 1 : 0, 0, true};
  int result = bytes ? __format(&sink, bytes, list) : -1;
  if (size)
    to[sink.count < size - 1 ? sink.count : size - 1] = 0;
  if (result >= 0 && (size_t)result >= size) {
    errno = EOVERFLOW;
    result = -1;
  }
  free(bytes);
  return result;
}

int vfwprintf(FILE *restrict stream, const wchar_t *restrict format,
              va_list list) {
  enum { FEW = 128 };
  wchar_t few[FEW], *text = few;
  va_list again;
  if (!__stream_takes_wide(stream))
    return -1;
  char *bytes = __wide_format_in_bytes(format);
  if (!bytes)
    return -1;
  // Most texts are short: one pass for those, and the size for the others.
  va_copy(again, list);
  format_sink sink = {(char *)few, FEW, 0, true};
  int result = __format(&sink, bytes, list);
  if (result > FEW) {
    text = malloc((size_t)result * sizeof *text);
    sink = (format_sink){(char *)text, (size_t)result, 0, true};
    result = text ? __format(&sink, bytes, again) : -1;
  }
  va_end(again);
  if (result > 0 && !write_text(stream, text, (size_t)result))
    result = -1;
  if (text != few)
    free(text);
  free(bytes);
  return result;
}
int vwprintf(const wchar_t *restrict format, va_list list) {
  return vfwprintf(stdout, format, list);
}

#define FORWARD(name, call, last, ...)                                         \
  int name(__VA_ARGS__, ...) {                                                 \
    va_list list;                                                              \
    va_start(list, last);                                                      \
    int result = call;                                                         \
    va_end(list);                                                              \
    return result;                                                             \
  }
FORWARD(swprintf, vswprintf(to, size, format, list), format,
        wchar_t *restrict to, size_t size, const wchar_t *restrict format)
FORWARD(fwprintf, vfwprintf(stream, format, list), format,
        FILE *restrict stream, const wchar_t *restrict format)
FORWARD(wprintf, vfwprintf(stdout, format, list), format,
        const wchar_t *restrict format)
