//===-- bench/parallel/sort.c - Merge sort with tasks ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   sort [numbers] [smallest part that is a task]
//===----------------------------------------------------------------------===//
#include "common.h"
#include <string.h>

static long smallest;

static void sort_alone(uint32_t *a, uint32_t *b, long n) {
  for (long width = 1; width < n; width *= 2) {
    for (long i = 0; i < n; i += 2 * width) {
      const long middle = i + width < n ? i + width : n;
      const long end = middle + width < n ? middle + width : n;
      long left = i, right = middle;
      for (long k = i; k < end; ++k)
        b[k] = left < middle && (right >= end || a[left] <= a[right])
                   ? a[left++]
                   : a[right++];
    }
    memcpy(a, b, (size_t)n * sizeof *a);
  }
}

/// How many of the `n` numbers are less than `value`.
static long count_less(const uint32_t *a, long n, uint32_t value) {
  long low = 0;
  while (n > 0) {
    const long half = n / 2;
    if (a[low + half] < value)
      low += half + 1, n -= half + 1;
    else
      n = half;
  }
  return low;
}

/// Merges two sorted parts into `to`, in tasks.
static void merge(const uint32_t *a, long n, const uint32_t *b, long m,
                  uint32_t *to) {
  if (n < m) {
    const uint32_t *other = a;
    const long count = n;
    a = b, n = m;
    b = other, m = count;
  }
  if (n + m <= smallest) {
    long i = 0, j = 0;
    for (long k = 0; k < n + m; ++k)
      to[k] = i < n && (j >= m || a[i] <= b[j]) ? a[i++] : b[j++];
    return;
  }
  const long i = n / 2, j = count_less(b, m, a[i]);
#pragma omp task
  merge(a, i, b, j, to);
  merge(a + i, n - i, b + j, m - j, to + i + j);
#pragma omp taskwait
}

/// Sorts into `b` if `other`, into `a` else.
static void sort(uint32_t *a, uint32_t *b, long n, int other) {
  if (n <= smallest) {
    sort_alone(a, b, n);
    if (other)
      memcpy(b, a, (size_t)n * sizeof *a);
    return;
  }
  const long half = n / 2;
#pragma omp task
  sort(a, b, half, !other);
  sort(a + half, b + half, n - half, !other);
#pragma omp taskwait
  if (other)
    merge(a, half, a + half, n - half, b);
  else
    merge(b, half, b + half, n - half, a);
}

int main(int argc, char **argv) {
  const long n = argument(argc, argv, 1, 1L << 22);
  smallest = argument(argc, argv, 2, 1024);
  uint32_t *a = allocate(sizeof *a * (size_t)n),
           *b = allocate(sizeof *b * (size_t)n);
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    a[i] = (uint32_t)mix((uint64_t)i);
  const double begin = wall_time();
#pragma omp parallel
#pragma omp single
  sort(a, b, n, 0);
  report_time(wall_time() - begin);
  long wrong = 0;
  unsigned long sum = 0;
#pragma omp parallel for reduction(+ : wrong, sum)
  for (long i = 0; i < n; ++i) {
    wrong += i && a[i - 1] > a[i];
    sum += (unsigned long)a[i] * (unsigned long)(i % 1000);
  }
  printf("sort %ld: %ld wrong, %016lx\n", n, wrong, sum);
  return 0;
}
