//===-- libc-shim/src/stream.h - A stream's device side -------------------===//
// What stdio's files share. A stream belongs to the host; the device keeps its
// handle, what has been read ahead and what has been written and not yet sent.
// Whoever touches these holds the stream's lock, which a whole wave takes at
// once through one lane and never keeps across anything that may diverge, so
// that no lane can wait for a neighbour that is masked off.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_STREAM_H
#define GPUEXEC_LIBC_STREAM_H

#include "call.h"
#include <stdio.h>

struct __gpuexec_file {
  uint64_t handle; ///< the host's, 0 for the standard streams
  uint32_t tag;    ///< RPC_STREAM_*
  uint32_t lock;
  bool at_end, failed; ///< feof(), ferror(), as far as the device knows
  bool no_read_ahead;  ///< setvbuf(_IONBF)
  // [position, end) of `buffer` has been read from the host and not yet used.
  unsigned char *buffer;
  uint32_t capacity, position, end;
  struct __gpuexec_file *older; ///< every open stream, for fflush(NULL)
};

/// The word that names a stream in a packet, spec section 3.2.
static inline uint64_t stream_tagged(const FILE *stream) {
  return stream->handle | stream->tag;
}

/// The opcode of a family of three: for stdout, stderr, any other stream.
static inline rpc_opcode stream_opcode(const FILE *stream, rpc_opcode out,
                                       rpc_opcode err, rpc_opcode file) {
  return stream->tag == RPC_STREAM_STDOUT   ? out
         : stream->tag == RPC_STREAM_STDERR ? err
                                            : file;
}

/// Sends `size` bytes; how many the host took.
size_t __stream_write(FILE *, const void *data, size_t size);

/// Everything written so far reaches the host's streams, and they are flushed.
int __stream_flush_all(void);

#endif
