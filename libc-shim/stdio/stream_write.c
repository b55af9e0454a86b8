//===-- libc-shim/stdio/stream_write.c - Output ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stream.h. Lanes of a wave that write together take the lock once and
// append to the buffer in lane order. A full buffer is sent to the host in one
// call. Large writes bypass the buffer.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/closed_pipe.h"
#include "libc-shim/device/if_linked.h"
#include "libc-shim/device/known_call.h"
#include "libc-shim/stdio/quick.h"
#include "libc-shim/stdio/stream_lock.h"
#include <stdlib.h>
#include <string.h>

enum { FILE_BUFFER = 8192, DIRECT_SIZE = 8192 };
/// Larger writes are better copied by copy() below.
enum { QUICK_BYTES = 256 };

static size_t note_result(FILE *stream, host_reply reply, size_t size) {
  if (reply.words[0] < size) {
    stream->failed = true;
    if (reply.error)
      note_host_error(reply.error);
  }
  return reply.words[0];
}

KNOWN_CALL size_t __stream_send_bulk(FILE *stream, const void *data,
                                     size_t size) {
  return note_result(stream,
                     __host_call(RPC_BULK_WRITE_STREAM, stream_tagged(stream),
                                 (uint64_t)data, size),
                     size);
}

/// Sends the `data` of each lane to the host without the buffer.
static __attribute__((noinline)) size_t send(FILE *stream, const void *data,
                                             size_t size) {
  if (stream->own)
    return __own_stream_write(stream, data, size);
  if (rpc_use_bulk(data, size))
    return __stream_send_bulk(stream, data, size);
  rpc_opcode opcode = stream_opcode(stream, RPC_WRITE_TO_STDOUT,
                                    RPC_WRITE_TO_STDERR, RPC_WRITE_TO_STREAM);
  host_message message = {.handle = stream->handle, .data = data, .size = size};
  return note_result(
      stream,
      __host_send(opcode, opcode == RPC_WRITE_TO_STREAM ? HOST_FORM_HANDLE : 0,
                  &message),
      size);
}

void __stream_set_used(FILE *stream, uint64_t used) {
  stream->out_used = used;
  if (__stream_send_records)
    used = RPC_BUFFERED(used, stream->last_record);
  // Relaxed: the host reads it when the device has stopped.
  if (stream->host_used)
    __scoped_atomic_store_n(stream->host_used, used, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_SYSTEM);
}

__attribute__((noinline)) bool __stream_send_pending(FILE *stream,
                                                     uint64_t mask) {
  bool good = true;
  if (stream->out_used) { // the same for all lanes
    if (__gpu_is_first_in_lane(mask)) {
      const uint64_t size = stream->out_used;
      if (stream_has_records(stream)) {
        good = __stream_send_records(stream) >= 0;
      } else if (stream->host_used) {
        // Release: the call orders device memory only; this buffer is in host
        // memory.
        __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
        good = __stream_send_bulk(stream, stream->out, size) == size;
      } else {
        good = send(stream, stream->out, size) == size;
      }
      __stream_set_used(stream, 0);
    }
    __gpu_sync_lane(mask);
  }
  return good;
}

__attribute__((noinline)) bool __stream_flush(FILE *stream) {
  bool good = true;
  WITH_STREAM(stream) { good = __stream_send_pending(stream, stream_mask); }
  return good;
}

bool __stream_flush_all(void) {
  bool good = __stream_flush(stdout);
  return __stream_flush_list() && good;
}

/// __stream_settle() by one lane, of a stream that may have no buffer.
static __attribute__((noinline)) void settle_mode(FILE *stream) {
  if (stream->mode == STREAM_MODE_UNKNOWN) {
    if (stream->tag == RPC_STREAM_STDERR || !HOST_HAS_POSIX())
      stream->mode = STREAM_NONE;
    else if (stream->tag == RPC_STREAM_STDOUT)
      stream->mode = __host_call(RPC_ISATTY, 1, 0, 0).words[0] == 1
                         ? STREAM_LINE
                         : STREAM_FULL;
    else
      stream->mode = STREAM_FULL;
  }
  if (stream->mode == STREAM_NONE || stream->out)
    return;
  rpc_output *output =
      (rpc_output *)RPC_FILLED_IN(__gpuexec_rpc_extensions).output;
  if (stream->tag == RPC_STREAM_STDOUT && output) {
    stream->host_used = &output->used;
    stream->out = output->text;
    stream->out_capacity = RPC_OUTPUT_BYTES;
  } else if ((stream->out = __heap_malloc_if_any(FILE_BUFFER))) {
    stream->out_capacity = FILE_BUFFER;
    stream->out_owned = true;
  } else {
    stream->mode = STREAM_NONE;
  }
}

void __stream_settle(FILE *stream, uint64_t mask) {
  if (stream->mode == STREAM_MODE_UNKNOWN || !stream->out) {
    if (__gpu_is_first_in_lane(mask))
      settle_mode(stream);
    __gpu_sync_lane(mask);
  }
}

