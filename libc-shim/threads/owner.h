//===-- libc-shim/threads/owner.h - Who holds a lock ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock stores the number of its holder; 0 is free. Bits 0 to 31 name the
// lane: wave * MOST_LANES + lane + 1. Bits 32 to 63 are the number of the
// thread that runs in the wave, in programs that create threads: a wave may run
// several, one after the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREADS_OWNER_H
#define GPUEXEC_LIBC_THREADS_OWNER_H

#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/device/wave.h"
#include "libc-shim/threads/wait.h"

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
/// The thread's number in the order of creation (1: main); 0 in programs that
/// create none.
static inline uint32_t thread_of_number(unsigned long number) {
  return (uint32_t)(number >> 32);
}
static inline bool is_in_own_wave(unsigned long number) {
  return wave_of_number(number) == rpc_this_wave().number;
}

/// Ends the program with a message if `owner` is a lane of the calling wave: in
/// lockstep it never releases the lock while a lane of its wave waits. Programs
/// that create threads run one lane in each wave; there a thread that ended
/// with the lock may have had the same wave, and deadlock.c tells of it. Where
/// there are handlers of signals, one of them may end the wait.
static inline void check_holder(unsigned long owner, const char *function) {
  if (owner && is_in_own_wave(owner) && !__gpuexec_has_threads &&
      !__gpuexec_interruption)
    __gpuexec_waits_in_wave(function);
}
/// The same while a lane waits: another lane of its wave may have taken the
/// lock meanwhile. On NVIDIA lanes go on independently.
static inline void check_new_holder(unsigned long owner, const char *function) {
#ifdef __AMDGPU__
  check_holder(owner, function);
#else
  (void)owner, (void)function;
#endif
}

/// Stores `self` in *word if that is 0. Returns the value before: 0 if the
/// caller has taken the lock, else the holder's number.
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
