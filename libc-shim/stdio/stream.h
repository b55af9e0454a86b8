//===-- libc-shim/stdio/stream.h - A stream's device side -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of stdio. A stream belongs to the host. The device keeps
// its handle, bytes read ahead, and bytes written but not yet sent. They are
// accessed under the stream's lock. One lane takes the lock for a group of
// lanes (stream_lock.h), so that no lane waits for a neighbour that is masked
// off.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_STREAM_H
#define GPUEXEC_LIBC_STREAM_H

#include "libc-shim/device/host_call.h"
#include <stdio.h>
#include <wchar.h>

typedef enum {
  STREAM_MODE_UNKNOWN, ///< nothing written yet, setvbuf not called
  STREAM_FULL,
  STREAM_LINE,
  STREAM_NONE,
} stream_mode;

struct __gpuexec_file {
  // [out, out + out_used) is written but not sent.
  unsigned char *out;
  uint64_t out_used;
  /// A copy of `out_used` for the host, which prints the rest after a device
  /// fault. Only standard output has one, beside its buffer in host memory.
  uint64_t *host_used;
  uint32_t out_capacity;
  uint32_t mode; ///< stream_mode of output

  uint64_t handle; ///< the host's, 0 for the standard streams
  uint32_t tag;    ///< RPC_STREAM_*
  uint32_t lock;
  bool at_end, failed;     ///< feof(), ferror()
  bool no_read_ahead;      ///< setvbuf(_IONBF)
  bool out_owned;          ///< `out` is from malloc
  signed char orientation; ///< as fwide() returns it
  struct own_stream *own;  ///< own_stream.h; null for a stream of the host
  uint64_t held;           ///< who holds the stream, flockfile.c; 0: nobody
  // [position, end) of `in` has been read ahead.
  unsigned char *in;
  uint32_t in_capacity, position, end;
  struct __gpuexec_file *next, *previous; ///< of all open streams
};

/// All open streams, except the standard ones.
extern FILE *__stream_list;

/// Sends the bytes in their buffers. The list is locked meanwhile.
bool __stream_flush_list(void);

/// Adds to that list and removes from it.
void __stream_link(FILE *stream);
void __stream_unlink(FILE *stream);

/// For streams without a file of the host (own_stream.h), called instead of the
/// host. A program that makes no such stream has none of their code.
///
/// Bytes done; the stream's state and errno are set after an error. One lane
/// that holds the lock reads, any number write.
size_t __own_stream_read(FILE *, void *, size_t);
size_t __own_stream_write(FILE *, const void *, size_t);
/// The new position, or -1 with errno.
off_t __own_stream_seek(FILE *, off_t, int whence);
/// For fflush(), after the device's buffer was written.
void __own_stream_sync(FILE *);
/// The result of fclose(). The stream can only be freed then.
int __own_stream_close(FILE *);
int __own_stream_print(FILE *, const char *format, va_list);

/// The word that names a stream in a packet, spec section 3.2.
static inline uint64_t stream_tagged(const FILE *stream) {
  return stream->handle | stream->tag;
}

/// A function for bytes uses the stream: sets the orientation if it has none.
static inline void stream_takes_bytes(FILE *stream) {
  if (!stream->orientation)
    stream->orientation = -1;
}

/// Some stream has been given a wide orientation. In a program without
/// functions for wide streams nothing stores to it, and the link-time optimiser
/// removes the tests.
extern bool __stream_any_wide;

/// Hold the stream for the calling wave, and end that. All lanes of `mask` call
/// this together. __stream_take() waits while another wave holds the stream. Set
/// by a program that calls flockfile() (flockfile.c), and null in all others,
/// where the link-time optimiser removes the calls. Null again when the program
/// ends: its last flush waits for nobody.
extern void (*__stream_take)(FILE *, uint64_t mask);
extern void (*__stream_give_back)(FILE *, uint64_t mask);

/// Whether the stream is for wide characters, and writes no bytes.
static inline bool stream_is_wide(const FILE *stream) {
  return __stream_any_wide && stream->orientation > 0;
}

/// The opcode of a family of three: for stdout, stderr, any other stream.
static inline rpc_opcode stream_opcode(const FILE *stream, rpc_opcode out,
                                       rpc_opcode err, rpc_opcode file) {
  return stream->tag == RPC_STREAM_STDOUT   ? out
         : stream->tag == RPC_STREAM_STDERR ? err
                                            : file;
}

/// Writes `size` bytes and, with `newline`, a newline. Returns the number of
/// bytes written, the newline included.
size_t __stream_write(FILE *, const void *data, size_t size, bool newline);

/// The next byte, or EOF. Called by one lane that holds the lock.
int __stream_get(FILE *);

/// The next wide character, or WEOF. What is no character is EILSEQ, an error
/// of the stream, and stays where it is. Behind it the whole character is in
/// the buffer, [position - its length, position). Called by one lane that holds
/// the lock.
wint_t __stream_get_wide(FILE *);

/// Sends the bytes in the buffer. All lanes of `mask` call this, and one of
/// them holds the lock. False after an error, with errno set.
bool __stream_send_pending(FILE *, uint64_t mask);

/// The same for any number of lanes; takes the lock itself.
bool __stream_flush(FILE *);

/// __stream_flush() of every stream.
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
