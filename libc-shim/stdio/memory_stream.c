//===-- libc-shim/stdio/memory_stream.c - Streams in memory ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmemopen(), open_memstream() and open_wmemstream(), see own_stream.h. Like
// all streams these have a buffer: bytes written reach the memory at fflush()
// or fclose().
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/own_stream.h"
#include "libc-shim/wide/conversion.h"
#include "libc-shim/wide/utf8.h"
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/// The position to which lseek(offset, whence) leads in a stream of `length`
/// bytes whose current position is `position`. -1 with errno if it is outside
/// [0, most].
static off_t new_position(off_t offset, int whence, size_t position,
                          size_t length, size_t most) {
  const off_t from = whence == SEEK_SET   ? 0
                     : whence == SEEK_CUR ? (off_t)position
                                          : (off_t)length;
  off_t result;
  if (whence < SEEK_SET || whence > SEEK_END ||
      __builtin_add_overflow(from, offset, &result) || result < 0 ||
      (size_t)result > most) {
    errno = EINVAL;
    return -1;
  }
  return result;
}

//===-- fmemopen: an array of a fixed size --------------------------------===//

typedef struct {
  char *bytes;
  size_t size;     ///< bytes of the array
  size_t length;   ///< bytes of its contents
  size_t position; ///< of the next byte read or written
  bool owned;      ///< the array is from malloc
  bool append;
} array;

static ssize_t read_array(void *cookie, char *to, size_t size) {
  array *a = cookie;
  if (a->position >= a->length)
    return 0;
  if (size > a->length - a->position)
    size = a->length - a->position;
  memcpy(to, a->bytes + a->position, size);
  a->position += size;
  return (ssize_t)size;
}

/// Also stores a null after the contents, or over the array's last byte if the
/// array is full, unless the data itself ends with a null.
static ssize_t write_array(void *cookie, const char *from, size_t size) {
  array *a = cookie;
  if (a->append)
    a->position = a->length;
  const bool ends = size && !from[size - 1];
  const size_t room = a->size - a->position;
  if (size > room) {
    if (room < (ends ? 1 : 2)) {
      errno = ENOSPC;
      return 0;
    }
    size = room;
  }
  memcpy(a->bytes + a->position, from, size);
  a->position += size;
  if (a->position > a->length) {
    a->length = a->position;
    if (a->length < a->size)
      a->bytes[a->length] = 0;
    else if (!ends && !a->append)
      a->bytes[a->size - 1] = 0;
  }
  return (ssize_t)size;
}

static int seek_array(void *cookie, off_t *offset, int whence) {
  array *a = cookie;
  *offset = new_position(*offset, whence, a->position, a->length, a->size);
  if (*offset < 0)
    return -1;
  a->position = (size_t)*offset;
  return 0;
}

static int close_array(void *cookie) {
  array *a = cookie;
  if (a->owned)
    free(a->bytes);
  free(a);
  return 0;
}

FILE *fmemopen(void *restrict bytes, size_t size, const char *restrict mode) {
  array *a = malloc(sizeof *a);
  if (a)
    *a = (array){bytes ? bytes : calloc(1, size + !size),
                 size,
                 0,
                 0,
                 !bytes,
                 *mode == 'a'};
  if (!a || !a->bytes) {
    free(a);
    errno = ENOMEM;
    return NULL;
  }
  if (*mode == 'w' && size)
    *a->bytes = 0;
  a->length = *mode == 'r' ? size : strnlen(a->bytes, size);
  a->position = a->append ? a->length : 0;
  const struct own_stream own = {
      {read_array, write_array, seek_array, close_array},
      a,
      NULL,
      false,
      false};
  FILE *stream = __own_stream_open(&own, mode);
  if (!stream)
    close_array(a);
  return stream;
}

//===-- open_memstream: a block that grows --------------------------------===//
//
// SEEK_END is the end of the contents, as POSIX says; in glibc it is the end of
// the last write.

