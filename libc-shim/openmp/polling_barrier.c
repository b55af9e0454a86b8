//===-- libc-shim/openmp/polling_barrier.c - Barriers with work -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers whose threads execute tasks while they wait, and stop waiting when
// the region is cancelled. A counter has the number of threads that have
// arrived. The first thread that sees all threads there and no task left opens
// the barrier.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/cancel.h"
#include "libc-shim/openmp/tasks.h"

struct gpuexec_omp_tasks __gpuexec_omp_tasks;

typedef struct omp_counted_barrier counted_barrier;

static uint32_t load(const uint32_t *word) {
  return __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

/// Opens the barrier if all threads have arrived, no task is left and no other
/// thread opens it. True if this thread did.
static bool open_barrier(omp_team *team, counted_barrier *barrier) {
  uint32_t all = team->size;
  if (load(&barrier->arrived) != all || load(&team->outstanding) ||
      !__scoped_atomic_compare_exchange_n(&barrier->arrived, &all, 0, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                          __MEMORY_SCOPE_DEVICE))
    return false;
  // All threads read was_cancelled before any of them reaches the next barrier.
  team->was_cancelled = load(&team->cancelled);
  if (team->was_cancelled != CANCEL_PARALLEL)
    team->cancelled = 0;
  rpc_device_fence();
  __scoped_atomic_fetch_add(&barrier->released, 1, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
  return true;
}

/// Waits in one lane for the `count` lanes of its wave that have arrived.
static void wait_for_team(omp_thread *self, counted_barrier *barrier,
                          uint32_t count, bool cancellable) {
  omp_team *team = self->team;
  const uint32_t before = load(&barrier->released);
  rpc_device_fence();
  __scoped_atomic_fetch_add(&barrier->arrived, count, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
  while (load(&barrier->released) == before) {
    if (cancellable && load(&team->cancelled) == CANCEL_PARALLEL) {
      __scoped_atomic_fetch_sub(&barrier->arrived, count, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
      break;
    }
    if (__gpuexec_omp_tasks.run && __gpuexec_omp_tasks.run(self))
      continue;
    if (!open_barrier(team, barrier))
      __gpu_thread_suspend();
  }
}

static uint32_t meet(omp_thread *self, counted_barrier *barrier,
                     bool cancellable) {
  omp_team *team = self->team;
  if (cancellable && load(&team->cancelled) == CANCEL_PARALLEL)
    return CANCEL_PARALLEL;
  const uint64_t mask = rpc_lane_mask();
  rpc_device_fence(); // in each lane, because one lane arrives for all
  __gpu_sync_lane(mask);
#ifdef __AMDGPU__
  if (!cancellable)
    expect_whole_wave(member_lanes(team->size));
#endif
  if (__gpu_is_first_in_lane(mask))
    wait_for_team(self, barrier, (uint32_t)__builtin_popcountll(mask),
                  cancellable);
  __gpu_sync_lane(mask);
  rpc_device_fence();
  if (cancellable && load(&team->cancelled) == CANCEL_PARALLEL)
    return CANCEL_PARALLEL;
  if (self->implicit.children && !self->task)
    __gpuexec_omp_tasks.forget(&self->implicit);
  return team->was_cancelled;
}

uint32_t __gpuexec_tasks_barrier(omp_thread *self, bool cancellable) {
  return meet(self, &self->team->within, cancellable);
}

void __gpuexec_tasks_finish(omp_thread *self) {
  omp_team *team = self->team;
  if (!__gpuexec_omp_tasks.run)
    return;
  if (team->size > 1) {
    meet(self, &team->at_end, false);
    return;
  }
  while (load(&team->outstanding))
    if (!__gpuexec_omp_tasks.run(self))
      __gpu_thread_suspend();
  if (self->implicit.children && !self->task)
    __gpuexec_omp_tasks.forget(&self->implicit);
}
