//===-- libc-shim/openmp/barrier.c - Barriers of a team -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "To meet" is to wait for each other. First the threads of a block meet, then
// one lane of each block meets those of the other blocks. Full blocks use the
// hardware's barrier, in which waves sleep. A block of which only some threads
// are in the team must not use it, because its other waves wait in the same
// barrier for the next region.
//
// In a program with tasks, a waiting thread executes tasks instead of sleeping:
// polling_barrier.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/tasks.h"
#include "libc-shim/openmp/team.h"

/// The team's threads in a block that has other threads too meet. One lane of
/// each wave waits.
static void meet_waves(omp_thread *self, uint32_t block, uint64_t members) {
  omp_team *team = self->team;
  const uint32_t waves = waves_of_block(block, team->size);
  if (__gpu_is_first_in_lane(members)) {
    const bool first = hardware_number() == first_of_block(block);
    rpc_device_fence();
    grid_arrive(&team->waves, grid_addend(first, waves));
    grid_wait(&team->waves, &self->phases.waves);
  }
  __gpu_sync_lane(members);
}

static void meet_block(omp_thread *self, uint32_t block, uint64_t members) {
  if (is_full_block(block, self->team->size))
    block_meet();
  else
    meet_waves(self, block, members);
}

void __gpuexec_omp_meet_block(omp_thread *self) {
  const uint64_t members = member_lanes(self->team->size);
  expect_whole_wave(members);
  meet_block(self, this_place().block, members);
}

void __gpuexec_omp_meet_members(void) {
  if (THIS_BLOCK->is_full)
    block_meet();
  else
    meet_waves(__gpuexec_omp_self(), this_place().block,
               member_lanes(THIS_BLOCK->size));
}

/// The block's first thread meets the first threads of the other blocks. Does
/// nothing in other threads.
static void meet_blocks(omp_team *team) {
  if (!is_first_of_block())
    return;
  uint32_t phase = THIS_BLOCK->phase;
  grid_arrive(&team->blocks, THIS_BLOCK->add);
  grid_wait(&team->blocks, &phase);
  THIS_BLOCK->phase = phase;
}

/// The barrier for a block whose threads are all in the team and have no tasks.
/// It is not inlined and calls no function, so that its return address stays in
/// a register: on NVIDIA the barrier empties the L1 cache, and the load of a
/// return address would be slow.
__attribute__((noinline)) static void barrier_of_full_block(void) {
#ifdef __AMDGPU__
  expect_whole_wave(member_lanes(THIS_BLOCK->size));
#endif
  block_meet();
  if (!THIS_BLOCK->add)
    return;
  meet_blocks(&__gpuexec_omp_grid_team);
  block_meet();
}

static void barrier_of_part(omp_thread *self) {
  const uint32_t block = this_place().block;
  const uint64_t members = member_lanes(THIS_BLOCK->size);
  expect_whole_wave(members);
  meet_waves(self, block, members);
  if (THIS_BLOCK->add) {
    meet_blocks(&__gpuexec_omp_grid_team);
    meet_waves(self, block, members);
  }
}

__attribute__((noinline)) static void special_barrier(void) {
  omp_thread *self = __gpuexec_omp_self();
  if (self->team->size == 1)
    __gpuexec_tasks_finish(self);
  else if (THIS_BLOCK->polls)
    __gpuexec_tasks_barrier(self, __gpuexec_omp_settings.cancellation);
  else if (THIS_BLOCK->is_full)
    barrier_of_full_block();
  else
    barrier_of_part(self);
}

INLINED void __gpuexec_omp_barrier(void) {
  if (has_plain_barrier())
    barrier_of_full_block();
  else
    special_barrier();
}

INLINED void __kmpc_barrier(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  __gpuexec_omp_barrier();
}
void __kmpc_flush(source_place *place) {
  (void)place;
  rpc_device_fence();
}
