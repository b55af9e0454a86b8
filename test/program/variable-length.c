// Arrays of variable length and alloca(): sizes that each thread has of its own, two dimensions, recursion, and loops whose
// arrays would fill any stack if they were not given back.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run %t | diff %t.expected -
// RUN: %gpucc %lanes -O0 %s -o %t.plain
// RUN: %run %t.plain | diff %t.expected -
// RUN: %run --threads 256 --blocks 16 %t many
#include "../Inputs/expect.h"
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) long trace(int size, const int matrix[size][size]) {
  long sum = 0;
  for (int i = 0; i < size; ++i)
    sum += matrix[i][i];
  return sum;
}

static long square(int size) {
  int matrix[size][size];
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < size; ++k)
      matrix[i][k] = i * k + size;
  return trace(size, matrix) + (long)sizeof matrix;
}

static __attribute__((noinline)) long deep(int depth) {
  char text[depth + 1];
  memset(text, 'a' + depth % 26, (size_t)depth);
  text[depth] = 0;
  long below = depth ? deep(depth - 1) : 0;
  return below * 31 + (long)strlen(text) + text[0]; // which nobody has overwritten
}

static long loops(int seed) {
  long sum = 0;
  for (int i = 0; i < 3000; ++i) {
    volatile char bytes[1 + (i * 7 + seed) % 1000];
    bytes[sizeof bytes - 1] = (char)i;
    bytes[0] = 1;
    sum += bytes[sizeof bytes - 1] + (long)sizeof bytes;
  }
  return sum;
}

static long jumps(int size) {
  long sum = 0;
again:;
  int values[size];
  for (int i = 0; i < size; ++i)
    values[i] = i;
  sum += values[size / 2];
  if (size-- > 1)
    goto again;
  return sum;
}

// Arrays in scopes that goto leaves: forwards out of two loops, backwards out of a block, and to before the declaration.
static long left_by_goto(int seed) {
  long sum = 0;
  for (int i = 0; i < 1000; ++i) {
    volatile short outer[1 + (i * 5 + seed) % 500];
    outer[0] = (short)i;
    for (int k = 0;; ++k) {
      volatile char inner[1 + (i * 3 + k) % 1000];
      inner[sizeof inner - 1] = (char)k;
      sum += inner[sizeof inner - 1] + outer[0];
      if (k == i % 3)
        goto next;
    }
  next:;
  }
  int i = 0;
back : {
  volatile char bytes[1 + (i * 7 + seed) % 1000];
  bytes[0] = (char)i;
  sum += bytes[0];
  if (++i < 3000)
    goto back;
}
again:;
  volatile char bytes[1 + (i * 7 + seed) % 1000];
  bytes[sizeof bytes - 1] = (char)i;
  sum += bytes[sizeof bytes - 1];
  if (--i > 0)
    goto again;
  return sum;
}

static long borrowed(int count) {
  char **texts = alloca((size_t)count * sizeof *texts);
  for (int i = 0; i < count; ++i) {
    texts[i] = alloca(12);
    snprintf(texts[i], 12, "%d", i * i);
  }
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 7 + atoi(texts[i]);
  return sum + ((size_t)texts % sizeof *texts != 0);
}

static long all(int seed) {
  return square(3 + seed % 9) ^ deep(10 + seed % 7) << 3 ^ loops(seed) << 7 ^ jumps(5 + seed % 11) << 11 ^ borrowed(1 + seed % 5) ^ left_by_goto(seed % 4) << 5;
}

int main(int argc, char **argv) {
  static long expected[64];
  if (argc > 1) {
    const int seed = (int)(thread_of_the_grid() % 64);
    const long mine = all(seed);
    long before = __atomic_exchange_n(&expected[seed], mine, __ATOMIC_RELAXED);
    return !EXPECT(!before || before == mine, "%ld for %d, another thread had %ld", mine, seed, before);
  }
  for (int seed = 0; seed < 3; ++seed)
    printf("%ld\n", left_by_goto(seed));
  for (int seed = 0; seed < 64; ++seed)
    printf("%d %ld %ld %ld %ld %ld\n", seed, square(3 + seed % 9), deep(10 + seed % 7), loops(seed), jumps(5 + seed % 11), borrowed(1 + seed % 5));
  return 0;
}
