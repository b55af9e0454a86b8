//===-- libc-shim/openmp/grid_barrier.h - Waves that wait for each other --===//
// A barrier of `count` participants, each a wave or a block represented by one
// lane. It is one word. Its lower bits count arrivals; bit 31 is the phase, and
// changes when the last participant arrives: participant 0 adds what carries
// into it. The waiting participants poll the word that is counted in, and no
// second word has to travel between the last arrival and the others.
//
// Release and acquire: what a participant did before it arrived is seen by all
// after they have waited.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_GRID_BARRIER_H
#define GPUEXEC_LIBC_GRID_BARRIER_H

#include "libc-shim/device/wave.h"

typedef struct {
  _Alignas(128) uint32_t word; ///< alone in its cache line
} grid_barrier;

enum { GRID_PHASE = 1u << 31 };

/// Counts this participant; `first` is true for one of the `count`. Returns
/// what grid_wait() needs.
static inline uint32_t grid_arrive(grid_barrier *barrier, bool first,
                                   uint32_t count) {
  const uint32_t add = first ? GRID_PHASE - (count - 1) : 1;
#if RPC_PTX_ORDER
  uint32_t before;
  __asm__ volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                   : "=r"(before)
                   : "l"(&barrier->word), "r"(add)
                   : "memory");
  return before;
#else
  return __scoped_atomic_fetch_add(&barrier->word, add, __ATOMIC_RELEASE,
                                   __MEMORY_SCOPE_DEVICE);
#endif
}

/// Has everybody arrived that grid_arrive() has counted in this round? Without
/// an order; grid_acquire() afterwards.
static inline bool grid_complete(const grid_barrier *barrier, uint32_t before) {
  const uint32_t now = __scoped_atomic_load_n(&barrier->word, __ATOMIC_RELAXED,
                                              __MEMORY_SCOPE_DEVICE);
  return (now ^ before) & GRID_PHASE;
}

/// Waits until all participants of the round have arrived.
static inline void grid_wait(const grid_barrier *barrier, uint32_t before) {
#if RPC_PTX_ORDER
  uint32_t now;
  do
    __asm__ volatile("ld.acquire.gpu.u32 %0, [%1];"
                     : "=r"(now)
                     : "l"(&barrier->word)
                     : "memory");
  while (!((now ^ before) & GRID_PHASE));
#else
  while (!grid_complete(barrier, before))
    __gpu_thread_suspend();
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  __asm__ volatile("" ::: "memory"); // see rpc_device_fence()
#endif
}

/// All threads of a block meet, also when lanes of a wave come one by one on
/// NVIDIA. Threads that have ended are not waited for.
static inline void block_meet(void) {
#ifdef __NVPTX__
  __asm__ volatile("barrier.sync 0;" ::: "memory");
#else
  __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP);
  __builtin_amdgcn_s_barrier();
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP);
  __asm__ volatile("" ::: "memory"); // see rpc_device_fence()
#endif
}

#endif
