//===-- replay/player/live_stdio.c - Calls of stdio -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/live.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 256 << 10 };
/// Why a bulk transfer is short.
enum { WHOLE, AT_END, AT_ERROR };

//===-- Opening -----------------------------------------------------------===//

static uint64_t handle_of(int index) {
  return (uint64_t)(index + 1) * HANDLE_UNIT;
}

static int index_of(const struct live *live, const struct stream *stream) {
  int index = 0;
  while (live->streams[index] != stream)
    ++index;
  return index;
}

/// The flags of open() for a mode of fopen(); -1: it is no valid mode.
static int parse_mode(const char *mode, bool *readable, bool *writable) {
  const bool both = strchr(mode, '+') != NULL;
  int flags = both ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
  *readable = both || *mode == 'r';
  *writable = both || *mode != 'r';
  if (*mode != 'r' && *mode != 'w' && *mode != 'a')
    return -1;
  if (*mode == 'w')
    flags |= O_CREAT | O_TRUNC;
  if (*mode == 'a')
    flags |= O_CREAT | O_APPEND;
  return flags | (strchr(mode, 'x') ? O_EXCL : 0) | O_CLOEXEC;
}

static void add_stream(struct live *live, struct lane_values *lane, int fd,
                       bool readable, bool writable) {
  int index = 3;
  while (index < MOST_FILES && live->streams[index])
    ++index;
  if (fd < 0)
    return set_error(lane, errno);
  if (index == MOST_FILES) {
    close(fd);
    return set_error(lane, EMFILE);
  }
  struct stream *stream = live->streams[index] = allocate(1, sizeof *stream);
  *stream = (struct stream){
      .fd = fd, .readable = readable, .writable = writable, .number = -1};
  stream->buffering = isatty(fd) ? LINE : FULL;
  lane->value = (int64_t)handle_of(index);
}

//===-- Services ----------------------------------------------------------===//

static void write_to(struct live *live, struct lane_values *lane,
                     struct stream *stream, bool newline) {
  (void)live;
  if (!stream) {
    lane->error = EBADF;
    return;
  }
  lane->value = (int64_t)write_stream(stream, *lane->bytes, &lane->error);
  if (newline && !lane->error)
    lane->value += (int64_t)write_stream(
        stream, (struct bytes){(const uint8_t *)"\n", 1}, &lane->error);
}
static void write_to_stdout(struct live *live, struct lane_values *lane) {
  write_to(live, lane, live->streams[1], false);
}
static void write_line_to_stdout(struct live *live, struct lane_values *lane) {
  write_to(live, lane, live->streams[1], true);
}
static void write_to_stderr(struct live *live, struct lane_values *lane) {
  write_to(live, lane, live->streams[2], false);
}
static void write_to_stream(struct live *live, struct lane_values *lane) {
  write_to(live, lane, raw_stream(live, lane->in[0]), false);
}

static void read_from_stream(struct live *live, struct lane_values *lane) {
  struct stream *stream = tagged_stream(live, lane->in[1]);
  const uint64_t size =
      lane->in[0] < MOST_STREAM_BYTES ? lane->in[0] : MOST_STREAM_BYTES;
  if (!stream) {
    lane->error = EBADF;
    return;
  }
  while (lane->out.size < size && !lane->error) {
    const uint64_t left = size - lane->out.size,
                   step = left < CHUNK ? left : CHUNK;
    const uint64_t count = read_stream(live, stream, reserve(&lane->out, step),
                                       step, true, &lane->error);
    lane->out.size += count;
    if (count < step)
      break;
  }
  lane->value = (int64_t)lane->out.size;
}

static void read_fgets(struct live *live, struct lane_values *lane) {
  struct stream *stream = tagged_stream(live, lane->in[1]);
  const uint64_t size =
      lane->in[0] < MOST_STREAM_BYTES ? lane->in[0] : MOST_STREAM_BYTES;
  if (!stream || !size)
    return;
  const int error = read_line(live, stream, &lane->out, size - 1);
  // The NUL counts; nothing at all means end of file or an error.
  if (lane->out.size || (size == 1 && !error))
    append(&lane->out, "", 1);
}

static void open_stream(struct live *live, struct lane_values *lane,
                        const char *mode) {
  bool readable, writable;
  const int flags = parse_mode(mode, &readable, &writable);
  if (flags < 0)
    return set_error(lane, EINVAL);
  const int fd = open(lane->text[0], flags, 0666);
  if (fd >= 0 && flags & O_APPEND && !readable)
    lseek(fd, 0, SEEK_END);
  add_stream(live, lane, fd, readable, writable);
}
static void open_file(struct live *live, struct lane_values *lane) {
  char mode[8 * sizeof(uint64_t) + 1] = {0};
  memcpy(mode, lane->in, sizeof mode - 1);
  open_stream(live, lane, mode);
}
static void open_by_mode(struct live *live, struct lane_values *lane) {
  open_stream(live, lane, lane->text[1]);
}

