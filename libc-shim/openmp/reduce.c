//===-- libc-shim/openmp/reduce.c - Reductions of many bytes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions that reduce_small.c cannot do: of large variables, and of arrays
// whose length is known only when the program runs.
//
// The pass lower_openmp copies a thread's private variables to memory that all
// threads see, and calls this with a list of the copies. They are combined in a
// tree: the lanes of a wave, the waves of a block, the blocks of the grid. The
// result is in the list of thread 0.
//
// The other blocks do not wait until block 0 has combined their results. So the
// first thread of each block has its copies in two buffers, which it uses in
// turn, and a block hands over its result of a reduction only when block 0 has
// completed the reduction before.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/team.h"
#include <stdlib.h>

static bool leads_block(const omp_thread *self) {
  return self->team->size > 1 &&
         self->hardware_number == first_of_block(this_place().block);
}

/// Memory of `size` bytes for a thread's copies: `own`, which belongs to the
/// calling function, or, in the first thread of a block, a buffer.
void *__gpuexec_omp_reduction_memory(void *own, uint64_t size) {
  omp_thread *self = __gpuexec_omp_self();
  if (!leads_block(self))
    return own;
  __typeof__(*self->kept) *kept = &self->kept[self->reductions & 1];
  if (kept->size < size) {
    free(kept->block);
    kept->block = __gpuexec_omp_allocate(size);
    kept->size = size;
  }
  return kept->block;
}

/// The list in reduction number `which` of the thread whose number in the grid,
/// idle lanes included, is `place`.
static void **list_at(uint32_t place, uint32_t which) {
  return __gpuexec_omp_thread(place ? place - idle_lanes() : 0)
      ->lists[which & 1];
}

/// Makes the writes of each lane of the wave visible to its other lanes.
static void meet_wave(uint64_t mask) {
  __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);
  __asm__ volatile("" ::: "memory"); // see rpc_device_fence()
  __gpu_sync_lane(mask);
}

/// The lanes of `mask`, a wave's first ones, combine the lists of `count`
/// threads at the places first, first + step and so on. The result is in the
/// list of the thread at `first`.
static void combine_all(uint64_t mask, uint32_t first, uint32_t step,
                        uint32_t count, uint32_t which, omp_combine *combine) {
  const uint32_t lanes = (uint32_t)__builtin_popcountll(mask);
  const uint32_t lane = __gpu_lane_id();
  void **mine = lane < count ? list_at(first + lane * step, which) : NULL;
  if (mine)
    for (uint32_t i = lane + lanes; i < count; i += lanes)
      combine(mine, list_at(first + i * step, which));
  const uint32_t left = count < lanes ? count : lanes;
  for (uint32_t apart = 1; apart < left; apart *= 2) {
    meet_wave(mask);
    if (!(lane & (2 * apart - 1)) && lane + apart < left)
      combine(mine, list_at(first + (lane + apart) * step, which));
  }
  meet_wave(mask);
}

/// Called by one wave of each block when the block has its result: block 0
/// waits for the results of the others and combines them.
static void combine_blocks(omp_thread *self, uint32_t block, uint64_t mask,
                           omp_combine *combine) {
  omp_team *team = self->team;
  const uint32_t blocks = THIS_BLOCK->blocks;
  if (__gpu_is_first_in_lane(mask)) {
    while (__scoped_atomic_load_n(&team->reduced, __ATOMIC_RELAXED,
                                  __MEMORY_SCOPE_DEVICE) < self->reductions - 1)
      __gpu_thread_suspend();
    grid_arrive(&team->sums, grid_addend(!block, blocks));
    if (!block)
      grid_wait(&team->sums, &self->phases.sums);
  }
  __gpu_sync_lane(mask);
  if (block)
    return;
  combine_all(mask, 0, block_threads(), blocks, self->reductions, combine);
  if (__gpu_is_first_in_lane(mask))
    rpc_store_release(&team->reduced, self->reductions);
}

/// Combines the variables of all threads of the team. True in thread 0, whose
/// list has the result.
int32_t __gpuexec_omp_reduce(void **list, omp_combine *combine) {
  omp_thread *self = __gpuexec_omp_self();
  omp_team *team = self->team;
  if (team->size == 1)
    return 1;
  const grid_place place = this_place();
  const uint32_t lanes = __gpu_num_lanes(), lane = __gpu_lane_id();
  const uint64_t mask = member_lanes(team->size);
  self->lists[++self->reductions & 1] = list;
  expect_whole_wave(mask);
  const uint32_t block = place.block * block_threads();
  combine_all(mask, block + place.thread - lane, 1,
              (uint32_t)__builtin_popcountll(mask), self->reductions, combine);
  __gpuexec_omp_meet_block(self);
  // main()'s wave has only one lane on AMD: the next wave is faster.
  const uint32_t waves = waves_of_block(place.block, team->size);
  const uint32_t chosen = !place.block && idle_lanes() && waves > 1;
  if (place.thread / lanes == chosen) {
    combine_all(mask, block, lanes, waves, self->reductions, combine);
    combine_blocks(self, place.block, mask, combine);
  }
  __gpuexec_omp_meet_block(self);
  return !self->number;
}
