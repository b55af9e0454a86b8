//===-- libc-shim/openmp/doacross.c - Iterations that wait for others -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with ordered(n), depend(sink: ...) and depend(source). Each iteration
// has a bit, which depend(source) sets and depend(sink: ...) waits for. On AMD
// one lane of each wave executes the iterations of all its lanes
// (omp_thread::leads_only).
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/dispatch.h"
#include "libc-shim/openmp/team.h"
#include <stdlib.h>

/// Bounds of a loop of the nest, both inclusive, as clang passes them.
typedef struct omp_dimension {
  int64_t lower, upper, step;
} omp_dimension;

/// omp_loop::posted has the address of this while a thread allocates the bits.
static uint32_t busy;
#define OMP_BUSY (&busy)

static uint64_t trips_of(const omp_dimension *loop) {
  if (loop->step > 0)
    return loop->lower > loop->upper
               ? 0
               : (uint64_t)(loop->upper - loop->lower) / (uint64_t)loop->step +
                     1;
  return loop->lower < loop->upper
             ? 0
             : (uint64_t)(loop->lower - loop->upper) / -(uint64_t)loop->step +
                   1;
}

void __kmpc_doacross_init(source_place *place, int32_t thread,
                          int32_t dimensions, const omp_dimension *bounds) {
  (void)place, (void)thread;
  omp_thread *self = __gpuexec_omp_self();
  omp_loop *loop = next_shared_loop(self);
  self->doacross.dimensions = (uint32_t)dimensions;
  self->doacross.bounds = bounds;
  self->doacross.loop = loop;
#ifdef __AMDGPU__
  self->leads_only = true;
#endif
  if (!leads(self->team->size))
    return;
  uint32_t *none = NULL;
  if (__scoped_atomic_compare_exchange_n(&loop->posted, &none, OMP_BUSY, false,
                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                         __MEMORY_SCOPE_DEVICE)) {
    uint64_t all = 1;
    for (int i = 0; i < dimensions; ++i)
      all *= trips_of(&bounds[i]);
    uint32_t *bits = __gpuexec_omp_allocate((all / 32 + 1) * sizeof *bits);
    rpc_device_fence();
    __scoped_atomic_store_n(&loop->posted, bits, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
  }
  // The lane that allocates has finished before lanes of its wave wait below.
  __gpu_sync_lane(rpc_lane_mask());
  while (__scoped_atomic_load_n(&loop->posted, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE) == OMP_BUSY)
    __gpu_thread_suspend();
  rpc_device_fence();
}

/// Computes the index of an iteration's bit. False when the loop has no such
/// iteration.
static bool find_bit(const omp_thread *self, const int64_t *iteration,
                     uint64_t *bit) {
  *bit = 0;
  for (uint32_t i = 0; i < self->doacross.dimensions; ++i) {
    const omp_dimension *loop = &self->doacross.bounds[i];
    const int64_t at = iteration[i];
    if (loop->step > 0 ? at < loop->lower || at > loop->upper
                       : at > loop->lower || at < loop->upper)
      return false;
    const uint64_t index =
        loop->step > 0 ? (uint64_t)(at - loop->lower) / (uint64_t)loop->step
                       : (uint64_t)(loop->lower - at) / -(uint64_t)loop->step;
    *bit = *bit * trips_of(loop) + index;
  }
  return true;
}

void __kmpc_doacross_wait(source_place *place, int32_t thread,
                          const int64_t *iteration) {
  (void)place, (void)thread;
  const omp_thread *self = __gpuexec_omp_self();
  uint64_t bit;
  if (!find_bit(self, iteration, &bit))
    return;
  const uint32_t *word = &self->doacross.loop->posted[bit / 32];
  while (
      !(__scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) >>
            bit % 32 &
        1))
    __gpu_thread_suspend();
  rpc_device_fence();
}

void __kmpc_doacross_post(source_place *place, int32_t thread,
                          const int64_t *iteration) {
  (void)place, (void)thread;
  const omp_thread *self = __gpuexec_omp_self();
  uint64_t bit;
  if (!find_bit(self, iteration, &bit))
    return;
  rpc_device_fence();
  __scoped_atomic_fetch_or(&self->doacross.loop->posted[bit / 32],
                           1u << bit % 32, __ATOMIC_RELAXED,
                           __MEMORY_SCOPE_DEVICE);
}

void __kmpc_doacross_fini(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  omp_thread *self = __gpuexec_omp_self();
  omp_loop *loop = self->doacross.loop;
  self->leads_only = false;
  if (leave_shared_loop(self, loop)) {
    free(loop->posted);
    loop->posted = NULL;
    reuse_shared_loop(loop);
  }
}
