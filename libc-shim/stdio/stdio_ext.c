//===-- libc-shim/stdio/stdio_ext.c - State of a stream -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stream.h. Only the host knows whether a stream may be read or written.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/own_stream.h"
#include "libc-shim/stdio/stream_lock.h"
#include <fcntl.h>
#include <stdio_ext.h>

size_t __fpending(FILE *stream) { return stream->out_used; }
size_t __fbufsize(FILE *stream) {
  return stream->out  ? stream->out_capacity
         : stream->in ? stream->in_capacity
                      : 0;
}

void __fpurge(FILE *stream) {
  WITH_STREAM(stream) {
    stream->position = stream->end = 0;
    stream->last_record = stream->record_end = 0;
    __stream_set_used(stream, 0);
  }
}

size_t __freadahead(FILE *stream) { return stream->end - stream->position; }
const char *__freadptr(FILE *stream, size_t *size) {
  *size = __freadahead(stream);
  return *size ? (const char *)stream->in + stream->position : NULL;
}
void __freadptrinc(FILE *stream, size_t size) { stream->position += size; }

/// O_RDONLY, O_WRONLY or O_RDWR; O_RDWR when the host cannot tell.
static int access_mode(FILE *stream) {
  if (stream->own)
    return !stream->own->writable   ? O_RDONLY
           : !stream->own->readable ? O_WRONLY
                                    : O_RDWR;
  const int before = errno, fd = fileno(stream);
  const int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
  errno = before;
  return flags < 0 ? O_RDWR : flags & O_ACCMODE;
}
int __freadable(FILE *stream) { return access_mode(stream) != O_WRONLY; }
int __fwritable(FILE *stream) { return access_mode(stream) != O_RDONLY; }
int __freading(FILE *stream) { return stream->end || !__fwritable(stream); }
int __fwriting(FILE *stream) {
  return stream->out_used || !__freadable(stream);
}

int __flbf(FILE *stream) { return stream->mode == STREAM_LINE; }
void _flushlbf(void) { fflush(NULL); }
void __fseterr(FILE *stream) { stream->failed = true; }
int __fsetlocking(FILE *stream, int wanted) {
  (void)stream, (void)wanted;
  return FSETLOCKING_INTERNAL;
}
