//===-- libc-shim/stdio/wide_stream.c - Wide input and output -------------===//
// In the C locale a wide character of a stream is a byte of ASCII; others
// cannot be written or read. A stream takes both bytes and wide characters;
// fwide() tells which came first.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/format.h"
#include "libc-shim/stdio/stream.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/// A function for wide characters uses the stream: sets the orientation if it
/// has none.
static void orient(FILE *stream) {
  if (!stream->orientation)
    stream->orientation = 1;
}
static wint_t refused(FILE *stream) {
  stream->failed = true;
  errno = EILSEQ;
  return WEOF;
}

wint_t fputwc(wchar_t c, FILE *stream) {
  orient(stream);
  if ((unsigned)c > 0x7f)
    return refused(stream);
  return fputc(c, stream) == EOF ? WEOF : (wint_t)c;
}
wint_t putwc(wchar_t c, FILE *stream) { return fputwc(c, stream); }
wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }

wint_t fgetwc(FILE *stream) {
  orient(stream);
  int c = fgetc(stream);
  if (c > 0x7f) {
    ungetc(c, stream); // the next read fails too
    return refused(stream);
  }
  return c == EOF ? WEOF : (wint_t)c;
}
wint_t getwc(FILE *stream) { return fgetwc(stream); }
wint_t getwchar(void) { return fgetwc(stdin); }
wint_t ungetwc(wint_t c, FILE *stream) {
  orient(stream);
  return c > 0x7f || ungetc((int)c, stream) == EOF ? WEOF : c;
}

/// A wide string as ASCII, for the caller to free. Null when it is not ASCII or
/// memory is out.
static char *narrow(const wchar_t *text) {
  size_t size = wcslen(text);
  char *result = malloc(size + 1);
  for (size_t i = 0; result && i <= size; ++i) {
    if ((unsigned)text[i] > 0x7f) {
      free(result);
      errno = EILSEQ;
      return NULL;
    }
    result[i] = (char)text[i];
  }
  return result;
}

int fputws(const wchar_t *restrict text, FILE *restrict stream) {
  orient(stream);
  char *bytes = narrow(text);
  if (!bytes) {
    stream->failed = true;
    return -1;
  }
  int result = fputs(bytes, stream);
  free(bytes);
  return result;
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

int fwide(FILE *stream, int mode) {
  if (mode && !stream->orientation)
    stream->orientation = mode > 0 ? 1 : -1;
  return stream->orientation;
}

//===-- Formatted: wide formats, and their arguments, in the C locale -----===//

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
  orient(stream);
  char *bytes = narrow(format), *text = NULL;
  int result = bytes ? vasprintf(&text, bytes, list) : -1;
  if (result >= 0 && fputs(text, stream) == EOF)
    result = -1;
  free(text);
  free(bytes);
  return result;
}
int vwprintf(const wchar_t *restrict format, va_list list) {
  return vfwprintf(stdout, format, list);
}

int vfwscanf(FILE *restrict stream, const wchar_t *restrict format,
             va_list list) {
  orient(stream);
  char *bytes = narrow(format);
  int result = bytes ? vfscanf(stream, bytes, list) : EOF;
  free(bytes);
  return result;
}
int vwscanf(const wchar_t *restrict format, va_list list) {
  return vfwscanf(stdin, format, list);
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
FORWARD(fwscanf, vfwscanf(stream, format, list), format, FILE *restrict stream,
        const wchar_t *restrict format)
FORWARD(wscanf, vfwscanf(stdin, format, list), format,
        const wchar_t *restrict format)
