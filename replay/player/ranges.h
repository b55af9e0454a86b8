//===-- replay/player/ranges.h - Pieces of one large allocation -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_PLAYER_RANGES_H
#define GPUEXEC_REPLAY_PLAYER_RANGES_H

#include "replay/core/bytes.h"

/// In the order of their addresses, without gaps: no two free ones side by
/// side.
struct range_of_heap {
  uint64_t begin, size;
  bool used;
};
struct ranges {
  struct range_of_heap *all;
  size_t count, room;
};

void make_ranges(struct ranges *ranges, uint64_t begin, uint64_t size);
/// The first that fits; 0: none. `alignment` is a power of two.
uint64_t take_range(struct ranges *ranges, uint64_t size, uint64_t alignment);
/// False: nothing was taken there.
bool give_range(struct ranges *ranges, uint64_t begin);

#endif // GPUEXEC_REPLAY_PLAYER_RANGES_H
