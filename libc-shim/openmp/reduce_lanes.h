//===-- libc-shim/openmp/reduce_lanes.h - Reductions by shuffles ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// These functions are inlined where a program reduces variables, so that the
// variables stay in registers. A part is the partial result of several threads.
// The lanes of a wave combine their variables by shuffles; one lane of each
// wave hands over the wave's part to a wave of its block, which hands over the
// block's part to block 0. The result is in the variables of thread 0.
//
// The other blocks do not wait for block 0. So there is memory for two parts of
// each, used in turn, and a block hands over its part only when block 0 has
// completed the reduction before.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REDUCE_LANES_H
#define GPUEXEC_LIBC_REDUCE_LANES_H

#include "libc-shim/openmp/team.h"

/// The last argument of omp_shuffle. With OMP_FIRST_LANES, lanes from
/// `distance` on do not add to their variables but replace them by the values
/// of the other lane.
enum { OMP_ALL_LANES, OMP_FIRST_LANES };

/// Functions of clang and of the pass lower_openmp, and memory for parts.
typedef struct {
  omp_shuffle *shuffle;
  omp_pack *pack;
  omp_unpack *unpack, *add;
  uint32_t size;       ///< bytes of a part
  uint32_t wave_count; ///< number of waves for which `waves` has memory
  char *waves;         ///< two parts of each wave of the calling thread's block
  char *blocks;        ///< two parts of each block of the grid
} omp_reduction;

/// The first `count` lanes combine their variables. Lane 0 has the result.
static inline INLINED void combine_lanes(void **list, uint32_t count,
                                         omp_shuffle *shuffle) {
  const int16_t lane = (int16_t)__gpu_lane_id();
  if (count == __gpu_num_lanes()) {
    for (int16_t apart = (int16_t)(__gpu_num_lanes() / 2); apart; apart /= 2)
      shuffle(list, lane, apart, OMP_ALL_LANES);
    return;
  }
  while (count > 1) {
    shuffle(list, lane, (int16_t)(count / 2), OMP_FIRST_LANES);
    count = (count + 1) / 2;
  }
}

/// The lanes of a wave, of which the first `present` are in the team, combine
/// `count` parts. Lane 0 has the result.
static inline INLINED void combine_parts(void **list, const char *parts,
                                         uint32_t count, uint32_t present,
                                         const omp_reduction *how) {
  const uint32_t lane = __gpu_lane_id();
  if (lane < count)
    how->unpack(list, parts + lane * how->size);
  for (uint32_t i = lane + present; i < count; i += present)
    how->add(list, parts + i * how->size);
  combine_lanes(list, count < present ? count : present, how->shuffle);
}

/// Waits until the team's reduction `number` is complete.
static void wait_for_reduction(const omp_team *team, uint32_t number) {
  while (__scoped_atomic_load_n(&team->small_reduced, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE) < number)
    ;
}

/// Waits until all blocks have handed over their part of a reduction.
static inline INLINED void wait_for_blocks(const omp_team *team,
                                           uint32_t number) {
  uint32_t phase = number & 1 ? 0 : GRID_PHASE;
  grid_wait(&team->small_sums, &phase);
}

/// Called by the wave of each block that has the block's part. Block 0's wave
/// gets the result.
static inline INLINED void combine_blocks(void **list, uint32_t block,
                                          uint64_t mask,
                                          const omp_reduction *how) {
  omp_team *team = &__gpuexec_omp_grid_team;
  const bool first = !__gpu_lane_id();
  const uint32_t number = THIS_BLOCK->reductions + 1;
  char *parts = how->blocks + (number & 1) * grid_blocks() * how->size;
  __gpu_sync_lane(mask); // all have read the number
  if (first) {
    THIS_BLOCK->reductions = number;
    how->pack(parts + block * how->size, list);
    if (number > 1)
      wait_for_reduction(team, number - 1);
    grid_arrive(&team->small_sums, THIS_BLOCK->add);
  }
  if (block)
    return;
  if (first)
    wait_for_blocks(team, number);
  __gpu_sync_lane(mask);
  __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);
  __asm__ volatile("" ::: "memory"); // see rpc_device_fence()
  combine_parts(list, parts, THIS_BLOCK->blocks,
                (uint32_t)__builtin_popcountll(mask), how);
  if (first)
    rpc_store_release(&team->small_reduced, number);
}

/// One wave of the block combines the parts of its waves: the first, but in
/// main()'s block on AMD the second, because main()'s wave has only one lane.
/// Then combines the blocks.
static inline INLINED void combine_waves(void **list, const grid_place *place,
                                         uint64_t mask, uint32_t waves,
                                         const omp_reduction *how) {
  const uint32_t wave = place->thread / __gpu_num_lanes();
  const uint32_t turn = THIS_BLOCK->turns[wave];
  char *parts = how->waves + (turn & 1) * how->wave_count * how->size;
  if (waves > 1) {
    __gpu_sync_lane(mask); // all have read the turn
    if (__gpu_is_first_in_lane(mask)) {
      THIS_BLOCK->turns[wave] = (uint8_t)(turn + 1);
      how->pack(parts + wave * how->size, list);
    }
    __gpuexec_omp_meet_members();
  }
  const uint32_t chosen = !place->block && idle_lanes() && waves > 1;
  if (wave == chosen) {
    if (waves > 1)
      combine_parts(list, parts, waves, (uint32_t)__builtin_popcountll(mask),
                    how);
    if (THIS_BLOCK->add)
      combine_blocks(list, place->block, mask, how);
    if (chosen && __gpu_is_first_in_lane(mask))
      how->pack(parts, list);
  }
  if (!place->block && idle_lanes() && waves > 1) {
    __gpuexec_omp_meet_members();
    if (!place->thread)
      how->unpack(list, parts);
  }
}

/// Combines the variables in the lists of all threads of the team. True in
/// thread 0, whose variables have the result.
static inline INLINED int32_t reduce_lanes(void **list,
                                           const omp_reduction *how) {
  const uint32_t size = own_team_size();
  if (size == 1)
    return 1;
  const grid_place place = this_place();
  const uint64_t mask = lanes_in_team();
  expect_whole_wave(mask);
  combine_lanes(list, (uint32_t)__builtin_popcountll(mask), how->shuffle);
  combine_waves(list, &place, mask, waves_of_block(place.block, size), how);
  return !hardware_number();
}

#endif
