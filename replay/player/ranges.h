//===-- replay/player/ranges.h - Pieces of one large allocation -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_PLAYER_RANGES_H
#define GPUEXEC_REPLAY_PLAYER_RANGES_H

#include "replay/core/bytes.h"

/// A piece of the allocation. Pieces are sorted by address and have no gaps;
/// two free pieces are never adjacent.
struct range_of_heap {
  uint64_t begin, size;
  bool used;
};
struct ranges {
  struct range_of_heap *all;
  size_t count, room;
};

void make_ranges(struct ranges *ranges, uint64_t begin, uint64_t size);
/// Takes `size` bytes of the first free piece that fits, and returns the
/// address; 0: none fits. `alignment` is a power of two.
uint64_t take_range(struct ranges *ranges, uint64_t size, uint64_t alignment);
/// Gives a piece back. False: no piece was taken at `begin`.
bool give_range(struct ranges *ranges, uint64_t begin);

#endif // GPUEXEC_REPLAY_PLAYER_RANGES_H
