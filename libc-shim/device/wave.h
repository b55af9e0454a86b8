//===-- libc-shim/device/wave.h - Lanes that act together -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a wave that call a function together do its work together: one port,
// one lock, one atomic for all of them. They may call with different arguments
// and diverged; then lanes with equal arguments form a group.
//
// What is not here is in clang's <gpuintrin.h> (__gpu_ballot, __gpu_sync_lane,
// __gpu_is_first_in_lane, __gpu_shuffle_idx_*, __gpu_thread_suspend) and in
// rpc/protocol/client_device.h:
//     rpc_lane_mask()       lanes that are active here
//     rpc_lanes_of(value)   active lanes that hold the same value
//     rpc_this_wave()       place of this wave in the grid
//     rpc_device_fence()    orders this wave against all others
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_WAVE_H
#define GPUEXEC_LIBC_WAVE_H

#include "rpc/protocol/client_device.h"

/// Lanes of `left` whose value equals that of the first lane of `left`. All
/// lanes of `mask`, which includes `left`, call this.
static inline uint64_t group_of_first(uint64_t mask, uint64_t left,
                                      uint64_t value) {
#ifdef __AMDGPU__
  uint32_t lane = __builtin_ctzll(left); // uniform: a scalar read will do
  uint64_t first = (uint64_t)(uint32_t)__builtin_amdgcn_readlane(
                       (uint32_t)(value >> 32), lane)
                       << 32 |
                   (uint32_t)__builtin_amdgcn_readlane((uint32_t)value, lane);
#else
  uint64_t first = __gpu_shuffle_idx_u64(mask, __builtin_ctzll(left), value,
                                         __gpu_num_lanes());
#endif
  return __gpu_ballot(mask, value == first) & left;
}

/// Runs what follows once for every group of lanes of `mask` that hold the same
/// `value`, with that group active; `group` names its mask there. All lanes of
/// `mask` stay in the loop until the last group is done: a uniform loop, so
/// that no compiler may merge the groups again.
#define FOR_EACH_GROUP(group, mask, value)                                     \
  for (uint64_t group##_all = (mask), group##_left = group##_all, group = 0;   \
       group##_left &&                                                         \
       ((group = group_of_first(group##_all, group##_left, (value))), 1);      \
       group##_left &= ~group, __gpu_sync_lane(group##_all))                   \
    if (group >> __gpu_lane_id() & 1)

/// Runs what follows for one lane of `mask` after the other.
#define FOR_EACH_LANE(mask)                                                    \
  for (uint64_t lanes_left = (mask); lanes_left;                               \
       lanes_left &= lanes_left - 1, __gpu_sync_lane(mask))                    \
    if (__gpu_lane_id() == (uint32_t)__builtin_ctzll(lanes_left))

/// Is it the first thread of the grid's first block?
static inline bool is_first_thread(void) {
  return !(__gpu_thread_id_x() | __gpu_thread_id_y() | __gpu_thread_id_z() |
           __gpu_block_id_x() | __gpu_block_id_y() | __gpu_block_id_z());
}

/// Threads of the grid.
static inline uint64_t grid_threads(void) {
  return (uint64_t)__gpu_num_blocks_x() * __gpu_num_blocks_y() *
         __gpu_num_blocks_z() * __gpu_num_threads_x() * __gpu_num_threads_y() *
         __gpu_num_threads_z();
}

/// Has the grid one thread?
static inline bool grid_has_one_thread(void) {
  return (__gpu_num_blocks_x() | __gpu_num_blocks_y() | __gpu_num_blocks_z() |
          __gpu_num_threads_x() | __gpu_num_threads_y() |
          __gpu_num_threads_z()) == 1;
}

#endif