static void reopen_stream(struct live *live, struct lane_values *lane) {
  struct stream *stream = tagged_stream(live, lane->in[0]);
  bool readable, writable;
  const int flags = parse_mode(lane->text[1], &readable, &writable);
  if (!stream || flags < 0)
    return set_error(lane, stream ? EINVAL : EBADF);
  flush_stream(stream);
  const int fd = open(lane->text[0], flags, 0666);
  if (fd < 0)
    return set_error(lane, errno);
  dup3(fd, stream->fd,
       O_CLOEXEC); // what refers to it goes on with the new file
  close(fd);
  stream->in.size = stream->in_done = 0;
  stream->at_end = false;
  stream->error = 0;
  stream->readable = readable;
  stream->writable = writable;
  lane->value = (int64_t)lane->in[0];
}

static void stream_of_descriptor(struct live *live, struct lane_values *lane) {
  char mode[2 * sizeof(uint64_t) + 1] = {0};
  bool readable, writable;
  const int fd = host_file(live, lane->in[0]);
  memcpy(mode, lane->in + 1, sizeof mode - 1);
  if (fd < 0 || parse_mode(mode, &readable, &writable) < 0)
    return set_error(lane, fd < 0 ? EBADF : EINVAL);
  add_stream(live, lane, fcntl(fd, F_DUPFD_CLOEXEC, 3), readable, writable);
  if (!lane->failed)
    raw_stream(live, (uint64_t)lane->value)->number = (int64_t)lane->in[0];
}

static void open_temporary(struct live *live, struct lane_values *lane) {
  add_stream(live, lane, open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600),
             true, true);
}

static void close_stream(struct live *live, struct lane_values *lane) {
  struct stream *stream = raw_stream(live, lane->in[0]);
  if (!stream)
    return set_error(lane, EBADF);
  const int index = index_of(live, stream), error = flush_stream(stream);
  if (index >= 3) { // standard streams stay open
    drop_read_ahead(stream);
    if (stream->number >= 3 && host_file(live, (uint64_t)stream->number) >= 0) {
      close(live->files[stream->number]);
      live->files[stream->number] = -1;
    }
    close(stream->fd);
    free(stream->out.data);
    free(stream->in.data);
    free(stream);
    live->streams[index] = NULL;
  }
  if (error)
    set_error(lane, error);
}

static struct stream *need_stream(struct live *live, struct lane_values *lane,
                                  unsigned word) {
  struct stream *stream = tagged_stream(live, lane->in[word]);
  if (!stream)
    set_error(lane, EBADF);
  return stream;
}
static void feof_stream(struct live *live, struct lane_values *lane) {
  const struct stream *stream = need_stream(live, lane, 0);
  lane->value = stream && stream->at_end;
}
static void ferror_stream(struct live *live, struct lane_values *lane) {
  const struct stream *stream = need_stream(live, lane, 0);
  lane->value = stream && stream->error;
}
static void clear_stream(struct live *live, struct lane_values *lane) {
  struct stream *stream = need_stream(live, lane, 0);
  if (stream)
    stream->error = stream->at_end = 0;
}
static void seek_stream(struct live *live, struct lane_values *lane) {
  struct stream *stream = need_stream(live, lane, 0);
  if (!stream)
    return;
  const int error = flush_stream(stream);
  if (error || lane->in[2] > 2)
    return set_error(lane, error ? error : EINVAL);
  drop_read_ahead(stream);
  if (lseek(stream->fd, (off_t)lane->in[1], (int)lane->in[2]) < 0)
    return set_error(lane, errno);
  stream->at_end = false;
}
static void tell_stream(struct live *live, struct lane_values *lane) {
  struct stream *stream = need_stream(live, lane, 0);
  // Flush first: in append mode pending bytes go to the end of the file.
  const int error = stream ? flush_stream(stream) : 0;
  const off_t at = stream ? lseek(stream->fd, 0, SEEK_CUR) : 0;
  if (error)
    set_error(lane, error);
  else if (stream)
    set_result(lane,
               at < 0 ? -1 : at - (off_t)(stream->in.size - stream->in_done));
}
static void flush_service(struct live *live, struct lane_values *lane) {
  if (lane->in[0] == 0) {
    if (!flush_live(live))
      set_error(lane, EIO);
    return;
  }
  struct stream *stream = need_stream(live, lane, 0);
  const int error = stream ? flush_stream(stream) : 0;
  if (error)
    set_error(lane, error);
}
static void unget_character(struct live *live, struct lane_values *lane) {
  struct stream *stream = need_stream(live, lane, 1);
  const int32_t character = (int32_t)lane->in[0];
  if (!stream)
    return;
  lane->value = -1;
  if (character < 0)
    return;
  if (!stream->in_done) { // room before what was read
    const size_t size = stream->in.size;
    reserve(&stream->in, 1);
    memmove(stream->in.data + 1, stream->in.data, size);
    stream->in.size = size + 1;
    stream->in_done = 1;
  }
  stream->in.data[--stream->in_done] = (uint8_t)character;
  stream->at_end = false;
  lane->value = (uint8_t)character;
}
static void number_of_stream(struct live *live, struct lane_values *lane) {
  struct stream *stream = need_stream(live, lane, 0);
  if (stream && stream->number < 0) {
    const int fd = fcntl(stream->fd, F_DUPFD_CLOEXEC, 3);
    stream->number = fd < 0 ? -1 : add_file(live, fd);
  }
  if (stream)
    set_result(lane, stream->number);
}
static void set_buffering(struct live *live, struct lane_values *lane) {
  struct stream *stream = need_stream(live, lane, 0);
  if (stream && lane->in[1] > UNBUFFERED)
    set_error(lane, EINVAL);
  else if (stream)
    stream->buffering = lane->in[1];
}

