//===-- libc-shim/device/lock.h - Locks between waves ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is a word of device memory: 0 is free, 1 taken. One lane takes it for
// its wave. Two lanes of one wave must never wait for each other, because AMD's
// run in lockstep: the one that waits keeps the other from letting go. So the
// holder gives the lock up before it meets other lanes that may want it, and
// waits for nothing meanwhile but the host.
//
// The heap has locks of its own, see heap_slabs.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_LOCK_H
#define GPUEXEC_LIBC_LOCK_H

#include "libc-shim/device/wave.h"

// For one lane, and for locks that are taken rarely: little code, but each call
// has a fence that orders loads and stores in both directions.

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

// For all lanes of `mask`, which call these together; the first one takes and
// releases. These take little time: for locks that are taken often.

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
