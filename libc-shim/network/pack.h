//===-- libc-shim/network/pack.h - Memory of the caller's -------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions with _r return points into memory that the caller gives.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_PACK_H
#define GPUEXEC_LIBC_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// The unused rest of the memory.
typedef struct {
  char *at, *end;
  bool full; ///< something had no room
} pack;

/// `size` bytes for an object with such alignment; null without room.
static inline void *pack_bytes(pack *to, size_t size, size_t alignment) {
  const size_t gap = -(uintptr_t)to->at & (alignment - 1);
  const size_t left = (size_t)(to->end - to->at);
  if (to->full || gap > left || size > left - gap) {
    to->full = true;
    return NULL;
  }
  char *result = to->at + gap;
  to->at = result + size;
  return result;
}

/// A copy of the text; null without room.
static inline char *pack_text(pack *to, const char *text) {
  const size_t size = text ? strlen(text) + 1 : 0;
  char *copy = text ? pack_bytes(to, size, 1) : NULL;
  return copy ? memcpy(copy, text, size) : NULL;
}

/// An array of `count` null pointers; null without room.
static inline char **pack_pointers(pack *to, int count) {
  const size_t size = (size_t)count * sizeof(char *);
  char **result = pack_bytes(to, size, sizeof(char *));
  return result ? memset(result, 0, size) : NULL;
}

#endif
