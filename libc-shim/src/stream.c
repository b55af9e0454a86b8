//===-- libc-shim/src/stream.c - Opening, closing, flushing, seeking ------===//
// See stream.h. Reading is in stream_read.c, writing in stream_write.c.
//===----------------------------------------------------------------------===//
#include "stream_lock.h"
#include <stdlib.h>
#include <string.h>

static FILE standard_input = {.tag = RPC_STREAM_STDIN};
static FILE standard_output = {.tag = RPC_STREAM_STDOUT};
static FILE standard_error = {.tag = RPC_STREAM_STDERR};
FILE *const stdin = &standard_input;
FILE *const stdout = &standard_output;
FILE *const stderr = &standard_error;

static FILE *make_stream(host_reply reply) {
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
  return stream;
}

/// A mode string as the words of a packet: at most 31 characters count.
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
      __host_send(RPC_OPEN_FILE, HOST_FORM_BYTES | HOST_FORM_WORDS, &message));
}

/// What was read ahead and not used has moved the host's position: go back.
/// The caller holds the lock, one lane for all.
static void drop_read_ahead(FILE *stream) {
  if (stream->position != stream->end)
    __host_call(RPC_FSEEK, stream_tagged(stream),
                (uint64_t)-(int64_t)(stream->end - stream->position), SEEK_CUR);
  stream->position = stream->end = 0;
}

int fclose(FILE *stream) {
  if (stream->tag) {
    fflush(stream);
    return 0;
  }
  uint64_t handle = stream->handle;
  free(stream->buffer);
  free(stream);
  return (int)__host_result(__host_call(RPC_CLOSE_FILE, handle, 0, 0));
}

int __stream_flush_all(void) {
  return (int)__host_result(__host_call(RPC_FFLUSH, 0, 0, 0));
}

int fflush(FILE *stream) {
  if (!stream)
    return __stream_flush_all();
  return (int)__host_result(
      __host_call(RPC_FFLUSH, stream_tagged(stream), 0, 0));
}

int fseeko(FILE *stream, off_t offset, int whence) {
  int result = 0;
  WITH_STREAM(stream) {
    WITH_EACH_LANE(stream_mask) {
      drop_read_ahead(stream);
      result = (int)__host_result(__host_call(RPC_FSEEK, stream_tagged(stream),
                                              (uint64_t)offset, whence));
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
    result = __host_result(__host_call(RPC_FTELL, stream_tagged(stream), 0, 0));
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
  host_message message = {.data = command, .size = strlen(command) + 1};
  return (int)__host_result(__host_send(RPC_SYSTEM, HOST_FORM_BYTES, &message));
}
