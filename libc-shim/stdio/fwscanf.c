//===-- libc-shim/stdio/fwscanf.c - Formatted input from wide streams -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See scan.inc. Lanes of a wave scan one after the other under the stream's
// lock, each its whole format.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/stream_lock.h"
#include "libc-shim/stdio/wide_format.h"
#include "libc-shim/stdio/wide_stream.h"
#include "libc-shim/wide/utf8.h"

#define SCAN scan_wide_stream
#define SCAN_SOURCE FILE *
#define SCAN_GET(stream) ((int)__stream_get_wide(stream)) // WEOF is EOF
#define SCAN_UNGET(stream, c)                                                  \
  ((stream)->position -= (uint32_t)utf8_length((uint32_t)(c)))
#define SCAN_IS_WIDE
#include "libc-shim/stdio/scan.inc"

int vfwscanf(FILE *restrict stream, const wchar_t *restrict format,
             va_list list) {
  int result = EOF;
  char *bytes =
      __stream_takes_wide(stream) ? __wide_format_in_bytes(format) : NULL;
  if (!bytes)
    return EOF;
  WITH_STREAM(stream) {
    FOR_EACH_LANE(stream_mask) {
      scanner scan = {stream, 0, false};
      result = scan_wide_stream(&scan, bytes, list);
    }
  }
  free(bytes);
  return result;
}
int vwscanf(const wchar_t *restrict format, va_list list) {
  return vfwscanf(stdin, format, list);
}

int fwscanf(FILE *restrict stream, const wchar_t *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfwscanf(stream, format, list);
  va_end(list);
  return result;
}
int wscanf(const wchar_t *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfwscanf(stdin, format, list);
  va_end(list);
  return result;
}
