//===-- libc-shim/regex/memory.h - Places where a walk has been -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk that comes to a node and place for the second time fails as it did
// before. With references what they refer to belongs to the place.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_MEMORY_H
#define GPUEXEC_LIBC_REGEX_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REGEX_KEY = 20 }; ///< words: node, place, begin and end of nine groups

/// Zeroed for one that is empty. Either of the two kinds below.
typedef struct {
  uint64_t **pages; ///< bits for REGEX_PAGE places each; null where untouched
  size_t page_count;
  uint32_t *keys; ///< a hash table; the first word of a free place is 0
  size_t capacity, count;
} regex_memory;

enum regex_answer { REGEX_NEW, REGEX_SEEN, REGEX_FULL };

/// Notes a node (below `nodes`) at a place (below `places`).
enum regex_answer __regex_note(regex_memory *memory, uint32_t node,
                               uint32_t nodes, size_t place, size_t places);

/// Notes a key of `words` words, the first of which is not 0; all keys of a
/// memory have the same length.
enum regex_answer __regex_note_key(regex_memory *memory, const uint32_t *key,
                                   uint32_t words);

void __regex_forget(regex_memory *memory);

#endif
