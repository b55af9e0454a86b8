//===-- replay/core/blocks.c - The program's memory, then and now ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/core/blocks.h"
#include <stdlib.h>
#include <string.h>

/// How many blocks begin at or before an address.
static size_t count_until(const struct block_list *list, uint64_t address) {
  size_t low = 0, high = list->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (list->all[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The block that holds an address, or ends there; NULL if there is none.
static const struct block *holder(const struct block_list *list,
                                  uint64_t address) {
  const size_t count = count_until(list, address);
  const struct block *last = count ? &list->all[count - 1] : NULL;
  return last && address - last->address <= last->size ? last : NULL;
}

static void add(struct block_list *list, struct block block) {
  const size_t at = count_until(list, block.address);
  if (at && list->all[at - 1].address == block.address) {
    list->all[at - 1] = block;
    return;
  }
  list->all = grow(list->all, list->count, &list->room, sizeof block);
  memmove(&list->all[at + 1], &list->all[at],
          (list->count++ - at) * sizeof block);
  list->all[at] = block;
}

/// Removes the block that begins at an address, and sets `elsewhere` to where
/// the other run has it. False without such a block.
static bool take_out(struct block_list *list, uint64_t address,
                     uint64_t *elsewhere) {
  const size_t at = count_until(list, address);
  if (!at || list->all[at - 1].address != address)
    return false;
  *elsewhere = list->all[at - 1].elsewhere;
  memmove(&list->all[at - 1], &list->all[at],
          (list->count-- - at) * sizeof *list->all);
  return true;
}

void add_block(struct blocks *blocks, uint64_t then, uint64_t now,
               uint64_t size) {
  add(&blocks->then, (struct block){then, now, size});
  add(&blocks->now, (struct block){now, then, size});
}

void remove_block(struct blocks *blocks, uint64_t now) {
  uint64_t then, unused;
  if (take_out(&blocks->now, now, &then))
    take_out(&blocks->then, then, &unused);
}

void free_blocks(struct blocks *blocks) {
  free(blocks->then.all);
  free(blocks->now.all);
}

bool is_same_place(const struct blocks *blocks, uint64_t then, uint64_t now) {
  const struct block *was = holder(&blocks->then, then),
                     *is = holder(&blocks->now, now);
  if (!was || !is)
    return !was && !is;
  return then - is->elsewhere == now - is->address;
}
