//===-- libc-shim/openmp/barrier.c - Barriers of a team -------------------===//
// First the threads of a block meet, then one lane of each block meets those of
// the others. Full blocks use the hardware's barrier, in which waves sleep. A
// block of which only some threads are in the team must not: its other waves
// wait in the same barrier for the next region.
//
// With tasks a waiting thread executes them, so it does not sleep: tasks.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/tasks.h"
#include "libc-shim/openmp/team.h"

/// The members of a block that is not filled meet. One lane of each wave waits.
static void meet_waves(omp_thread *self, uint32_t block, uint64_t members) {
  omp_team *team = self->team;
  const uint32_t lanes = __gpu_num_lanes();
  const uint32_t last =
      members_of_block(block, team->size) - 1 + (block ? 0 : idle_lanes());
  const uint32_t waves =
      members_of_block(block, team->size) == 1 ? 1 : last / lanes + 1;
  if (__gpu_is_first_in_lane(members)) {
    const bool first = hardware_number() == first_of_block(block);
    rpc_device_fence();
    grid_arrive(&team->waves, first, waves);
    grid_wait(&team->waves, &self->phases.waves);
  }
  __gpu_sync_lane(members);
}

static void meet_block(omp_thread *self, uint32_t block, uint64_t members) {
  if (is_full_block(block, self->size))
    block_meet();
  else
    meet_waves(self, block, members);
}

void __gpuexec_omp_meet_block(omp_thread *self) {
  const uint64_t members = member_lanes(self->size);
  expect_whole_wave(members);
  meet_block(self, this_place().block, members);
}

static void barrier(omp_thread *self) {
  omp_team *team = self->team;
  const uint32_t block = this_place().block, blocks = self->block_count;
  const uint64_t members = member_lanes(self->size);
  expect_whole_wave(members);
  meet_block(self, block, members);
  if (blocks > 1) {
    if (first_of_block(block) == self->hardware_number) {
      grid_arrive(&team->blocks, !block, blocks);
      grid_wait(&team->blocks, &self->phases.blocks);
    }
    meet_block(self, block, members);
  }
#ifdef __NVPTX__
  __gpu_sync_lane(members); // to go on together
#endif
}

void __gpuexec_omp_barrier(omp_thread *self) {
  if (self->size == 1)
    __gpuexec_tasks_finish(self);
  else if (__gpuexec_omp_tasks.run || __gpuexec_omp_settings.cancellation)
    __gpuexec_tasks_barrier(self, __gpuexec_omp_settings.cancellation);
  else
    barrier(self);
}

void __kmpc_barrier(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  __gpuexec_omp_barrier(__gpuexec_omp_self());
}
void __kmpc_flush(source_place *place) {
  (void)place;
  rpc_device_fence();
}
