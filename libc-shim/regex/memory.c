//===-- libc-shim/regex/memory.c - Places where a walk has been -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.h"
#include <stdlib.h>
#include <string.h>

enum { PLACES = 256 }; ///< number of places of a page

enum regex_answer __regex_note(regex_memory *memory, uint32_t node,
                               uint32_t nodes, size_t place, size_t places) {
  if (!memory->pages) {
    memory->page_count = places / PLACES + 1;
    memory->pages = calloc(memory->page_count, sizeof(uint64_t *));
    if (!memory->pages)
      return REGEX_FULL;
  }
  uint64_t **page = memory->pages + place / PLACES;
  if (!*page) {
    *page = calloc(nodes, PLACES / 8);
    if (!*page)
      return REGEX_FULL;
  }
  const size_t bit = (size_t)node * PLACES + place % PLACES;
  const uint64_t mask = UINT64_C(1) << bit % 64;
  const bool seen = (*page)[bit / 64] & mask;
  (*page)[bit / 64] |= mask;
  return seen ? REGEX_SEEN : REGEX_NEW;
}

/// The slot of the table that has the key, or the free one for it.
static uint32_t *find_key(const regex_memory *memory, const uint32_t *key,
                          uint32_t words) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < words; ++i)
    hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 32;
  for (size_t i = (size_t)hash;; ++i) {
    uint32_t *found = memory->keys + (i & (memory->capacity - 1)) * words;
    if (*found == 0 || !memcmp(found, key, words * sizeof(uint32_t)))
      return found;
  }
}

static bool grow(regex_memory *memory, uint32_t words) {
  const regex_memory old = *memory;
  memory->capacity = old.capacity ? old.capacity * 2 : 64;
  memory->keys = calloc(memory->capacity, words * sizeof(uint32_t));
  if (!memory->keys)
    return *memory = old, false;
  for (size_t i = 0; i < old.capacity; ++i)
    if (old.keys[i * words])
      memcpy(find_key(memory, old.keys + i * words, words),
             old.keys + i * words, words * sizeof(uint32_t));
  free(old.keys);
  return true;
}

enum regex_answer __regex_note_key(regex_memory *memory, const uint32_t *key,
                                   uint32_t words) {
  if (memory->count * 2 >= memory->capacity && !grow(memory, words))
    return REGEX_FULL;
  uint32_t *found = find_key(memory, key, words);
  if (*found)
    return REGEX_SEEN;
  memcpy(found, key, words * sizeof(uint32_t));
  ++memory->count;
  return REGEX_NEW;
}

void __regex_forget(regex_memory *memory) {
  for (size_t i = 0; memory->pages && i < memory->page_count; ++i)
    free(memory->pages[i]);
  free(memory->pages);
  free(memory->keys);
  *memory = (regex_memory){0};
}
