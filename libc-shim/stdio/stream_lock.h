//===-- libc-shim/stdio/stream_lock.h - One wave at a time in a stream ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WITH_STREAM(stream) { ... } runs its body once for every group of lanes that
// name the same stream, under the stream's lock, and while no other wave holds
// the stream by flockfile(). In the body `stream_mask` is the group. The body
// must not be left by return, break or goto, and must wait for nothing but the
// host.
//
// WHILE_OURS(stream) { ... } runs its body for every group of lanes while no
// other wave holds the stream by flockfile(), but without the lock: for code
// that does not use the stream's buffer. It costs time and code: only to be
// used when __stream_take is set.
//
// FOR_EACH_LANE(stream_mask) { ... } inside runs its body for one lane after
// the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_STREAM_LOCK_H
#define GPUEXEC_LIBC_STREAM_LOCK_H

#include "libc-shim/device/lock.h"
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/stdio/stream.h"

#define WITH_STREAM(stream)                                                    \
  FOR_EACH_GROUP(stream_mask, rpc_lane_mask(), (uint64_t)(stream))             \
  for (int stream_once = (stream_lock(stream, stream_mask), 1); stream_once;   \
       stream_once = (stream_unlock(stream, stream_mask), 0))

#define WHILE_OURS(stream)                                                     \
  FOR_EACH_GROUP(stream_mask, rpc_lane_mask(), (uint64_t)(stream))             \
  for (int stream_once = (__stream_take(stream, stream_mask), 1); stream_once; \
       stream_once = (__stream_give_back(stream, stream_mask), 0))

/// May several threads of the grid use streams? A thread that is alone takes no
/// lock: that would be most of the time of a small write.
static inline bool stream_may_be_shared(void) {
  return __gpuexec_has_threads ? __gpuexec_created_threads
                               : !grid_has_one_thread();
}

/// Called by all lanes of `mask` together.
static inline void stream_lock(FILE *stream, uint64_t mask) {
  if (__stream_take)
    __stream_take(stream, mask);
  if (stream_may_be_shared())
    lock_take_for(&stream->lock, mask);
}
static inline void stream_unlock(FILE *stream, uint64_t mask) {
  if (stream_may_be_shared())
    lock_release_for(&stream->lock, mask);
  if (__stream_take)
    __stream_give_back(stream, mask);
}

#endif
