//===-- libc-shim/stdlib/qsort_r.c - A stable sort ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that compare equal stay in order, as with glibc's qsort(): expected
// outputs of many programs depend on that. Merge sort, top down, with the same
// comparisons in the same order as glibc's. It needs memory for a copy of the
// elements; without it, newlib's sort, which is not stable, does the work.
// No recursion: a GPU's threads have small stacks.
//===----------------------------------------------------------------------===//
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int compare_fn(const void *, const void *, void *);
void __newlib_qsort_r(void *base, size_t count, size_t size, compare_fn *,
                      void *argument);

typedef struct {
  size_t size;
  compare_fn *compare;
  void *argument;
  char *copy; ///< as large as the array
} sort;

static inline void move(char *to, const char *from, size_t size) {
  if (size == 8)
    __builtin_memcpy(to, from, 8);
  else if (size == 4)
    __builtin_memcpy(to, from, 4);
  else
    memcpy(to, from, size);
}

/// Merges two sorted runs that lie one behind the other.
static void merge(const sort *s, char *base, size_t left, size_t right) {
  const size_t size = s->size;
  char *a = base, *b = base + left * size, *to = s->copy;
  while (left && right) {
    if (s->compare(a, b, s->argument) <= 0) {
      move(to, a, size);
      a += size;
      left--;
    } else {
      move(to, b, size);
      b += size;
      right--;
    }
    to += size;
  }
  // What is left of the right run is where it belongs.
  memcpy(to, a, left * size);
  memcpy(base, s->copy, (size_t)(to - s->copy) + left * size);
}

/// A part of the array: its halves are sorted first, then merged.
typedef struct {
  size_t begin, count;
  int sorted; ///< number of halves that are sorted
} part;

static void sort_parts(const sort *s, char *base, size_t count) {
  part open[64]; // each is half of the one before
  int depth = 0;
  open[0] = (part){0, count, 0};
  while (depth >= 0) {
    part *p = &open[depth];
    const size_t half = p->count / 2;
    if (p->count < 2) {
      depth--;
    } else if (p->sorted == 2) {
      merge(s, base + p->begin * s->size, half, p->count - half);
      depth--;
    } else {
      open[++depth] = p->sorted++ ? (part){p->begin + half, p->count - half, 0}
                                  : (part){p->begin, half, 0};
    }
  }
}

void qsort_r(void *base, size_t count, size_t size, compare_fn *compare,
             void *argument) {
  if (count < 2 || size == 0)
    return;
  char small[256];
  const size_t bytes = count * size;
  sort s = {size, compare, argument,
            bytes <= sizeof small ? small : malloc(bytes)};
  if (!s.copy) {
    __newlib_qsort_r(base, count, size, compare, argument);
    return;
  }
  sort_parts(&s, base, count);
  if (s.copy != small)
    free(s.copy);
}
