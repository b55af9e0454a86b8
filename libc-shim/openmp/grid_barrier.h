//===-- libc-shim/openmp/grid_barrier.h - Waves that wait for each other --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier of `count` participants, each a wave or a block represented by one
// lane. It is one word. Its lower bits count arrivals; bit 31 is the phase,
// which changes when the last participant arrives. For that, participant 0 adds
// GRID_PHASE - (count - 1) and each other one adds 1, in any order. Waiting
// participants poll the same word, so the last arrival need not store a second
// one.
//
// Release and acquire: after the wait each participant sees all writes that the
// others made before they arrived.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_GRID_BARRIER_H
#define GPUEXEC_LIBC_GRID_BARRIER_H

#include "libc-shim/device/wave.h"

typedef struct {
  _Alignas(128) uint32_t word; ///< alone in its cache line
} grid_barrier;

enum { GRID_PHASE = 1u << 31, POLLS_BEFORE_NAPS = 100 };

/// The number that a participant adds when it arrives. `first` is true for
/// exactly one of the `count` participants.
static inline uint32_t grid_addend(bool first, uint32_t count) {
  return first ? GRID_PHASE - (count - 1) : 1;
}

/// Arrives at the barrier: adds the participant's grid_addend().
static inline void grid_arrive(grid_barrier *barrier, uint32_t add) {
#if RPC_PTX_ORDER
  __asm__ volatile("red.release.gpu.add.u32 [%0], %1;" ::"l"(&barrier->word),
                   "r"(add)
                   : "memory");
#else
  __scoped_atomic_fetch_add(&barrier->word, add, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_DEVICE);
#endif
}

/// Waits until all participants of the round have arrived. *phase is the phase
/// of this round, 0 in the first; it becomes that of the next round. Each
/// participant keeps its own copy, so the atomic of the arrival returns
/// nothing.
static inline void grid_wait(const grid_barrier *barrier, uint32_t *phase) {
  uint32_t now;
#if RPC_PTX_ORDER
  // An acquire invalidates the L1 cache, which other blocks of the
  // multiprocessor use too: so only the last load is one.
  do
    __asm__ volatile("ld.relaxed.gpu.u32 %0, [%1];"
                     : "=r"(now)
                     : "l"(&barrier->word)
                     : "memory");
  while (!((now ^ *phase) & GRID_PHASE));
  __asm__ volatile("ld.acquire.gpu.u32 %0, [%1];"
                   : "=r"(now)
                   : "l"(&barrier->word)
                   : "memory");
#else
  while (now = __scoped_atomic_load_n(&barrier->word, __ATOMIC_RELAXED,
                                      __MEMORY_SCOPE_DEVICE),
         !((now ^ *phase) & GRID_PHASE))
    __gpu_thread_suspend();
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  __asm__ volatile("" ::: "memory"); // see rpc_device_fence()
#endif
  *phase ^= GRID_PHASE;
}

/// All threads of a block meet. Threads that have ended are not waited for. On
/// NVIDIA lanes of a wave may come one by one, but to the same instruction:
/// there they wait for each other (WARPSYNC.ALL, then BAR.SYNC). The barrier
/// for lanes in different places, barrier.sync, costs a subroutine where lanes
/// have ended or come apart; and in one program, where they came apart, later
/// barriers did not hold (test/openmp/shared-arrays.c, H100).
static inline void block_meet(void) {
#ifdef __NVPTX__
  __asm__ volatile("bar.sync 0;" ::: "memory");
#else
  __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP);
  __builtin_amdgcn_s_barrier();
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP);
  __asm__ volatile("" ::: "memory"); // see rpc_device_fence()
#endif
}

/// store_release_word() and wait_for_change() pass a 64-bit word from one
/// thread to others, with release and acquire. wait_for_change() waits until
/// the word's upper half differs from `upper_half`, and returns the word.
static inline void store_release_word(uint64_t *word, uint64_t value) {
#if RPC_PTX_ORDER
  __asm__ volatile("st.release.gpu.u64 [%0], %1;" ::"l"(word), "l"(value)
                   : "memory");
#else
  rpc_device_fence();
  __scoped_atomic_store_n(word, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#endif
}
static inline uint64_t wait_for_change(const uint64_t *word,
                                       uint32_t upper_half) {
  uint64_t now;
#if RPC_PTX_ORDER
  for (uint32_t polls = 0;; ++polls) {
    __asm__ volatile("ld.relaxed.gpu.u64 %0, [%1];"
                     : "=l"(now)
                     : "l"(word)
                     : "memory");
    if (now >> 32 != upper_half)
      break;
    // A sleep takes as long as a short region, so it comes after many polls;
    // but without it the polls of hundreds of idle blocks delay the memory
    // accesses of the blocks that work.
    if (polls > POLLS_BEFORE_NAPS)
      __asm__ volatile("nanosleep.u32 500;" ::: "memory");
  }
  __asm__ volatile("ld.acquire.gpu.u64 %0, [%1];"
                   : "=l"(now)
                   : "l"(word)
                   : "memory");
  return now;
#else
  while (now = __scoped_atomic_load_n(word, __ATOMIC_RELAXED,
                                      __MEMORY_SCOPE_DEVICE),
         now >> 32 == upper_half)
    __gpu_thread_suspend();
  rpc_device_fence();
  return now;
#endif
}

#endif
