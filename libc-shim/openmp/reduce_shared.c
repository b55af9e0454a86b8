//===-- libc-shim/openmp/reduce_shared.c - Reductions of a block's array --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a block share one copy of an array, which they change by
// atomic operations (the pass share_reductions). At the end each block adds its
// copy to one array of the grid, and block 0 gets the result.
//
// The other blocks do not wait for block 0. A block adds its copy only when the
// reduction before is complete, so that one array of the grid is enough.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/reduce_lanes.h"

#ifdef __NVPTX__
static BLOCK_MEMORY __attribute__((loader_uninitialized))
uint64_t copy[OMP_SHARED / sizeof(uint64_t)];
#define COPY copy
#else
#define COPY                                                                   \
  ((BLOCK_MEMORY uint64_t *)(__gpuexec_omp_parts.shared +                      \
                             (uint64_t)this_place().block * OMP_SHARED))

__attribute__((constructor)) static void ask_for_memory(void) {
  __gpuexec_omp_parts.has_shared = true;
}
#endif

/// The sum of the blocks' copies; zero between two reductions.
static uint64_t total[OMP_SHARED / sizeof(uint64_t)];

/// Is the calling thread's team that of the grid? All threads of a team get the
/// same answer.
INLINED int32_t __gpuexec_omp_is_in_grid_team(void) {
  return own_team_size() > 1;
}

/// The calling thread's number among the `count` threads of its block that are
/// in the team.
typedef struct {
  uint32_t number, count;
} block_member;
static block_member this_member(void) {
  const uint32_t block = this_place().block;
  return (block_member){hardware_number() - first_of_block(block),
                        members_of_block(block, THIS_BLOCK->size)};
}

/// The team's threads of the block wait for each other. The lanes of a wave
/// reconverge before and after: on NVIDIA, when lanes arrived one by one after
/// loops of different lengths, later barriers did not hold
/// (test/openmp/shared-arrays.c, H100).
static inline INLINED void meet(void) {
  const uint64_t lanes = lanes_in_team();
  expect_whole_wave(lanes);
  __gpuexec_omp_meet_members();
  expect_whole_wave(lanes);
}

/// Returns the block's copy of an array of `bytes` bytes, zeroed. All threads
/// of the team call this. It waits for them first, because thread 0 may still
/// read the result of the reduction before from its copy.
INLINED BLOCK_MEMORY uint64_t *__gpuexec_omp_begin_shared(uint32_t bytes) {
  const block_member self = this_member();
  BLOCK_MEMORY uint64_t *words = COPY;
  meet();
  for (uint32_t i = self.number; i * sizeof *words < bytes; i += self.count)
    words[i] = 0;
  meet();
  return words;
}

/// Combines one element of a block's copy into the grid's array.
#define COMBINE(element, value, operation)                                     \
  do {                                                                         \
    if ((operation) == OMP_ADD)                                                \
      __scoped_atomic_fetch_add(element, value, __ATOMIC_RELAXED,              \
                                __MEMORY_SCOPE_DEVICE);                        \
    else if ((operation) == OMP_OR)                                            \
      __scoped_atomic_fetch_or(element, value, __ATOMIC_RELAXED,               \
                               __MEMORY_SCOPE_DEVICE);                         \
    else                                                                       \
      __scoped_atomic_fetch_xor(element, value, __ATOMIC_RELAXED,              \
                                __MEMORY_SCOPE_DEVICE);                        \
  } while (0)

static inline INLINED void add_copy(block_member self, uint32_t bytes,
                                    uint32_t width, uint32_t operation) {
  if (width == sizeof(uint64_t)) {
    const BLOCK_MEMORY uint64_t *mine = COPY;
    for (uint32_t i = self.number; i < bytes / width; i += self.count)
      if (mine[i]) // a zero would change nothing
        COMBINE(&total[i], mine[i], operation);
  } else {
    const BLOCK_MEMORY uint32_t *mine = (const BLOCK_MEMORY uint32_t *)COPY;
    for (uint32_t i = self.number; i < bytes / width; i += self.count)
      if (mine[i])
        COMBINE(&((uint32_t *)total)[i], mine[i], operation);
  }
}

/// In block 0: waits for the other blocks and moves the result to its copy.
static inline INLINED void take_total(block_member self, uint32_t bytes,
                                      uint32_t number) {
  if (!self.number)
    wait_for_blocks(&__gpuexec_omp_grid_team, number);
  meet();
  BLOCK_MEMORY uint64_t *words = COPY;
  for (uint32_t i = self.number; i * sizeof *words < bytes; i += self.count)
    words[i] = __scoped_atomic_exchange_n(&total[i], 0, __ATOMIC_RELAXED,
                                          __MEMORY_SCOPE_DEVICE);
  meet();
}

/// Combines the blocks' copies of an array of `bytes` bytes, whose elements
/// have `width` bytes: 4 or 8. True in thread 0, whose block's copy then has
/// the result.
INLINED int32_t __gpuexec_omp_reduce_shared(uint32_t bytes, uint32_t width,
                                            uint32_t operation) {
  omp_team *team = &__gpuexec_omp_grid_team;
  const block_member self = this_member();
  const uint32_t block = this_place().block;
  const bool several = THIS_BLOCK->add != 0;
  uint32_t number = 0;
  if (several && !self.number) {
    number = ++THIS_BLOCK->reductions;
    if (number > 1)
      wait_for_reduction(team, number - 1);
  }
  meet(); // all threads of the block have finished changing the copy
  if (several) {
    add_copy(self, bytes, width, operation);
    meet();
    if (!self.number)
      grid_arrive(&team->small_sums, THIS_BLOCK->add);
    expect_whole_wave(lanes_in_team());
    if (block)
      return 0;
    take_total(self, bytes, number);
    if (!self.number)
      rpc_store_release(&team->small_reduced, number);
  }
  return !block && !self.number;
}
