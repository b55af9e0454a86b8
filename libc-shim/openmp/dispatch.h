//===-- libc-shim/openmp/dispatch.h - Loops that threads share ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_DISPATCH_H
#define GPUEXEC_LIBC_DISPATCH_H

#include "libc-shim/openmp/team.h"

/// The team's shared state of the region's next loop. All threads of the team
/// call this for the same loops in the same order. Waits while a thread is
/// OMP_LOOPS loops behind.
static inline omp_loop *next_shared_loop(omp_thread *self) {
  const uint64_t sequence = self->loops++;
  omp_loop *loop = &self->team->loops[sequence % OMP_LOOPS];
  while (__scoped_atomic_load_n(&loop->sequence, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE) != sequence)
    __gpu_thread_suspend();
  return loop;
}

/// Called by each thread that has finished the loop. True in the last one,
/// which must then call reuse_shared_loop().
static inline bool leave_shared_loop(omp_thread *self, omp_loop *loop) {
  rpc_device_fence();
  const uint64_t mask = rpc_lanes_of((uint64_t)loop);
  const uint32_t count = (uint32_t)__builtin_popcountll(mask);
  return __gpu_is_first_in_lane(mask) &&
         __scoped_atomic_fetch_add(&loop->left, count, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE) +
                 count ==
             self->team->size;
}
/// Resets the state and makes it that of the OMP_LOOPS-th loop after this one.
static inline void reuse_shared_loop(omp_loop *loop) {
  loop->next = loop->ordered = 0;
  loop->left = 0;
  rpc_device_fence();
  __scoped_atomic_fetch_add(&loop->sequence, OMP_LOOPS, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}

#endif
