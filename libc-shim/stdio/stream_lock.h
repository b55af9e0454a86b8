//===-- libc-shim/stdio/stream_lock.h - One wave at a time in a stream ----===//
// WITH_STREAM(stream) { ... } runs its body once for every group of lanes that
// name the same stream, holding that stream's lock, which one lane takes for
// all. In the body `stream_mask` is the group; the body must neither leave it
// (no return, break or goto out) nor wait for another wave other than through
// a port.
//
// WITH_EACH_LANE(mask) { ... } then runs its body for one lane after the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_STREAM_LOCK_H
#define GPUEXEC_LIBC_STREAM_LOCK_H

#include "libc-shim/stdio/stream.h"

static inline void stream_lock(FILE *stream, uint64_t mask) {
  if (__gpu_is_first_in_lane(mask))
    while (rpc_exchange_acquire(&stream->lock, 1))
      // Looking only: an exchange takes the word from who is to let go of it.
      do
        __gpu_thread_suspend();
      while (__scoped_atomic_load_n(&stream->lock, __ATOMIC_RELAXED,
                                    __MEMORY_SCOPE_DEVICE));
  __gpu_sync_lane(mask);
}

static inline void stream_unlock(FILE *stream, uint64_t mask) {
  __gpu_sync_lane(mask);
  if (__gpu_is_first_in_lane(mask))
    rpc_store_release(&stream->lock, 0);
  __gpu_sync_lane(mask);
}

#define WITH_STREAM(stream)                                                    \
  for (uint64_t stream_all = rpc_lane_mask(), stream_left = stream_all,        \
                stream_mask = 0;                                               \
       stream_left && ((stream_mask = __call_group(stream_all, stream_left,    \
                                                   (uint64_t)(stream))),       \
                       1);                                                     \
       stream_left &= ~stream_mask, __gpu_sync_lane(stream_all))               \
    if (stream_mask >> __gpu_lane_id() & 1)                                    \
      for (int stream_once = (stream_lock((stream), stream_mask), 1);          \
           stream_once;                                                        \
           stream_once = (stream_unlock((stream), stream_mask), 0))

#define WITH_EACH_LANE(mask)                                                   \
  for (uint64_t lanes_left = (mask); lanes_left;                               \
       lanes_left &= lanes_left - 1, __gpu_sync_lane(mask))                    \
    if (__gpu_lane_id() == (uint32_t)__builtin_ctzll(lanes_left))

#endif
