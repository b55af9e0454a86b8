//===-- libc-shim/stdio/stream.h - A stream's device side -----------------===//
// What stdio's files share. A stream belongs to the host; the device keeps its
// handle, what has been read ahead and what has been written and not yet sent.
// Whoever touches these holds the stream's lock, which a whole wave takes at
// once through one lane and never keeps across anything that may diverge, so
// that no lane can wait for a neighbour that is masked off.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_STREAM_H
#define GPUEXEC_LIBC_STREAM_H

#include "libc-shim/device/host_call.h"
#include <stdio.h>

typedef enum {
  STREAM_MODE_UNKNOWN, ///< nothing written yet, setvbuf not called
  STREAM_FULL,
  STREAM_LINE,
  STREAM_NONE,
} stream_mode;

struct __gpuexec_file {
  // [out, out + out_used) is written and not sent.
  unsigned char *out;
  uint64_t out_used;
  /// Where the host looks how much that is when the device has died: beside the
  /// standard output's buffer, which is the host's memory; else null.
  uint64_t *host_used;
  uint32_t out_capacity;
  uint32_t mode; ///< stream_mode of output

  uint64_t handle; ///< the host's, 0 for the standard streams
  uint32_t tag;    ///< RPC_STREAM_*
  uint32_t lock;
  bool at_end, failed;     ///< feof(), ferror(), as far as the device knows
  bool no_read_ahead;      ///< setvbuf(_IONBF)
  bool out_owned;          ///< `out` is from malloc
  signed char orientation; ///< what fwide() tells
  // [position, end) of `in` has been read from the host and not yet used.
  unsigned char *in;
  uint32_t in_capacity, position, end;
  struct __gpuexec_file *next, *previous; ///< of all open streams
};

/// All streams that fopen and its like have made and fclose has not ended.
extern FILE *__stream_list;

/// Sends what is in their buffers; none of them is closed meanwhile.
bool __stream_flush_list(void);

/// Into that list and out of it.
void __stream_link(FILE *stream);
void __stream_unlink(FILE *stream);

/// The word that names a stream in a packet, spec section 3.2.
static inline uint64_t stream_tagged(const FILE *stream) {
  return stream->handle | stream->tag;
}

/// Bytes are read or written.
static inline void stream_takes_bytes(FILE *stream) {
  if (!stream->orientation)
    stream->orientation = -1;
}

/// The opcode of a family of three: for stdout, stderr, any other stream.
static inline rpc_opcode stream_opcode(const FILE *stream, rpc_opcode out,
                                       rpc_opcode err, rpc_opcode file) {
  return stream->tag == RPC_STREAM_STDOUT   ? out
         : stream->tag == RPC_STREAM_STDERR ? err
                                            : file;
}

/// Writes `size` bytes and, if asked, a newline. How many bytes were taken, the
/// newline included.
size_t __stream_write(FILE *, const void *data, size_t size, bool newline);

/// One lane, holding the lock: the next byte, or EOF.
int __stream_get(FILE *);

/// The caller holds the lock, any number of lanes: sends what is in the buffer.
/// Only lanes of `mask` come here. False after an error, with errno set.
bool __stream_send_pending(FILE *, uint64_t mask);

/// Takes the lock and sends what is in the buffer. False after an error.
bool __stream_flush(FILE *);

/// The same for every stream.
bool __stream_flush_all(void);

/// __stream_flush() for code that is in every program, see if_linked.h.
bool __stream_flush_if_any(FILE *);

#ifdef __NVPTX__
typedef struct {
  bool (*flush)(FILE *);
  bool (*flush_all)(void);
} stream_functions;
extern stream_functions __stream_functions; ///< set when a buffer has bytes
#endif

#endif
