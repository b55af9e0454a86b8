//===-- libc-shim/stdio/stream.c - Opening, closing, flushing, seeking ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stream.h. Reading is in stream_read.c, writing in stream_write.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/if_linked.h"
#include "libc-shim/stdio/stream_lock.h"
#include <stdlib.h>
#include <string.h>

/// Is the mode "r" without '+'? A stream of this mode gets no output buffer, so
/// that the host refuses a write at once.
static bool is_read_only(const char *mode) {
  return *mode == 'r' && !strchr(mode, '+');
}

static FILE *make_stream(host_reply reply, const char *mode) {
  if (!reply.words[0]) {
    errno = reply.error;
    return NULL;
  }
  FILE *stream = calloc(1, sizeof *stream);
  if (!stream) {
    __host_call(RPC_CLOSE_FILE, reply.words[0], 0, 0);
    errno = ENOMEM;
    return NULL;
  }
  stream->handle = reply.words[0];
  stream->read_only = is_read_only(mode);
  if (stream->read_only)
    stream->mode = STREAM_NONE;
  __stream_link(stream);
  return stream;
}

/// Stores the first 31 characters of a mode in the words of the message.
static void put_mode(host_message *message, const char *mode) {
  char text[32] = {0};
  for (int i = 0; i < 31 && mode[i]; ++i)
    text[i] = mode[i];
  uint64_t words[4];
  memcpy(words, text, sizeof words);
  message->a = words[0];
  message->b = words[1];
  message->c = words[2];
  message->d = words[3];
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
  if (!strchr("rwa", *mode) || !*mode) {
    errno = EINVAL;
    return NULL;
  }
  host_message message = {.data = path, .size = strlen(path) + 1};
  put_mode(&message, mode);
  return make_stream(
      __host_send(RPC_OPEN_FILE, HOST_FORM_BYTES | HOST_FORM_WORDS, &message),
      mode);
}

static FILE *not_there(int error) {
  errno = error;
  return NULL;
}

FILE *fdopen(int fd, const char *mode) {
  if (!HOST_HAS_POSIX())
    return not_there(ENOSYS);
  // The mode is sent in the second and third word of the packet.
  uint64_t words[2] = {0, 0};
  strlcpy((char *)words, mode, sizeof words);
  return make_stream(
      __host_call(RPC_STREAM_FROM_DESCRIPTOR, (uint64_t)fd, words[0], words[1]),
      mode);
}

FILE *tmpfile(void) {
  if (!HOST_HAS_POSIX())
    return not_there(ENOSYS);
  return make_stream(__host_call(RPC_STREAM_TEMPORARY, 0, 0, 0), "w+");
}

FILE *popen(const char *command, const char *mode) {
  if (!HOST_HAS_POSIX())
    return not_there(ENOSYS);
  __stream_flush_all();
  host_message message = {.data = command, .size = strlen(command) + 1};
  put_mode(&message, mode);
  return make_stream(__host_send(RPC_STREAM_POPEN,
                                 HOST_FORM_BYTES | HOST_FORM_WORDS, &message),
                     mode);
}

/// Drops the bytes that were read ahead, and moves the host's position back by
/// their number. Called by one lane that holds the lock.
static void drop_read_ahead(FILE *stream) {
  if (stream->position != stream->end && stream->own)
    __own_stream_seek(stream, -(off_t)(stream->end - stream->position),
                      SEEK_CUR);
  else if (stream->position != stream->end)
    __host_call(RPC_FSEEK, stream_tagged(stream),
                (uint64_t)-(int64_t)(stream->end - stream->position), SEEK_CUR);
  stream->position = stream->end = 0;
}

static void free_stream(FILE *stream) {
  __stream_unlink(stream);
  free(stream->in);
  if (stream->out_owned)
    free(stream->out);
  free(stream);
}

/// Flushes and frees the stream, and makes the host close it by `opcode`.
/// Returns the host's answer; *flushed tells whether the flush succeeded.
static host_reply end_stream(FILE *stream, rpc_opcode opcode, bool *flushed) {
  *flushed = __stream_flush(stream);
  uint64_t handle = stream->handle;
  free_stream(stream);
  return __host_call(opcode, handle, 0, 0);
}

int fclose(FILE *stream) {
  if (stream->tag)
    return fflush(stream);
  bool flushed;
  if (stream->own) {
    flushed = __stream_flush(stream);
    const int closed = __own_stream_close(stream);
    free_stream(stream);
    return flushed ? closed : EOF;
  }
  int result = (int)__host_result(end_stream(stream, RPC_CLOSE_FILE, &flushed));
  return flushed ? result : EOF;
}

int pclose(FILE *stream) {
  bool flushed;
  return (int)__host_result(end_stream(stream, RPC_STREAM_PCLOSE, &flushed));
}

