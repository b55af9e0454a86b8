//===-- libc-shim/threads/owner.h - Who holds a lock ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks note who holds them by a number: the lane's wave and its place there,
// from 1, and above these 32 bits the thread that runs in the wave, which is
// not the last one to do so.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREADS_OWNER_H
#define GPUEXEC_LIBC_THREADS_OWNER_H

#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/device/wave.h"

enum { MOST_LANES = 64 };

static inline unsigned long own_number(void) {
  const uint32_t wave = rpc_this_wave().number;
  const uint32_t thread =
      __gpuexec_thread_numbers ? __gpuexec_thread_numbers[wave] : 0;
  return (unsigned long)thread << 32 |
         (wave * MOST_LANES + __gpu_lane_id() + 1);
}
static inline uint32_t wave_of_number(unsigned long number) {
  return ((uint32_t)number - 1) / MOST_LANES;
}
/// In programs that create threads: which thread, as they are counted.
static inline uint32_t thread_of_number(unsigned long number) {
  return (uint32_t)(number >> 32);
}
static inline bool is_in_own_wave(unsigned long number) {
  return wave_of_number(number) == rpc_this_wave().number;
}

/// Makes `*word` `self` if it is 0; else what it is.
static inline unsigned long take_for_owner(unsigned long *word,
                                           unsigned long self) {
  unsigned long before = 0;
  __scoped_atomic_compare_exchange_n(word, &before, self, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  return before;
}
static inline void release_by_owner(unsigned long *word) {
  __scoped_atomic_store_n(word, 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}
static inline unsigned long owner_of(const unsigned long *word) {
  return __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

#endif