/// memcpy() that issues all loads of a block before the first store. A loop
/// with one load and one store waits for memory in every iteration.
static void copy(unsigned char *to, const unsigned char *from, size_t size) {
  typedef uint64_t wide __attribute__((vector_size(16)));
  enum { WIDE = 16 };
  if (!(((uintptr_t)to | (uintptr_t)from) % sizeof(wide)))
    for (; size >= WIDE * sizeof(wide); size -= WIDE * sizeof(wide)) {
      wide block[WIDE];
#pragma unroll
      for (int i = 0; i < WIDE; ++i)
        block[i] = ((const wide *)from)[i];
#pragma unroll
      for (int i = 0; i < WIDE; ++i)
        ((wide *)to)[i] = block[i];
      to += WIDE * sizeof(wide), from += WIDE * sizeof(wide);
    }
  if (!(((uintptr_t)to | (uintptr_t)from) % sizeof(uint64_t)))
    for (; size >= 8 * sizeof(uint64_t); size -= 8 * sizeof(uint64_t)) {
      uint64_t block[8];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        block[i] = ((const uint64_t *)from)[i];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        ((uint64_t *)to)[i] = block[i];
      to += 8 * sizeof(uint64_t), from += 8 * sizeof(uint64_t);
    }
  memcpy(to, from, size);
}

void __stream_sums(uint64_t mask, uint32_t value, uint32_t *before,
                   uint32_t *total) {
  *before = 0, *total = value;
  if (!(mask & (mask - 1)))
    return;
  uint32_t lanes = __gpu_num_lanes(), lane = __gpu_lane_id();
  if (mask == (lanes == 64 ? ~0ull : (1ull << lanes) - 1)) {
    uint32_t sum = value; // of this lane and those below
    for (uint32_t step = 1; step < lanes; step *= 2) {
      uint32_t theirs = __gpu_shuffle_idx_u32(
          mask, lane >= step ? lane - step : lane, sum, lanes);
      if (lane >= step)
        sum += theirs;
    }
    *before = sum - value;
    *total = __gpu_shuffle_idx_u32(mask, lanes - 1, sum, lanes);
    return;
  }
  *total = 0;
  for (uint64_t left = mask; left; left &= left - 1) {
    uint32_t other = (uint32_t)__builtin_ctzll(left);
    uint32_t theirs = __gpu_shuffle_idx_u32(mask, other, value, lanes);
    if (other < lane)
      *before += theirs;
    *total += theirs;
  }
}

/// Appends the bytes of all lanes of `mask` in lane order. `before` is the
/// number of bytes of the lanes below, `total` that of all.
static __attribute__((noinline)) void append(FILE *stream, uint64_t mask,
                                             const void *data, size_t size,
                                             bool newline, uint32_t before,
                                             uint32_t total) {
  unsigned char *to = stream->out + stream->out_used + before;
  copy(to, data, size);
  if (newline)
    to[size] = '\n';
  __gpu_sync_lane(mask);
  if (__gpu_is_first_in_lane(mask)) {
    __stream_set_used(stream, stream->out_used + total);
    stream->quick = stream_quick(stream);
#ifdef __NVPTX__
    __stream_functions = (stream_functions){__stream_flush, __stream_flush_all};
#endif
  }
  __gpu_sync_lane(mask);
}

/// Sends a large write of a single lane without copying it. One megabyte takes
/// 30 us on an H200; the code in __stream_write would add 2 us.
static __attribute__((noinline)) size_t
write_large(FILE *stream, const void *data, size_t size) {
  // The mask is this lane alone, not rpc_lane_mask(): on NVIDIA other active
  // lanes may be here with other streams, see rpc_lanes_of().
  const uint64_t mask = 1ull << __gpu_lane_id();
  stream_lock(stream, mask);
  if (stream->mode == STREAM_MODE_UNKNOWN || !stream->out)
    settle_mode(stream);
  if (stream->out_used)
    __stream_send_pending(stream, mask);
  const size_t result = __stream_send_bulk(stream, data, size);
  stream_unlock(stream, mask);
  return result;
}

static bool has_newline(const void *data, size_t size) {
  return memchr(data, '\n', size) != NULL;
}

/// Sends the bytes and the newline in one message to the host.
static size_t send_line(FILE *stream, const void *data, size_t size) {
  host_message message = {.data = data, .size = size};
  return note_result(
      stream, __host_send(RPC_WRITE_TO_STDOUT_NEWLINE, 0, &message), size + 1);
}

/// send() or send_line() while the wave holds the stream; for programs with
/// flockfile().
static __attribute__((noinline)) size_t
send_when_ours(FILE *stream, const void *data, size_t size, bool newline) {
  size_t result = 0;
  WHILE_OURS(stream) {
    result = newline ? send_line(stream, data, size) : send(stream, data, size);
  }
  return result;
}

