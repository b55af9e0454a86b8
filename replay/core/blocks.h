//===-- replay/core/blocks.h - The program's memory, then and now -*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of device memory that was allocated at one address when the run was
// recorded ("then") may lie at another one when it is replayed ("now").
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_BLOCKS_H
#define GPUEXEC_REPLAY_CORE_BLOCKS_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include "replay/core/bytes.h"

/// A block in a list that is sorted by `address`.
struct block {
  uint64_t address;
  uint64_t elsewhere; ///< its address in the other run
  uint64_t size;
};
struct block_list {
  struct block *all;
  size_t count, room;
};
/// The blocks by their addresses in each run. All zero: no blocks.
struct blocks {
  struct block_list then, now;
};
void add_block(struct blocks *blocks, uint64_t then, uint64_t now,
               uint64_t size);
void remove_block(struct blocks *blocks, uint64_t now);
void free_blocks(struct blocks *blocks);

/// Whether `then` and `now` are the same place in the same block. Also true for
/// two addresses outside of all blocks (of the image or a stack), which cannot
/// be compared.
bool is_same_place(const struct blocks *blocks, uint64_t then, uint64_t now);

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_BLOCKS_H
