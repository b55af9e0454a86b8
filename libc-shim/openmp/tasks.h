//===-- libc-shim/openmp/tasks.h - What waiting threads do ----------------===//
#ifndef GPUEXEC_LIBC_TASKS_H
#define GPUEXEC_LIBC_TASKS_H

#include "libc-shim/openmp/team.h"

/// Whether the program makes tasks: set before main() if task.c is linked.
extern bool __gpuexec_omp_has_tasks;

/// Waits for the team; its waves execute tasks meanwhile, and all tasks are
/// complete afterwards.
void __gpuexec_tasks_barrier(omp_thread *self);

/// The end of a region, before its last barrier.
static inline void __gpuexec_tasks_finish(omp_thread *self) {
  if (__gpuexec_omp_has_tasks && self->team->size > 1)
    __gpuexec_tasks_barrier(self);
}

#endif
