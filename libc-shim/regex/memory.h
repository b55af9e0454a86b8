//===-- libc-shim/regex/memory.h - Places where a walk has been -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk that comes to a node at the same place of the text for the second time
// would fail as it did before. In an expression with \N that is so only if the
// groups to which \N refers have the same texts too.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_MEMORY_H
#define GPUEXEC_LIBC_REGEX_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REGEX_KEY = 20 }; ///< words: node, place, begin and end of nine groups

/// Empty when zeroed. A memory has either pages (__regex_note) or keys
/// (__regex_note_key).
typedef struct {
  uint64_t **pages; ///< a bit for each node and place; null: all are 0
  size_t page_count;
  uint32_t *keys; ///< a hash table; the first word of a free place is 0
  size_t capacity, count;
} regex_memory;

/// REGEX_FULL: there is no memory.
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