FILE *freopen(const char *restrict path, const char *restrict mode,
              FILE *restrict stream) {
  if (!HOST_HAS_POSIX())
    return not_there(ENOSYS);
  if (!path || stream->own)
    return not_there(EINVAL);
#ifdef __NVPTX__
  __heap_functions = (heap_functions){malloc, free}; // for the new buffer
#endif
  __stream_flush(stream);
  rpc_port port = __port_open(RPC_STREAM_REOPEN);
  __port_send_n(&port, path, strlen(path) + 1);
  __port_send_n(&port, mode, strlen(mode) + 1);
  __port_send_begin(&port)->words[0] = stream_tagged(stream);
  __port_send_end(&port);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  if (!reply.words[0])
    return not_there(reply.error);
  stream_not_quick(stream);
  stream->at_end = stream->failed = false;
  stream->orientation = 0;
  stream->position = stream->end = 0;
  stream->read_only = is_read_only(mode);
  stream->mode = stream->tag == RPC_STREAM_STDERR || stream->read_only
                     ? STREAM_NONE
                     : STREAM_FULL;
  if (!stream->tag)
    stream->handle = reply.words[0];
  return stream;
}

int fileno(FILE *stream) {
  if (stream->tag)
    return (int)stream->tag - 1;
  if (stream->own)
    return fail_with(EBADF);
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  return (int)__host_result(
      __host_call(RPC_STREAM_FILENO, stream_tagged(stream), 0, 0));
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode,
            size_t size) {
  (void)buffer, (void)size; // the device chooses its buffers
  if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)
    return -1;
  __stream_flush(stream);
  stream_not_quick(stream);
  stream->no_read_ahead = mode == _IONBF;
  stream->mode = stream->read_only   ? STREAM_NONE
                 : mode == _IONBF    ? STREAM_NONE
                 : !HOST_HAS_POSIX() ? STREAM_NONE
                 : mode == _IOLBF    ? STREAM_LINE
                                     : STREAM_FULL;
  if (stream->own && stream->mode == STREAM_NONE)
    stream->out_capacity = 0; // the buffer itself is freed with the stream
  // The host's stream has a buffer too.
  if (!HOST_HAS_POSIX() || stream->own)
    return 0;
  return (int)__host_result(__host_call(
      RPC_STREAM_SETVBUF, stream_tagged(stream), (uint64_t)mode, 0));
}
void setbuf(FILE *restrict stream, char *restrict buffer) {
  setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size) {
  setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, size);
}
void setlinebuf(FILE *stream) { setvbuf(stream, NULL, _IOLBF, 0); }

int fflush(FILE *stream) {
  bool good = stream ? __stream_flush(stream) : __stream_flush_all();
  if (stream && stream->own) {
    __own_stream_sync(stream);
    return good ? 0 : EOF;
  }
  int result = (int)__host_result(
      __host_call(RPC_FFLUSH, stream ? stream_tagged(stream) : 0, 0, 0));
  if (result && stream) // the host's own buffer could not be written
    stream->failed = true;
  return good ? result : EOF;
}

int fseeko(FILE *stream, off_t offset, int whence) {
  int result = 0;
  WITH_STREAM(stream) {
    __stream_send_pending(stream, stream_mask);
    FOR_EACH_LANE(stream_mask) {
      drop_read_ahead(stream);
      if (stream->own)
        result = __own_stream_seek(stream, offset, whence) < 0 ? -1 : 0;
      else
        result = (int)__host_result(__host_call(
            RPC_FSEEK, stream_tagged(stream), (uint64_t)offset, whence));
      if (!result)
        stream->at_end = false;
    }
  }
  return result;
}
int fseek(FILE *stream, long offset, int whence) {
  return fseeko(stream, offset, whence);
}

off_t ftello(FILE *stream) {
  off_t result = 0;
  WITH_STREAM(stream) {
    __stream_send_pending(stream, stream_mask);
    if (stream->own) {
      FOR_EACH_LANE(stream_mask) {
        result = __own_stream_seek(stream, 0, SEEK_CUR);
      }
    } else {
      result =
          __host_result(__host_call(RPC_FTELL, stream_tagged(stream), 0, 0));
    }
    if (result >= 0)
      result -= stream->end - stream->position;
  }
  return result;
}
long ftell(FILE *stream) { return ftello(stream); }

void rewind(FILE *stream) {
  fseeko(stream, 0, SEEK_SET);
  clearerr(stream);
}
int fgetpos(FILE *restrict stream, fpos_t *restrict position) {
  return (*position = ftell(stream)) < 0 ? -1 : 0;
}
int fsetpos(FILE *stream, const fpos_t *position) {
  return fseek(stream, *position, SEEK_SET);
}

int feof(FILE *stream) { return stream->at_end; }
int ferror(FILE *stream) { return stream->failed; }
void clearerr(FILE *stream) {
  stream->at_end = stream->failed = false;
  if (!stream->own)
    __host_call(RPC_CLEARERR, stream_tagged(stream), 0, 0);
}

int remove(const char *path) {
  host_message message = {.data = path, .size = strlen(path) + 1};
  return (int)__host_result(__host_send(RPC_REMOVE, HOST_FORM_BYTES, &message));
}

int rename(const char *from, const char *to) {
  host_message message = {.data = from,
                          .size = strlen(from) + 1,
                          .data2 = to,
                          .size2 = strlen(to) + 1};
  return (int)__host_result(
      __host_send(RPC_RENAME, HOST_FORM_TWO_BYTES, &message));
}

int system(const char *command) {
  if (!command)
    return 1;
  __stream_flush_all();
  host_message message = {.data = command, .size = strlen(command) + 1};
  return (int)__host_result(__host_send(RPC_SYSTEM, HOST_FORM_BYTES, &message));
}
