//===-- libc-shim/stdio/stream_lock.h - One wave at a time in a stream ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WITH_STREAM(stream) { ... } runs its body once for every group of lanes that
// name the same stream, under the stream's lock. In the body `stream_mask` is
// the group. The body must not be left by return, break or goto, and must wait
// for nothing but the host.
//
// FOR_EACH_LANE(stream_mask) { ... } inside runs its body for one lane after
// the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_STREAM_LOCK_H
#define GPUEXEC_LIBC_STREAM_LOCK_H

#include "libc-shim/device/lock.h"
#include "libc-shim/stdio/stream.h"

#define WITH_STREAM(stream)                                                    \
  FOR_EACH_GROUP(stream_mask, rpc_lane_mask(), (uint64_t)(stream))             \
  for (int stream_once = (lock_take_for(&(stream)->lock, stream_mask), 1);     \
       stream_once;                                                            \
       stream_once = (lock_release_for(&(stream)->lock, stream_mask), 0))

#endif