//===-- Bulk transfers ----------------------------------------------------===//

static void bulk_write(struct live *live, struct lane_values *lane) {
  struct stream *stream = tagged_stream(live, lane->in[BULK_HANDLE]);
  const uint64_t address = lane->in[BULK_ADDRESS],
                 length = lane->in[BULK_LENGTH];
  rpc_output *output = mailbox_output(live->host->mailbox);
  lane->error = !stream || !stream->writable ? EBADF
                : !holds_memory(live->host, address, length, false)
                    ? EFAULT
                    : flush_stream(stream);
  if (stream)
    drop_read_ahead(stream);
  struct buffer chunk = {0};
  uint64_t done = 0;
  while (done < length && !lane->error) {
    const uint64_t left = length - done, step = left < CHUNK ? left : CHUNK;
    chunk.size = 0;
    lane->error =
        read_memory(live->host, reserve(&chunk, step), address + done, step);
    if (!lane->error)
      done +=
          write_direct(stream, (struct bytes){chunk.data, step}, &lane->error);
  }
  free(chunk.data);
  // Mark the program's buffer as empty, in case it faults before it does so.
  if (!lane->error &&
      mailbox_view(live->host->mailbox, address, 1) == output->text)
    __atomic_store_n(&output->used, 0, __ATOMIC_RELAXED);
  lane->value = (int64_t)done;
  lane->words[0] = done < length ? AT_ERROR : WHOLE;
}

static void bulk_read(struct live *live, struct lane_values *lane) {
  struct stream *stream = tagged_stream(live, lane->in[BULK_HANDLE]);
  const uint64_t length = lane->in[BULK_LENGTH],
                 step = length < CHUNK ? length : CHUNK;
  struct buffer chunk = {0};
  uint64_t done = 0;
  if (!stream)
    lane->error = EBADF;
  else if (!holds_memory(live->host, lane->in[BULK_ADDRESS], length, true))
    lane->error = EFAULT;
  else if (length)
    done = read_stream(live, stream, reserve(&chunk, step), step, false,
                       &lane->error);
  if (done)
    lane->error =
        write_memory(live->host, lane->in[BULK_ADDRESS], chunk.data, done);
  free(chunk.data);
  lane->value = (int64_t)(lane->error ? 0 : done);
  lane->words[0] = lane->error                                  ? AT_ERROR
                   : done < length && (!done || stream->at_end) ? AT_END
                                                                : WHOLE;
}

live_service *stream_service(uint32_t opcode) {
  static const struct {
    uint32_t opcode;
    live_service *service;
  } services[] = {
      {RPC_WRITE_TO_STDOUT, write_to_stdout},
      {RPC_WRITE_TO_STDERR, write_to_stderr},
      {RPC_WRITE_TO_STREAM, write_to_stream},
      {RPC_WRITE_TO_STDOUT_NEWLINE, write_line_to_stdout},
      {RPC_READ_FROM_STREAM, read_from_stream},
      {RPC_READ_FGETS, read_fgets},
      {RPC_OPEN_FILE, open_file},
      {RPC_CLOSE_FILE, close_stream},
      {RPC_FEOF, feof_stream},
      {RPC_FERROR, ferror_stream},
      {RPC_CLEARERR, clear_stream},
      {RPC_FSEEK, seek_stream},
      {RPC_FTELL, tell_stream},
      {RPC_FFLUSH, flush_service},
      {RPC_UNGETC, unget_character},
      {RPC_BULK_WRITE_STREAM, bulk_write},
      {RPC_BULK_READ_STREAM, bulk_read},
      {RPC_STREAM_OPEN, open_by_mode},
      {RPC_STREAM_REOPEN, reopen_stream},
      {RPC_STREAM_FROM_DESCRIPTOR, stream_of_descriptor},
      {RPC_STREAM_TEMPORARY, open_temporary},
      {RPC_STREAM_FILENO, number_of_stream},
      {RPC_STREAM_SETVBUF, set_buffering},
  };
  for (unsigned i = 0; i < sizeof services / sizeof *services; ++i)
    if (services[i].opcode == opcode)
      return services[i].service;
  return NULL;
}
