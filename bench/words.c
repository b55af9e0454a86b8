//===-- bench/words.c - What accesses of doubtful alignment cost ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums words of 4 and 8 bytes of a buffer in three ways: through a pointer to
// words, which gpucc trusts; through a cast pointer of characters, at multiples
// of the words' size and one byte behind them. Printed are nanoseconds a word,
// of one thread and of the whole grid.
//   gpucc -O2 -fopenmp --arch=ARCH bench/words.c -o words
//   gpuexec words [KIB of a thread's buffer]
//===----------------------------------------------------------------------===//
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 8, THREADS = 65536 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

#define SUMS(word)                                                             \
  __attribute__((noinline)) static uint64_t trusted_##word(const word *words,  \
                                                           size_t count) {     \
    uint64_t sum = 0;                                                          \
    for (size_t i = 0; i < count; ++i)                                         \
      sum = sum * 31 + words[i];                                               \
    return sum;                                                                \
  }                                                                            \
  __attribute__((noinline)) static uint64_t cast_##word(const char *bytes,     \
                                                        size_t count) {        \
    uint64_t sum = 0;                                                          \
    for (size_t i = 0; i < count; ++i)                                         \
      sum = sum * 31 + *(const word *)(bytes + i * sizeof(word));              \
    return sum;                                                                \
  }
SUMS(uint32_t)
SUMS(uint64_t)

enum { TRUSTED, ALIGNED, BEHIND };

#define RUN(word, way, buffer, count)                                          \
  ((way) == TRUSTED ? trusted_##word((const word *)(buffer), count)            \
                    : cast_##word((buffer) + ((way) == BEHIND), count))

static uint64_t run(size_t size, int way, const char *buffer, size_t bytes) {
  uint64_t sum = 0;
  for (int round = 0; round < ROUNDS; ++round)
    sum += size == 4 ? RUN(uint32_t, way, buffer, bytes / 4)
                     : RUN(uint64_t, way, buffer, bytes / 8);
  return sum;
}

static void measure(size_t size, int way, int threads, const char *buffers,
                    size_t bytes) {
  static const char *const names[] = {"a pointer to words",
                                      "a cast pointer, aligned",
                                      "a cast pointer, one byte behind"};
  uint64_t sum = 0;
  const double begin = now();
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
  for (int i = 0; i < threads; ++i)
    sum += run(size, way, buffers + (size_t)i * (bytes + 64), bytes);
  const double seconds = now() - begin;
  const double words = (double)threads * ROUNDS * (double)(bytes / size);
  printf("%zu bytes, %d threads, %s: %.4f ns a word (%llx)\n", size, threads,
         names[way], seconds / words * 1e9, (unsigned long long)sum);
}

int main(int argc, char **argv) {
  const size_t bytes = (argc > 1 ? (size_t)atol(argv[1]) : 4) * 1024;
  const size_t all = THREADS * (bytes + 64);
  char *buffers = malloc(all);
  if (!buffers) {
    fprintf(stderr, "words: no memory for %zu bytes\n", all);
    return 1;
  }
  for (size_t i = 0; i < all; i += 4)
    memcpy(buffers + i, &(uint32_t){(uint32_t)i * 2654435761u}, 4);
  for (int threads = 1; threads <= THREADS; threads += THREADS - 1)
    for (size_t size = 4; size <= 8; size += 4)
      for (int way = TRUSTED; way <= BEHIND; ++way)
        measure(size, way, threads, buffers, bytes);
  return 0;
}
