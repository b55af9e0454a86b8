//===-- libc-shim/stdio/stream_read.c - Input -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stream.h. The device reads ahead, because each call to the host is a
// round trip. Lanes of a wave read one after the other, in lane order.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/if_linked.h"
#include "libc-shim/device/interruption.h"
#include "libc-shim/locale/state.h"
#include "libc-shim/stdio/stream_lock.h"
#include "libc-shim/wide/conversion.h"
#include "libc-shim/wide/utf8.h"
#include <stdlib.h>
#include <string.h>

enum { READ_AHEAD = 32 * 1024, SMALL_READ_AHEAD = 4096 };
static unsigned char stdin_buffer[READ_AHEAD];

/// As __host_call_restarts(), but no cancellation point: a thread that is
/// cancelled holds the stream's lock here, and ends later.
static bool restarts(host_reply reply) {
  return reply.error == EINTR &&
         !(look_for_interruption() & (SIGNAL_STOPS | THREAD_CANCELLED));
}

/// Reads from the host into `to`. Called by one lane that holds the lock.
static __attribute__((noinline)) size_t read_from_host(FILE *stream, void *to,
                                                       size_t size) {
  host_reply reply;
  uint64_t received = 0;
  bool failed;
  if (stream->own)
    return __own_stream_read(stream, to, size);
  if (stream->tag == RPC_STREAM_STDIN && stdout->out_used)
    __stream_flush_if_any(stdout); // a prompt comes before the answer
  if (rpc_use_bulk(to, size)) {
    do
      reply = __host_call(RPC_BULK_READ_STREAM, stream_tagged(stream),
                          (uint64_t)to, size);
    while (restarts(reply));
    received = reply.words[0];
    failed = reply.words[1] == 2;
  } else {
    do
      reply = __host_receive(RPC_READ_FROM_STREAM, size, stream_tagged(stream),
                             0, to, size, &received);
    while (restarts(reply));
    failed = received < size &&
             __host_call(RPC_FERROR, stream_tagged(stream), 0, 0).words[0];
  }
  if (received < size) {
    if (failed) {
      stream->failed = true;
      if (reply.error)
        errno = reply.error;
    } else if (!received) {
      stream->at_end = true;
    }
  }
  return received;
}

/// Makes the buffer of a stream that has none. False without memory.
static bool make_buffer(FILE *stream) {
  if (stream->in)
    return true;
  stream->in_capacity =
      rpc_has_feature(RPC_FEATURE_BULK) ? READ_AHEAD : SMALL_READ_AHEAD;
  stream->in = stream->tag == RPC_STREAM_STDIN
                   ? stdin_buffer
                   : __heap_malloc_if_any(stream->in_capacity);
  if (stream->in)
    return true;
  stream->failed = true;
  errno = ENOMEM;
  return false;
}

static __attribute__((noinline)) size_t fill_empty(FILE *stream) {
  stream_takes_bytes(stream);
  stream->position = stream->end = 0;
  if (!make_buffer(stream))
    return 0;
  stream->end = (uint32_t)read_from_host(
      stream, stream->in, stream->no_read_ahead ? 1 : stream->in_capacity);
  return stream->end;
}

/// The number of bytes in the buffer. Reads more when it is empty; 0 at the end
/// of file or after an error. Called by one lane that holds the lock.
static size_t fill(FILE *stream) {
  if (stream->position != stream->end)
    return stream->end - stream->position;
  return fill_empty(stream);
}

size_t fread(void *restrict data, size_t size, size_t count,
             FILE *restrict stream) {
  size_t all = size * count, done = 0;
  if (!all)
    return 0;
  WITH_STREAM(stream) {
    FOR_EACH_LANE(stream_mask) {
      while (done < all) {
        unsigned char *to = (unsigned char *)data + done;
        size_t ready = stream->end - stream->position;
        size_t part;
        if (!ready && all - done >= READ_AHEAD) {
          part = read_from_host(stream, to, all - done);
        } else {
          ready = fill(stream);
          part = ready < all - done ? ready : all - done;
          memcpy(to, stream->in + stream->position, part);
          stream->position += (uint32_t)part;
        }
        if (!part)
          break;
        done += part;
      }
    }
  }
  return done == all ? count : done / size;
}

int __stream_get(FILE *stream) {
  return fill(stream) ? stream->in[stream->position++] : EOF;
}

