//===-- libc-shim/threads/owner.h - Who holds a lock ----------------------===//
// Locks note who holds them by a number of the lane: its wave and its place
// there, from 1.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREADS_OWNER_H
#define GPUEXEC_LIBC_THREADS_OWNER_H

#include "libc-shim/device/wave.h"

enum { MOST_LANES = 64 };

static inline unsigned long own_number(void) {
  return (unsigned long)rpc_this_wave().number * MOST_LANES + __gpu_lane_id() +
         1;
}
static inline uint32_t wave_of_number(unsigned long number) {
  return (uint32_t)((number - 1) / MOST_LANES);
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
