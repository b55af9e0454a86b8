//===-- libc-shim/stdlib/qsort.c - qsort() --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separate from qsort_r(), because programs define a qsort() of their own.
#define _GNU_SOURCE 1 // qsort_r() with POSIX's order of parameters
#include <stdlib.h>

static int compare_two(const void *a, const void *b, void *compare) {
  return ((int (*)(const void *, const void *))compare)(a, b);
}

void qsort(void *base, size_t count, size_t size,
           int (*compare)(const void *, const void *)) {
  qsort_r(base, count, size, compare_two, (void *)compare);
}
