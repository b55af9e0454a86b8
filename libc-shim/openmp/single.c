//===-- libc-shim/openmp/single.c - Regions of one thread -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/openmp/team.h"

/// True in the first thread of the team that reaches the region: it increments
/// team->singles, the number of single regions that a thread has entered. Only
/// one lane of a wave tries, because an atomic on the same word by each thread
/// of a grid would take longer than most regions.
int32_t __kmpc_single(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  omp_thread *self = __gpuexec_omp_self();
  omp_team *team = self->team;
  uint32_t before = self->singles++;
  if (team->size == 1)
    return 1;
  if (!__gpu_is_first_in_lane(rpc_lanes_of(before)))
    return 0;
  // No atomic when another thread has the region already.
  if (__scoped_atomic_load_n(&team->singles, __ATOMIC_RELAXED,
                             __MEMORY_SCOPE_DEVICE) != before)
    return 0;
  return __scoped_atomic_compare_exchange_n(
      &team->singles, &before, before + 1, false, __ATOMIC_RELAXED,
      __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
void __kmpc_end_single(source_place *place, int32_t thread) {
  (void)place, (void)thread;
}

int32_t __kmpc_master(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  return !own_number();
}
void __kmpc_end_master(source_place *place, int32_t thread) {
  (void)place, (void)thread;
}
int32_t __kmpc_masked(source_place *place, int32_t thread, int32_t filter) {
  (void)place, (void)thread;
  return (int32_t)own_number() == filter;
}
void __kmpc_end_masked(source_place *place, int32_t thread) {
  (void)place, (void)thread;
}

/// copyprivate: copies the variables of the thread with `is_source` to all
/// threads of the team. `own` is the list of this thread's variables; `shared`,
/// which the pass lower_openmp makes, that of copies which all threads can
/// read.
void __gpuexec_omp_copy_private(void *shared, void *own, omp_copy *copy,
                                int32_t is_source) {
  omp_thread *self = __gpuexec_omp_self();
  omp_team *team = self->team;
  if (team->size == 1)
    return;
  if (is_source)
    team->broadcast = shared;
  __gpuexec_omp_barrier();
  if (!is_source)
    copy(own, team->broadcast);
  __gpuexec_omp_barrier();
}
