//===-- libc-shim/openmp/cancel.c - cancel, cancellation point ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team has one word that names the cancelled construct: threads that see it
// leave the construct. In a cancelled region no barrier waits any more, so that
// lanes of a wave that reach different barriers do not wait for each other.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/cancel.h"
#include "libc-shim/openmp/tasks.h"

static uint32_t *word_of(omp_thread *self, int32_t construct) {
  if (construct == CANCEL_TASKGROUP)
    return self->group ? &self->group->cancelled : NULL;
  return &self->team->cancelled;
}

static bool is_cancelled(omp_thread *self, int32_t construct) {
  const uint32_t *word = word_of(self, construct);
  return word &&
         __scoped_atomic_load_n(word, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE) == (uint32_t)construct;
}

int32_t __kmpc_cancel(source_place *place, int32_t thread, int32_t construct) {
  (void)place, (void)thread;
  if (!__gpuexec_omp_settings.cancellation)
    return 0;
  uint32_t *word = word_of(__gpuexec_omp_self(), construct);
  if (!word)
    return 0;
  __scoped_atomic_store_n(word, (uint32_t)construct, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
  return 1;
}

int32_t __kmpc_cancellationpoint(source_place *place, int32_t thread,
                                 int32_t construct) {
  (void)place, (void)thread;
  return __gpuexec_omp_settings.cancellation &&
         is_cancelled(__gpuexec_omp_self(), construct);
}

int32_t __kmpc_cancel_barrier(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  omp_thread *self = __gpuexec_omp_self();
  if (!__gpuexec_omp_settings.cancellation) {
    __gpuexec_omp_barrier();
    return 0;
  }
  if (self->team->size > 1)
    return __gpuexec_tasks_barrier(self, true) != 0;
  const uint32_t cancelled = self->team->cancelled;
  if (cancelled != CANCEL_PARALLEL)
    self->team->cancelled = 0;
  return cancelled != 0;
}
