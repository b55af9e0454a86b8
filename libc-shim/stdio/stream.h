//===-- libc-shim/stdio/stream.h - A stream's device side -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of stdio. A stream belongs to the host. The device keeps
// its handle, bytes read ahead, and bytes written but not yet sent, and
// accesses them under the stream's lock. One lane takes the lock for a group of
// lanes (stream_lock.h), so that no lane waits for one of its own wave.
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
  // [out, out + out_used) is written but not sent: text and, between it,
  // records (record.h).
  unsigned char *out;
  uint64_t out_used;
  /// RPC_BUFFERED() of `out` for the host, which prints what is buffered after
  /// a device fault. Only stdout has one, and its buffer is in host memory.
  uint64_t *host_used;
  uint32_t out_capacity;
  uint32_t mode; ///< stream_mode of output
  /// How far a thread that is alone may fill `out` without looking at anything
  /// else, with text and with records (quick.h); or 0.
  uint32_t quick, quick_records;
  uint32_t last_record; ///< where the last record in `out` begins, plus 1; or 0
  uint32_t record_end;  ///< where it ends

  uint64_t handle; ///< the host's number of the stream; 0 for a standard stream
  uint32_t tag;    ///< RPC_STREAM_* of a standard stream, else 0
  uint32_t lock;
  bool at_end, failed;     ///< feof(), ferror()
  bool no_read_ahead;      ///< setvbuf(_IONBF)
  bool read_only;          ///< opened by "r": `mode` stays STREAM_NONE
  bool out_owned;          ///< `out` is from malloc
  bool goes_on;            ///< of a send: more will be written to the buffer
  signed char orientation; ///< as fwide() returns it
  struct own_stream *own;  ///< own_stream.h; null for a stream of the host
  uint64_t held;           ///< the holder, see flockfile.c; 0: nobody
  // [position, end) of `in` has been read ahead.
  unsigned char *in;
  uint32_t in_capacity, position, end;
  struct __gpuexec_file *next, *previous; ///< in __stream_list
};

/// All open streams, except the standard ones.
extern FILE *__stream_list;

/// Flushes all streams of that list, which is locked meanwhile. False after an
/// error, with errno.
bool __stream_flush_list(void);

/// Add a stream to that list and remove it.
void __stream_link(FILE *stream);
void __stream_unlink(FILE *stream);

// The __own_stream_* functions take the place of calls of the host for streams
// without a file of the host (own_stream.h). A program that makes no such
// stream has none of their code.

/// Return the number of bytes read or written; after an error also set the
/// stream's `failed` and errno. Called under the lock: the first by one lane,
/// the second by any number.
size_t __own_stream_read(FILE *, void *, size_t);
size_t __own_stream_write(FILE *, const void *, size_t);
/// The new position, or -1 with errno.
off_t __own_stream_seek(FILE *, off_t, int whence);
/// Called by fflush() after it has written the device's buffer.
void __own_stream_sync(FILE *);
/// Closes the stream and returns the result of fclose(). After that the stream
/// must be freed.
int __own_stream_close(FILE *);
int __own_stream_print(FILE *, const char *format, va_list);

/// The word that names a stream in a packet: see spec section 3.2.
static inline uint64_t stream_tagged(const FILE *stream) {
  return stream->handle | stream->tag;
}

/// Called by functions for bytes: makes a stream without orientation one for
/// bytes.
static inline void stream_takes_bytes(FILE *stream) {
  if (!stream->orientation)
    stream->orientation = -1;
}

/// True once any stream has a wide orientation. In a program without functions
/// for wide streams nothing sets it, and the link-time optimiser removes the
/// tests of it.
extern bool __stream_any_wide;

/// Sends a buffer that has records. Called by one lane that holds the lock; the
/// result is below 0 after an error, with errno. The first record sets it: in a
/// program without printf it is null, and the link-time optimiser removes what
/// is only for records.
extern int (*__stream_send_records)(FILE *);

/// How far a thread may write by quick.h when something has just been appended
/// to the buffer.
static inline uint32_t stream_quick(const FILE *stream) {
  return stream->mode == STREAM_FULL && stream->orientation < 0 && !stream->own
             ? stream->out_capacity
             : 0;
}

/// Makes the next write look at the stream. For who changes what stream_quick()
/// looks at.
static inline void stream_not_quick(FILE *stream) {
  stream->quick = stream->quick_records = 0;
}

/// Does the stream's buffer have records?
static inline bool stream_has_records(const FILE *stream) {
  return __stream_send_records && stream->last_record;
}

/// __stream_take() makes the calling wave the holder of the stream; it waits
/// while another wave is. __stream_give_back() ends that. All lanes of `mask`
/// call these together. flockfile.c sets them in a program that calls
/// flockfile(). In other programs they are null, and the link-time optimiser
/// removes the calls. __stream_take is null again when the program ends, so
/// that its last flush waits for no holder.
extern void (*__stream_take)(FILE *, uint64_t mask);
extern void (*__stream_give_back)(FILE *, uint64_t mask);

/// Is the stream for wide characters? Functions that write bytes then fail.
static inline bool stream_is_wide(const FILE *stream) {
  return __stream_any_wide && stream->orientation > 0;
}

/// Chooses one of three opcodes: for stdout, for stderr, for any other stream.
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

/// The next wide character, or WEOF. Bytes that are no character set the
/// stream's `failed` and errno to EILSEQ and are not consumed. After a
/// character its bytes are still in the buffer, before `position`, so that it
/// can be given back. Called by one lane that holds the lock.
wint_t __stream_get_wide(FILE *);

/// Sends the buffered bytes to the host. All lanes of `mask` call this, and one
/// of them holds the lock. False after an error, with errno.
bool __stream_send_pending(FILE *, uint64_t mask);

/// Sets the number of buffered bytes. Called by one lane that holds the lock.
void __stream_set_used(FILE *, uint64_t used);

/// Chooses the mode of buffering, and the buffer, if the stream has none yet.
/// All lanes of `mask` call this, and one of them holds the lock.
void __stream_settle(FILE *, uint64_t mask);

/// Sums of `value` over the lanes of `mask` below this one, and over all.
void __stream_sums(uint64_t mask, uint32_t value, uint32_t *before,
                   uint32_t *total);

/// __stream_send_pending() for any number of lanes; takes the lock itself.
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
