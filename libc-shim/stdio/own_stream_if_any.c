//===-- libc-shim/stdio/own_stream_if_any.c - Streams of a program's own --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See if_linked.h and own_stream.h. A program that makes no such stream has no
// table of functions, and the link-time optimiser removes the calls through it.
// Otherwise such a call of an unknown function would make the kernel reserve
// all registers on AMD.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/own_stream.h"

#ifdef __NVPTX__
const own_stream_functions *__own_stream_functions;
#define TABLE __own_stream_functions
#else
__attribute__((weak)) const own_stream_functions *__own_stream_functions(void) {
  return NULL;
}
#define TABLE __own_stream_functions()
#endif

size_t __own_stream_read(FILE *stream, void *to, size_t size) {
  const own_stream_functions *table = TABLE;
  return table ? table->read(stream, to, size) : 0;
}
size_t __own_stream_write(FILE *stream, const void *data, size_t size) {
  const own_stream_functions *table = TABLE;
  return table ? table->write(stream, data, size) : 0;
}
off_t __own_stream_seek(FILE *stream, off_t offset, int whence) {
  const own_stream_functions *table = TABLE;
  return table ? table->seek(stream, offset, whence) : -1;
}
void __own_stream_sync(FILE *stream) {
  const own_stream_functions *table = TABLE;
  if (table)
    table->sync(stream);
}
int __own_stream_close(FILE *stream) {
  const own_stream_functions *table = TABLE;
  return table ? table->close(stream) : EOF;
}
int __own_stream_print(FILE *stream, const char *format, va_list list) {
  const own_stream_functions *table = TABLE;
  return table ? table->print(stream, format, list) : -1;
}