typedef struct {
  char *bytes;
  size_t size;     ///< bytes of the block
  size_t length;   ///< bytes of its contents, without the null after them
  size_t position; ///< of the next byte
  void *to;        ///< the program's char * or wchar_t *, to be set to `bytes`
  size_t *size_to; ///< the program's variable for the number of characters
  size_t unit;     ///< sizeof(char) or sizeof(wchar_t)
  mbstate_t state; ///< of a character whose rest is not yet written
} block;

/// Makes room for `length` bytes and a 0.
static bool grow(block *b, size_t length) {
  if (length + b->unit <= b->size)
    return true;
  const size_t more =
      length + b->unit > 2 * b->size ? length + b->unit : 2 * b->size;
  char *larger = realloc(b->bytes, more);
  if (!larger)
    return false;
  memset(larger + b->size, 0, more - b->size);
  b->bytes = larger;
  b->size = more;
  return true;
}

/// Makes room for `count` characters more. False, with errno, without memory.
static bool grow_for(block *b, size_t count) {
  const size_t end = b->position + count * b->unit;
  if (grow(b, end > b->length ? end : b->length))
    return true;
  errno = ENOMEM;
  return false;
}

/// Moves the position behind the `count` characters that were written at it.
static void advance(block *b, size_t count) {
  b->position += count * b->unit;
  if (b->position > b->length)
    b->length = b->position;
}

static ssize_t write_block(void *cookie, const char *from, size_t size) {
  block *b = cookie;
  if (!grow_for(b, size))
    return 0;
  memcpy(b->bytes + b->position, from, size);
  advance(b, size);
  return (ssize_t)size;
}

/// `from` is UTF-8: functions for wide characters write nothing else. The rest
/// of a character may come with the next write.
static ssize_t write_wide_block(void *cookie, const char *from, size_t size) {
  block *b = cookie;
  if (!grow_for(b, size))
    return 0;
  wchar_t *to = (wchar_t *)(b->bytes + b->position);
  size_t count = 0;
  for (size_t at = 0, used; at < size; at += used, ++count) {
    used = __utf8_decode(to + count, from + at, size - at, &b->state);
    if (used > UTF8_MOST_BYTES)
      break;
  }
  advance(b, count);
  return (ssize_t)size;
}

static int seek_block(void *cookie, off_t *offset, int whence) {
  block *b = cookie;
  *offset = new_position(*offset, whence, b->position / b->unit,
                         b->length / b->unit, (size_t)1 << 60);
  if (*offset < 0)
    return -1;
  b->position = (size_t)*offset * b->unit;
  return 0;
}

static void show_block(void *cookie) {
  block *b = cookie;
  *(char **)b->to = b->bytes;
  *b->size_to = (b->position < b->length ? b->position : b->length) / b->unit;
}

static int close_block(void *cookie) {
  block *b = cookie;
  show_block(b);
  memset(b->bytes + *b->size_to * b->unit, 0, b->unit);
  free(b);
  return 0;
}

static FILE *open_block(void *to, size_t *size_to, size_t unit,
                        cookie_write_function_t *write) {
  block *b = calloc(1, sizeof *b);
  if (b)
    *b = (block){.to = to, .size_to = size_to, .unit = unit};
  if (!b || !grow(b, 60)) {
    free(b);
    errno = ENOMEM;
    return NULL;
  }
  const struct own_stream own = {
      {NULL, write, seek_block, close_block}, b, show_block, false, false};
  FILE *stream = __own_stream_open(&own, "w");
  if (!stream) {
    free(b->bytes);
    free(b);
    return NULL;
  }
  stream->orientation = unit == 1 ? -1 : 1;
  return stream;
}

FILE *open_memstream(char **to, size_t *size) {
  return open_block(to, size, sizeof(char), write_block);
}
FILE *open_wmemstream(wchar_t **to, size_t *size) {
  return open_block(to, size, sizeof(wchar_t), write_wide_block);
}
