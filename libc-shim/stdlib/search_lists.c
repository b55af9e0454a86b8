//===-- libc-shim/stdlib/search_lists.c - Linear search, linked queues ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <search.h>
#include <stddef.h>
#include <string.h>

void *lfind(const void *key, const void *base, size_t *count, size_t size,
            int (*compare)(const void *, const void *)) {
  const char *at = base;
  for (size_t i = 0; i < *count; ++i, at += size)
    if (!compare(key, at))
      return (void *)at;
  return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size,
              int (*compare)(const void *, const void *)) {
  void *found = lfind(key, base, count, size, compare);
  if (found)
    return found;
  return memcpy((char *)base + (*count)++ * size, key, size);
}

/// The begin of an element of insque(), as POSIX defines it.
typedef struct element {
  struct element *next, *previous;
} element;

void insque(void *new, void *before) {
  element *item = new, *previous = before;
  item->previous = previous;
  item->next = previous ? previous->next : NULL;
  if (item->next)
    item->next->previous = item;
  if (previous)
    previous->next = item;
}

void remque(void *old) {
  element *item = old;
  if (item->next)
    item->next->previous = item->previous;
  if (item->previous)
    item->previous->next = item->next;
}
