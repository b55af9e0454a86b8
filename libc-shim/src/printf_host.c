//===-- libc-shim/src/printf_host.c - printf, formatted by the host -------===//
// The format string and the variadic block go to the host as they are; it asks
// for the strings. Spec section 3.9. AMDGPU packs the block, NVPTX aligns each
// value in it, and the opcode says which.
//===----------------------------------------------------------------------===//
#include "stream.h"
#include <string.h>

#ifdef __AMDGPU__
#define FORM(name) RPC_PRINTF_TO_##name##_PACKED
#else
#define FORM(name) RPC_PRINTF_TO_##name
#endif

__attribute__((noinline)) int
vfprintf(FILE *restrict stream, const char *restrict format, va_list list) {
  // On both targets a va_list is the address of the next argument.
  const void *arguments = (const void *)list;
  _Static_assert(sizeof(va_list) == sizeof(void *), "the block's address");
  uint64_t format_size = strlen(format) + 1;
  rpc_opcode opcode =
      stream_opcode(stream, FORM(STDOUT), FORM(STDERR), FORM(STREAM));
  int result = -1;
  if (stream->out_used)
    __stream_flush(stream); // what was written first comes first
  uint64_t mask = __gpu_lane_mask();
  FOR_EACH_GROUP(mask, opcode) {
    rpc_port port = rpc_open(opcode);
    if (opcode == FORM(STREAM)) {
      rpc_send_begin(&port)->words[0] = stream->handle;
      rpc_send_end(&port);
    }
    // First the format, then as many argument bytes as the host has counted in
    // it, then the strings it asks for: one loop, so that the code that sends a
    // stream is there once.
    const void *piece = format;
    uint64_t size = format_size;
    for (bool arguments_sent = false;;) {
      rpc_send_n(&port, piece, size);
      const rpc_packet *answer = rpc_recv(&port);
      if (!arguments_sent) {
        piece = arguments;
        size = answer->words[0];
        arguments_sent = true;
        continue;
      }
      result = (int)answer->words[0];
      const char *wanted = (const char *)answer->words[1];
      if (!__gpu_ballot(port.mask, wanted != NULL))
        break;
      piece = wanted;
      size = wanted ? strlen(wanted) + 1 : 0;
    }
    rpc_close(&port);
  }
  return result;
}

int vprintf(const char *restrict format, va_list list) {
  return vfprintf(stdout, format, list);
}

int printf(const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfprintf(stdout, format, list);
  va_end(list);
  return result;
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfprintf(stream, format, list);
  va_end(list);
  return result;
}
