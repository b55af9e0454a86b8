//===-- libc-shim/device/lock.h - Locks between waves ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is a word of device memory: 0 is free, 1 taken. One lane takes it for
// its wave. Two lanes of one wave must never wait for each other: AMD's lanes
// run in lockstep, so a lane that waits keeps the holder from releasing. So the
// holder releases the lock before it reconverges with lanes that may want it,
// and while it holds the lock it waits for nothing but the host.
//
// The heap has locks of its own, see heap_slabs.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_LOCK_H
#define GPUEXEC_LIBC_LOCK_H

#include "libc-shim/device/wave.h"

// The next three are called by one lane. They are small but slow (each has a
// fence that is both acquire and release): for locks that are taken rarely.

/// Takes the lock if it is free.
static inline bool lock_try(uint32_t *lock) {
  if (__scoped_atomic_exchange_n(lock, 1, __ATOMIC_RELAXED,
                                 __MEMORY_SCOPE_DEVICE))
    return false;
  rpc_device_fence();
  return true;
}

/// Waits until the lock is free and takes it.
static inline void lock_take(uint32_t *lock) {
  while (__scoped_atomic_exchange_n(lock, 1, __ATOMIC_RELAXED,
                                    __MEMORY_SCOPE_DEVICE))
    __gpu_thread_suspend();
  rpc_device_fence();
}

static inline void lock_release(uint32_t *lock) {
  rpc_device_fence();
  __scoped_atomic_store_n(lock, 0, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

/// Runs its body under the lock, one lane after the other; do not leave the
/// body by a jump.
#define ONE_LANE_WITH(lock)                                                    \
  for (uint64_t lock_lanes = rpc_lane_mask(); lock_lanes; lock_lanes = 0)      \
    FOR_EACH_LANE(lock_lanes)                                                  \
  for (int lock_once = (lock_take(lock), 1); lock_once;                        \
       lock_once = (lock_release(lock), 0))

// All lanes of `mask` call these two together; the first lane takes and
// releases the lock for them. They are fast: for locks that are taken often.

static inline void lock_take_for(uint32_t *lock, uint64_t mask) {
  if (__gpu_is_first_in_lane(mask))
    while (rpc_exchange_acquire(lock, 1))
      // Loads only: an exchange takes the cache line from the holder.
      do
        __gpu_thread_suspend();
      while (__scoped_atomic_load_n(lock, __ATOMIC_RELAXED,
                                    __MEMORY_SCOPE_DEVICE));
  __gpu_sync_lane(mask);
}

static inline void lock_release_for(uint32_t *lock, uint64_t mask) {
  __gpu_sync_lane(mask);
  if (__gpu_is_first_in_lane(mask))
    rpc_store_release(lock, 0);
  __gpu_sync_lane(mask);
}

#endif
