// Each lane of a wave has data of its own in functions that call themselves: how often a loop counts, and which way it goes.
// RUN: for level in 0 1 2 3; do %gpucc -O$level %s -o %t.$level && for grid in "--threads 1" "--threads 64" "--threads 256 --blocks 4"; do %run $grid %t.$level || { echo "failed: -O$level $grid" >&2; exit 1; }; done; done
#include <gpuintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// Merges a[0..n) and b[0..m) into `to`, in halves while they are larger than
/// `largest`.
__attribute__((noinline)) static void
merge(const uint32_t *a, long n, const uint32_t *b, long m, uint32_t *to,
      long largest) {
  if (n + m > largest && n < m) {
    merge(b, m, a, n, to, largest);
    return;
  }
  if (n + m > largest) {
    const long half = n / 2;
    long before = 0;
    while (before < m && b[before] < a[half])
      ++before;
    merge(a, half, b, before, to, largest);
    merge(a + half, n - half, b + before, m - before, to + half + before,
          largest);
    return;
  }
  long i = 0, j = 0;
  for (long k = 0; k < n + m; ++k)
    to[k] = i < n && (j >= m || a[i] <= b[j]) ? a[i++] : b[j++];
}

/// Collatz's steps of `n`, the even ones counted apart.
__attribute__((noinline)) static long steps(long n, long *even) {
  long count = 0;
  while (n % 2 == 0 && n) {
    n /= 2;
    ++count;
    ++*even;
  }
  return n <= 1 ? count : count + 1 + steps(3 * n + 1, even);
}

int main(void) {
  const long number =
      (long)(__gpu_block_id_x() * __gpu_num_threads_x() + __gpu_thread_id_x());
  const long n = 40 + number % 17, m = 50 + number % 5;
  uint32_t *a = malloc((size_t)n * 4), *b = malloc((size_t)m * 4),
           *to = malloc((size_t)(n + m) * 4);
  if (!a || !b || !to)
    return 2;
  for (long i = 0; i < n; ++i)
    a[i] = (uint32_t)(i * (number % 7 + 3));
  for (long i = 0; i < m; ++i)
    b[i] = (uint32_t)(i * 5 + number % 11);
  merge(a, n, b, m, to, 20 + number % 30);
  uint64_t sum = 0, expected = 0;
  for (long i = 0; i < n + m; ++i) {
    sum += to[i];
    expected += i < n ? a[i] : b[i - n];
    if (i && to[i - 1] > to[i]) {
      printf("merge, lane %ld: %u stands before %u\n", number, to[i - 1],
             to[i]);
      return 1;
    }
  }
  if (sum != expected) {
    printf("merge, lane %ld: the numbers add up to %lu, not %lu\n", number,
           (unsigned long)sum, (unsigned long)expected);
    return 1;
  }
  long even = 0, count = 0, even_here = 0;
  const long found = steps(number + 1, &even);
  for (long at = number + 1; at > 1; ++count)
    if (at % 2)
      at = 3 * at + 1;
    else
      at /= 2, ++even_here;
  if (found != count || even != even_here) {
    printf("steps, lane %ld: %ld, %ld even; expected %ld, %ld\n", number, found,
           even, count, even_here);
    return 1;
  }
  return 0;
}
