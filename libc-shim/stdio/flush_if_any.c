//===-- libc-shim/stdio/flush_if_any.c - Flush the buffers, if any --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See if_linked.h: a program that only calls printf has no output buffers and
// does not link the code that flushes them.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/if_linked.h"
#include "libc-shim/stdio/stream.h"

#ifdef __NVPTX__
stream_functions __stream_functions;

bool __stream_flush_if_any(FILE *stream) {
  return !__stream_functions.flush || __stream_functions.flush(stream);
}
bool __stream_flush_all_if_any(void) {
  __stream_take = NULL;
  return !__stream_functions.flush_all || __stream_functions.flush_all();
}
#else
__attribute__((weak)) bool __stream_flush(FILE *stream) {
  (void)stream;
  return true;
}
__attribute__((weak)) bool __stream_flush_all(void) { return true; }

bool __stream_flush_if_any(FILE *stream) { return __stream_flush(stream); }
bool __stream_flush_all_if_any(void) {
  __stream_take = NULL;
  return __stream_flush_all();
}
#endif
