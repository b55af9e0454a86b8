//===-- libc-shim/stdio/flockfile.c - Streams held between calls ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The holder of a stream is a wave rather than a lane, because lanes of one
// wave must not wait for each other (device/lock.h). A thread of <pthread.h>
// has a wave to itself. In programs that link this file, every function of
// stdio holds its stream during the call.
//
// stream->held is 0 while nobody holds the stream. Its high half is the
// holder's number (wave + 1), its low half the number of times that lanes of
// the wave have taken the stream and not yet given it back.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/stream.h"
#include "libc-shim/threads/wait.h"

enum { WAVE_SHIFT = 32 };

static uint64_t own_wave(void) {
  return (uint64_t)(rpc_this_wave().number + 1) << WAVE_SHIFT;
}
static bool is_held_by_other(uint64_t held) {
  return held && held >> WAVE_SHIFT != own_wave() >> WAVE_SHIFT;
}

/// Takes the stream for `lanes` lanes of this wave. False if another wave holds
/// it.
static bool try_take(FILE *stream, uint32_t lanes) {
  uint64_t held = __scoped_atomic_load_n(&stream->held, __ATOMIC_RELAXED,
                                         __MEMORY_SCOPE_DEVICE);
  do {
    if (is_held_by_other(held))
      return false;
  } while (!__scoped_atomic_compare_exchange_n(
      &stream->held, &held, (held ? held : own_wave()) + lanes, 0,
      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));
  return true;
}

static void take(FILE *stream, uint64_t mask) {
  if (__gpu_is_first_in_lane(mask)) {
    const uint32_t lanes = (uint32_t)__builtin_popcountll(mask);
    if (!try_take(stream, lanes)) {
      wait waiting = {.function = "flockfile", .object = stream};
      WAIT_UNTIL(try_take(stream, lanes), &waiting);
    }
  }
  __gpu_sync_lane(mask);
}

/// Does nothing when the wave does not hold the stream.
static void give_back(FILE *stream, uint64_t mask) {
  __gpu_sync_lane(mask);
  if (__gpu_is_first_in_lane(mask)) {
    const uint32_t lanes = (uint32_t)__builtin_popcountll(mask);
    uint64_t held = __scoped_atomic_load_n(&stream->held, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_DEVICE);
    while (held && !is_held_by_other(held) &&
           !__scoped_atomic_compare_exchange_n(
               &stream->held, &held, (uint32_t)held > lanes ? held - lanes : 0,
               0, __ATOMIC_RELEASE, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
      ;
  }
  __gpu_sync_lane(mask);
}

/// A constructor, so that every call of stdio in the program holds its stream,
/// not only calls that begin after the first flockfile().
__attribute__((constructor(101))) static void begin(void) {
  __stream_take = take;
  __stream_give_back = give_back;
}

void flockfile(FILE *stream) {
  FOR_EACH_GROUP(mask, rpc_lane_mask(), (uint64_t)stream) {
    take(stream, mask);
  }
}

int ftrylockfile(FILE *stream) { return try_take(stream, 1) ? 0 : -1; }

void funlockfile(FILE *stream) {
  FOR_EACH_GROUP(mask, rpc_lane_mask(), (uint64_t)stream) {
    give_back(stream, mask);
  }
}
