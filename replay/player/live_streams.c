//===-- replay/player/live_streams.c - Open files of the program ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffered streams over descriptors, as C's FILE.
//===----------------------------------------------------------------------===//
#include "replay/player/live.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_SIZE = 64 << 10 };

struct stream *raw_stream(struct live *live, uint64_t handle) {
  if (handle >= RPC_STREAM_STDIN && handle <= RPC_STREAM_STDERR)
    return live->streams[handle - RPC_STREAM_STDIN];
  const uint64_t index = handle / HANDLE_UNIT - 1;
  return handle % HANDLE_UNIT == 0 && handle && index < MOST_FILES
             ? live->streams[index]
             : NULL;
}

struct stream *tagged_stream(struct live *live, uint64_t word) {
  const uint64_t tag = word & RPC_STREAM_TAG_MASK;
  return raw_stream(live, tag == RPC_STREAM_FILE ? word : tag);
}

//===-- Reading and writing -----------------------------------------------===//

uint64_t write_direct(struct stream *stream, struct bytes bytes, int *error) {
  uint64_t done = 0;
  *error = 0;
  while (done < bytes.size && !*error) {
    const ssize_t count =
        write(stream->fd, bytes.data + done, bytes.size - done);
    if (count >= 0)
      done += (uint64_t)count;
    else if (errno != EINTR)
      stream->error = *error = errno;
  }
  return done;
}

int flush_stream(struct stream *stream) {
  int error;
  write_direct(stream, view(&stream->out), &error);
  stream->out.size = 0; // after an error the rest is lost
  return error;
}

void drop_read_ahead(struct stream *stream) {
  if (stream->in_done < stream->in.size)
    lseek(stream->fd, (off_t)stream->in_done - (off_t)stream->in.size,
          SEEK_CUR);
  stream->in.size = stream->in_done = 0;
}

uint64_t write_stream(struct stream *stream, struct bytes bytes, int *error) {
  *error = 0;
  if (!stream->writable) {
    stream->error = *error = EBADF;
    return 0;
  }
  drop_read_ahead(stream);
  append(&stream->out, bytes.data, bytes.size);
  const bool newline = bytes.size && memchr(bytes.data, '\n', bytes.size);
  if (stream->out.size >= BUFFER_SIZE || stream->buffering == UNBUFFERED ||
      (stream->buffering == LINE && newline))
    *error = flush_stream(stream);
  return *error ? 0 : bytes.size;
}

/// Reads some bytes. Returns their number, 0 at the end, -1 after an error.
static ssize_t read_some(struct live *live, struct stream *stream, void *to,
                         size_t size) {
  // Write out standard output first, which may hold a prompt.
  if (stream->out.size)
    flush_stream(stream);
  if (isatty(stream->fd))
    flush_stream(live->streams[1]);
  for (;;) {
    const ssize_t count = read(stream->fd, to, size);
    if (count < 0 && errno == EINTR)
      continue;
    stream->at_end |= count == 0;
    if (count < 0)
      stream->error = errno;
    return count;
  }
}

static ssize_t fill(struct live *live, struct stream *stream) {
  // Without a buffer nothing is read ahead: others may read the descriptor.
  const size_t most = stream->buffering == UNBUFFERED ? 1 : BUFFER_SIZE;
  stream->in.size = stream->in_done = 0;
  const ssize_t count =
      read_some(live, stream, reserve(&stream->in, most), most);
  stream->in.size = count > 0 ? (size_t)count : 0;
  return count;
}

uint64_t read_stream(struct live *live, struct stream *stream, void *to,
                     uint64_t size, bool all, int *error) {
  uint64_t done = 0;
  *error = stream->readable ? 0 : EBADF;
  while (done < size && !*error && (all || !done)) {
    const size_t there = stream->in.size - stream->in_done,
                 wanted = size - done;
    if (there) {
      const size_t count = there < wanted ? there : wanted;
      memcpy((uint8_t *)to + done, stream->in.data + stream->in_done, count);
      stream->in_done += count;
      done += count;
      continue;
    }
    if (stream->at_end) // as in C, the end stays until clearerr()
      break;
    const ssize_t count =
        wanted >= BUFFER_SIZE
            ? read_some(live, stream, (uint8_t *)to + done, wanted)
            : fill(live, stream);
    if (count < 0)
      *error = errno;
    if (count <= 0)
      break;
    if (wanted >= BUFFER_SIZE)
      done += (uint64_t)count;
  }
  return done;
}

int read_line(struct live *live, struct stream *stream, struct buffer *to,
              uint64_t size) {
  if (!stream->readable)
    return EBADF;
  while (to->size < size) {
    if (stream->in_done == stream->in.size) {
      const ssize_t count = fill(live, stream);
      if (count <= 0)
        return count < 0 ? errno : 0;
    }
    const uint8_t *from = stream->in.data + stream->in_done;
    size_t count = stream->in.size - stream->in_done;
    count = count < size - to->size ? count : size - to->size;
    const uint8_t *newline = memchr(from, '\n', count);
    count = newline ? (size_t)(newline - from) + 1 : count;
    append(to, from, count);
    stream->in_done += count;
    if (newline)
      break;
  }
  return 0;
}
