//===-- replay/player/ranges.c - Pieces of one large allocation -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/ranges.h"
#include "replay/player/process.h"
#include <stdlib.h>
#include <string.h>

/// Makes room for a range at an index.
static void insert(struct ranges *r, size_t index, struct range_of_heap range) {
  if (r->count == r->room) {
    r->room = r->room ? 2 * r->room : 64;
    r->all = realloc(r->all, r->room * sizeof *r->all);
    if (!r->all)
      fail(STATUS_FAILED, "out of memory");
  }
  memmove(r->all + index + 1, r->all + index,
          (r->count - index) * sizeof *r->all);
  r->all[index] = range;
  ++r->count;
}

static void erase(struct ranges *r, size_t index) {
  --r->count;
  memmove(r->all + index, r->all + index + 1,
          (r->count - index) * sizeof *r->all);
}

void make_ranges(struct ranges *r, uint64_t begin, uint64_t size) {
  insert(r, 0, (struct range_of_heap){begin, size, false});
}

uint64_t take_range(struct ranges *r, uint64_t size, uint64_t alignment) {
  size = size ? size : 1;
  for (size_t i = 0; i < r->count; ++i) {
    const struct range_of_heap range = r->all[i];
    const uint64_t begin = (range.begin + alignment - 1) & -alignment,
                   before = begin - range.begin;
    if (range.used || begin < range.begin ||
        !in_range(before, size, range.size))
      continue;
    r->all[i] = (struct range_of_heap){begin, size, true};
    if (before + size < range.size)
      insert(r, i + 1,
             (struct range_of_heap){begin + size, range.size - before - size,
                                    false});
    if (before)
      insert(r, i, (struct range_of_heap){range.begin, before, false});
    return begin;
  }
  return 0;
}

bool give_range(struct ranges *r, uint64_t begin) {
  size_t i = 0;
  while (i < r->count && (r->all[i].begin != begin || !r->all[i].used))
    ++i;
  if (i == r->count)
    return false;
  r->all[i].used = false;
  if (i + 1 < r->count && !r->all[i + 1].used) {
    r->all[i].size += r->all[i + 1].size;
    erase(r, i + 1);
  }
  if (i && !r->all[i - 1].used) {
    r->all[i - 1].size += r->all[i].size;
    erase(r, i);
  }
  return true;
}
