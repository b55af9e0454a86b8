//===-- libc-shim/stdio/fscanf.c - Formatted input from streams -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See scan.inc. Lanes of a wave scan one after the other under the stream's
// lock, each its whole format.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/stream_lock.h"

#define SCAN scan_stream
#define SCAN_SOURCE FILE *
#define SCAN_GET(stream) __stream_get(stream)
#define SCAN_UNGET(stream, c) (--(stream)->position)
#include "libc-shim/stdio/scan.inc"

int vfscanf(FILE *restrict stream, const char *restrict format, va_list list) {
  int result = EOF;
  WITH_STREAM(stream) {
    FOR_EACH_LANE(stream_mask) {
      scanner scan = {stream, 0, false};
      result = scan_stream(&scan, format, list);
    }
  }
  return result;
}
int vscanf(const char *restrict format, va_list list) {
  return vfscanf(stdin, format, list);
}

int fscanf(FILE *restrict stream, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfscanf(stream, format, list);
  va_end(list);
  return result;
}
int scanf(const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfscanf(stdin, format, list);
  va_end(list);
  return result;
}
