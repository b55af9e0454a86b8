//===-- libc-shim/src/stream_write.c - Output -----------------------------===//
// See stream.h.
//===----------------------------------------------------------------------===//
#include "stream.h"
#include <string.h>

size_t __stream_write(FILE *stream, const void *data, size_t size) {
  rpc_opcode opcode = stream_opcode(stream, RPC_WRITE_TO_STDOUT,
                                    RPC_WRITE_TO_STDERR, RPC_WRITE_TO_STREAM);
  host_message message = {.handle = stream->handle, .data = data, .size = size};
  host_reply reply = __host_send(
      opcode, opcode == RPC_WRITE_TO_STREAM ? HOST_FORM_HANDLE : 0, &message);
  if (reply.words[0] < size) {
    stream->failed = true;
    if (reply.error)
      errno = reply.error;
  }
  return reply.words[0];
}

size_t fwrite(const void *restrict data, size_t size, size_t count,
              FILE *restrict stream) {
  size_t all = size * count;
  if (!all)
    return 0;
  size_t written = __stream_write(stream, data, all);
  return written == all ? count : written / size;
}

int fputs(const char *restrict text, FILE *restrict stream) {
  size_t size = strlen(text);
  return __stream_write(stream, text, size) == size ? 1 : EOF;
}

int puts(const char *text) {
  size_t size = strlen(text);
  host_message message = {.data = text, .size = size};
  host_reply reply =
      __host_send(RPC_WRITE_TO_STDOUT_NEWLINE, HOST_FORM_BYTES, &message);
  if (reply.words[0] == size + 1)
    return (int)(size + 1 > 0x7fffffff ? 0x7fffffff : size + 1);
  stdout->failed = true;
  if (reply.error)
    errno = reply.error;
  return EOF;
}

int fputc(int c, FILE *stream) {
  unsigned char byte = (unsigned char)c;
  return __stream_write(stream, &byte, 1) == 1 ? byte : EOF;
}
int putc(int c, FILE *stream) { return fputc(c, stream); }
int putchar(int c) { return fputc(c, stdout); }
