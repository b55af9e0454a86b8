//===-- libc-shim/stdio/own_stream.c - fopencookie ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See own_stream.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/own_stream.h"
#include "libc-shim/device/if_linked.h"
#include "libc-shim/stdio/stream_lock.h"
#include <stdlib.h>
#include <string.h>

static size_t read_own(FILE *stream, void *to, size_t size) {
  const struct own_stream *own = stream->own;
  ssize_t got = -1;
  if (!own->readable)
    errno = EBADF;
  else if (own->functions.read)
    got = own->functions.read(own->cookie, to, size);
  stream->failed |= got < 0;
  stream->at_end |= got == 0;
  return got < 0 ? 0 : (size_t)got;
}

static size_t write_own(FILE *stream, const void *data, size_t size) {
  const struct own_stream *own = stream->own;
  const uint64_t mask = rpc_lane_mask();
  size_t result = 0;
  FOR_EACH_LANE(mask) {
    ssize_t done = 0;
    if (!own->writable)
      errno = EBADF;
    else if (own->functions.write)
      done = own->functions.write(own->cookie, data, size);
    result = done < 0 ? 0 : (size_t)done;
    stream->failed |= result < size;
  }
  return result;
}

static off_t seek_own(FILE *stream, off_t offset, int whence) {
  const struct own_stream *own = stream->own;
  if (!own->functions.seek) {
    errno = EOPNOTSUPP;
    return -1;
  }
  off_t position = offset;
  return own->functions.seek(own->cookie, &position, whence) ? -1 : position;
}

static void sync_own(FILE *stream) {
  if (stream->own->sync)
    WITH_STREAM(stream) {
      FOR_EACH_LANE(stream_mask) { stream->own->sync(stream->own->cookie); }
    }
}

static int close_own(FILE *stream) {
  struct own_stream *own = stream->own;
  const int result =
      own->functions.close ? own->functions.close(own->cookie) : 0;
  free(own);
  return result;
}

static int print_own(FILE *stream, const char *format, va_list list) {
  char *text;
  const int length = vasprintf(&text, format, list);
  if (length < 0)
    return -1;
  const size_t written = __stream_write(stream, text, (size_t)length, false);
  free(text);
  return written == (size_t)length ? length : -1;
}

static const own_stream_functions functions = {read_own, write_own, seek_own,
                                               sync_own, close_own, print_own};
#ifndef __NVPTX__
const own_stream_functions *__own_stream_functions(void) { return &functions; }
#endif

/// Sets the pointers by which code that every program links finds these
/// functions on NVIDIA, see if_linked.h.
static void announce(void) {
#ifdef __NVPTX__
  __own_stream_functions = &functions;
  __heap_functions = (heap_functions){malloc, free}; // for the stream's buffers
#endif
}

FILE *__own_stream_open(const struct own_stream *own, const char *mode) {
  const bool both = strchr(mode, '+') != NULL;
  if (!*mode || !strchr("rwa", *mode)) {
    errno = EINVAL;
    return NULL;
  }
  announce();
  FILE *stream = calloc(1, sizeof *stream);
  struct own_stream *copy = malloc(sizeof *copy);
  if (!stream || !copy) {
    free(stream);
    free(copy);
    errno = ENOMEM;
    return NULL;
  }
  *copy = *own;
  copy->readable = both || *mode == 'r';
  copy->writable = both || *mode != 'r';
  stream->own = copy;
  stream->read_only = !copy->writable;
  stream->mode = copy->writable ? STREAM_FULL : STREAM_NONE;
  __stream_link(stream);
  return stream;
}

FILE *fopencookie(void *cookie, const char *mode,
                  cookie_io_functions_t functions) {
  const struct own_stream own = {.functions = functions, .cookie = cookie};
  return __own_stream_open(&own, mode);
}