__attribute__((noinline)) size_t __stream_write(FILE *stream, const void *data,
                                                size_t size, bool newline) {
  stream_takes_bytes(stream);
  // An own stream (own_stream.h) is not written here but below, under its lock.
  if (stream->mode == STREAM_NONE && !stream->own &&
      (!newline || stream->tag == RPC_STREAM_STDOUT)) {
    if (__stream_take)
      return send_when_ours(stream, data, size, newline);
    return newline ? send_line(stream, data, size) : send(stream, data, size);
  }
  const uint64_t alone = rpc_lane_mask();
  if (!(alone & (alone - 1)) && size >= DIRECT_SIZE && !newline &&
      !stream->own && rpc_use_bulk(data, size))
    return write_large(stream, data, size);
  size_t result = size + newline;
  WITH_STREAM(stream) {
    __stream_settle(stream, stream_mask);
    uint32_t before, total;
    __stream_sums(stream_mask,
                  size < 1u << 20 ? (uint32_t)size + newline : 1u << 20,
                  &before, &total);
    if (stream->out_used + total > stream->out_capacity)
      if (!__stream_send_pending(stream, stream_mask))
        result = 0;
    if (total <= stream->out_capacity) {
      append(stream, stream_mask, data, size, newline, before, total);
      if (stream->mode == STREAM_LINE &&
          __gpu_ballot(stream_mask, newline || has_newline(data, size)) &&
          !__stream_send_pending(stream, stream_mask))
        result = 0;
    } else {
      result = send(stream, data, size);
      if (newline && result == size) {
        // Past the buffer, which is empty now.
        FOR_EACH_LANE(stream_mask) { result += send(stream, "\n", 1); }
      }
    }
  }
  return result;
}

//===-- Functions of C ----------------------------------------------------===//

// Each first tries what is quick (quick.h) and then the general way, in a
// function of its own.

static __attribute__((noinline, minsize)) size_t
write_objects(const void *data, size_t size, size_t count, FILE *stream) {
  size_t all = size * count;
  if (!all || stream_is_wide(stream))
    return 0;
  size_t written = __stream_write(stream, data, all, false);
  return written == all ? count : written / size;
}

__attribute__((noinline)) size_t fwrite(const void *restrict data, size_t size,
                                        size_t count, FILE *restrict stream) {
  const uint64_t all = size * count;
  const quick_state state = quick_look(stream);
  if ((all - 1 < QUICK_BYTES) & quick_has_room(&state, all)) {
    quick_copy(state.out + state.used, data, (uint32_t)all);
    quick_set_used(stream, &state, state.used + all, state.last_record);
    return count;
  }
  return write_objects(data, size, count, stream);
}

/// Appends a string and, with `newline`, a newline. Returns the number of
/// bytes, or -1: nothing has been printed.
QUICK int quick_text(FILE *stream, const char *text, bool newline) {
  const quick_state state = quick_look(stream);
  if (!quick_has_room(&state, 0))
    return -1;
  const uint32_t room = state.quick - (uint32_t)state.used;
  unsigned char *const to = state.out + state.used;
  unsigned char *end = quick_copy_string(
      to, to + (room < QUICK_BYTES ? room : QUICK_BYTES), text);
  if (!end)
    return -1;
  if (newline)
    *end++ = '\n';
  quick_set_used(stream, &state, state.used + (uint64_t)(end - to),
                 state.last_record);
  return (int)(end - to);
}

static __attribute__((noinline, minsize)) int write_string(const char *text,
                                                           FILE *stream) {
  if (stream_is_wide(stream))
    return EOF;
  size_t size = strlen(text);
  return __stream_write(stream, text, size, false) == size ? 1 : EOF;
}

__attribute__((noinline)) int fputs(const char *restrict text,
                                    FILE *restrict stream) {
  return quick_text(stream, text, false) < 0 ? write_string(text, stream) : 1;
}

static __attribute__((noinline, minsize)) int write_line(const char *text) {
  if (stream_is_wide(stdout))
    return EOF;
  size_t size = strlen(text);
  if (__stream_write(stdout, text, size, true) != size + 1)
    return EOF;
  return size > 0x7ffffffe ? 0x7fffffff : (int)size + 1;
}

__attribute__((noinline)) int puts(const char *text) {
  const int size = quick_text(stdout, text, true);
  return size < 0 ? write_line(text) : size;
}

static __attribute__((noinline, minsize)) int write_byte(int c, FILE *stream) {
  if (stream_is_wide(stream))
    return EOF;
  unsigned char byte = (unsigned char)c;
  return __stream_write(stream, &byte, 1, false) == 1 ? byte : EOF;
}

QUICK int put_byte(int c, FILE *stream) {
  const quick_state state = quick_look(stream);
  if (!quick_has_room(&state, 1))
    return write_byte(c, stream);
  state.out[state.used] = (unsigned char)c;
  quick_set_used(stream, &state, state.used + 1, state.last_record);
  return (unsigned char)c;
}

__attribute__((noinline)) int fputc(int c, FILE *stream) {
  return put_byte(c, stream);
}
int putc(int c, FILE *stream) { return fputc(c, stream); }
__attribute__((noinline)) int putchar(int c) { return put_byte(c, stdout); }