/// Moves the unread bytes, which begin a character, to the start of the buffer
/// and reads more behind them. False at the end of file or after an error.
static bool fill_behind(FILE *stream) {
  const uint32_t ready = stream->end - stream->position;
  memmove(stream->in, stream->in + stream->position, ready);
  stream->position = 0;
  stream->end = ready;
  const size_t more =
      read_from_host(stream, stream->in + ready,
                     stream->no_read_ahead ? 1 : stream->in_capacity - ready);
  stream->end += (uint32_t)more;
  return more;
}

wint_t __stream_get_wide(FILE *stream) {
  if (!fill(stream))
    return WEOF;
  const unsigned char first = stream->in[stream->position];
  if (first < 0x80) {
    ++stream->position;
    return first;
  }
  while (locale_is_utf8()) {
    wchar_t wide;
    mbstate_t state = {0};
    const size_t used =
        __utf8_decode(&wide, (const char *)stream->in + stream->position,
                      stream->end - stream->position, &state);
    if (used <= UTF8_MOST_BYTES) {
      stream->position += (uint32_t)used;
      return (wint_t)wide;
    }
    if (used == CONVERSION_INVALID || !fill_behind(stream))
      break;
  }
  stream->failed = true;
  errno = EILSEQ;
  return WEOF;
}

int fgetc(FILE *stream) {
  int c = EOF;
  WITH_STREAM(stream) {
    FOR_EACH_LANE(stream_mask) {
      if (fill(stream))
        c = stream->in[stream->position++];
    }
  }
  return c;
}
int getc(FILE *stream) { return fgetc(stream); }
int getchar(void) { return fgetc(stdin); }

int ungetc(int c, FILE *stream) {
  if (c == EOF)
    return EOF;
  WITH_STREAM(stream) {
    FOR_EACH_LANE(stream_mask) {
      stream_takes_bytes(stream);
      const bool has_buffer = make_buffer(stream);
      stream->at_end = false;
      if (stream->position) {
        stream->in[--stream->position] = (unsigned char)c;
      } else if (has_buffer && stream->end < stream->in_capacity) {
        memmove(stream->in + 1, stream->in, stream->end);
        ++stream->end;
        stream->in[0] = (unsigned char)c;
      } else {
        c = EOF;
      }
    }
  }
  return c == EOF ? EOF : (unsigned char)c;
}

/// Reads up to `size` bytes, the last of which is the first byte `stop` if
/// there is one: then *met becomes true. Called by one lane that holds the
/// lock.
static size_t read_until(FILE *stream, char *to, size_t size, int stop,
                         bool *met) {
  size_t done = 0;
  *met = false;
  while (done < size && !*met) {
    size_t ready = fill(stream);
    if (!ready)
      break;
    size_t part = ready < size - done ? ready : size - done;
    const unsigned char *from = stream->in + stream->position;
    const unsigned char *found = memchr(from, stop, part);
    if (found) {
      part = (size_t)(found - from) + 1;
      *met = true;
    }
    memcpy(to + done, from, part);
    stream->position += (uint32_t)part;
    done += part;
  }
  return done;
}

char *fgets(char *restrict line, int size, FILE *restrict stream) {
  char *result = NULL;
  if (size <= 0)
    return NULL;
  WITH_STREAM(stream) {
    FOR_EACH_LANE(stream_mask) {
      bool met;
      bool failed_before = stream->failed;
      stream->failed = false;
      size_t got = read_until(stream, line, (size_t)size - 1, '\n', &met);
      if ((got || size == 1) && !stream->failed) {
        line[got] = 0;
        result = line;
      }
      stream->failed |= failed_before;
    }
  }
  return result;
}

ssize_t getdelim(char **restrict line, size_t *restrict size, int stop,
                 FILE *restrict stream) {
  ssize_t result = -1;
  if (!line || !size) {
    errno = EINVAL;
    return -1;
  }
  WITH_STREAM(stream) {
    FOR_EACH_LANE(stream_mask) {
      size_t done = 0;
      bool met = false, memory = true;
      if (!*line)
        *size = 0;
      while (memory && !met) {
        if (*size < done + 2) {
          size_t more = *size ? *size * 2 : 128;
          char *larger = realloc(*line, more);
          memory = larger != NULL;
          if (memory)
            *line = larger, *size = more;
        }
        if (memory) {
          size_t got =
              read_until(stream, *line + done, *size - done - 1, stop, &met);
          done += got;
          if (!got)
            break;
        }
      }
      if (memory && done) {
        (*line)[done] = 0;
        result = (ssize_t)done;
      }
    }
  }
  return result;
}
ssize_t getline(char **restrict line, size_t *restrict size,
                FILE *restrict stream) {
  return getdelim(line, size, '\n', stream);
}
