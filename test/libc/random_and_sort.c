// rand(), random(), rand_r() and the order in which qsort() leaves equal elements: as with glibc, number by number.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <stdint.h>

static void numbers(struct test *t, const char *name, long (*next)(void)) {
  char text[100] = "";
  for (int i = 0; i < 5; i++)
    sprintf(text + strlen(text), " %ld", next());
  for (int i = 0; i < 1000; i++)
    next();
  out(t, "%s:%s %ld", name, text, next());
}
static long from_rand(void) { return rand(); }

static void generators(struct test *t) {
  numbers(t, "rand, not seeded", from_rand);
  const unsigned seeds[] = {0, 1, 2, 42, 0x7fffffff, 0x80000000, 0xffffffff, 123456789};
  for (unsigned i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    char name[40];
    srand(seeds[i]);
    sprintf(name, "srand(%u)", seeds[i]);
    numbers(t, name, from_rand);
    srandom(seeds[i]);
    sprintf(name, "srandom(%u)", seeds[i]);
    numbers(t, name, random);
    unsigned seed = seeds[i];
    int a = rand_r(&seed), b = rand_r(&seed);
    out(t, "rand_r: %d %d %u", a, b, seed);
  }
}

static void states(struct test *t) {
  static const int sizes[] = {8, 31, 32, 63, 64, 127, 128, 200, 256, 300};
  int32_t first[80], second[80];
  char *original = initstate(5, (char *)first, 128);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char name[40];
    char *before = initstate(7 + i, (char *)second, sizes[i]);
    out(t, "the state before is the first one: %d", before == (char *)first);
    sprintf(name, "initstate with %d bytes", sizes[i]);
    numbers(t, name, random);
    setstate((char *)first);
    numbers(t, "the first one", random);
    setstate((char *)second);
    numbers(t, "the second one goes on", random);
    setstate((char *)first);
  }
  errno = 0;
  char *refused = initstate(1, (char *)second, 7);
  out(t, "7 bytes: %s, errno %d", refused ? "accepted" : "refused", errno);
  setstate(original);
  numbers(t, "the original state", random);
}

struct element {
  int key, number;
  char rest[];
};
static int by_key(const void *a, const void *b) {
  return ((const struct element *)a)->key - ((const struct element *)b)->key;
}
static int by_key_down(const void *a, const void *b, void *factor) {
  return *(int *)factor * by_key(a, b);
}

static void sort(struct test *t, size_t count, size_t size, int keys) {
  char *array = calloc(count + 1, size);
  for (size_t i = 0; i < count; i++)
    *(struct element *)(array + i * size) = (struct element){rand() % keys, (int)i};
  int factor = -1;
  if (count % 2)
    qsort(array, count, size, by_key);
  else
    qsort_r(array, count, size, by_key_down, &factor);
  unsigned hash = 0;
  for (size_t i = 0; i < count; i++)
    hash = hash * 31 + ((struct element *)(array + i * size))->number;
  out(t, "%zu elements of %zu bytes, %d keys: %u", count, size, keys, hash);
  free(array);
}

static void run(struct test *t) {
  generators(t);
  states(t);
  static const int sizes[] = {8, 12, 16, 40, 100};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t count = 0; count < 40; count += 1 + count / 4)
      sort(t, count, sizes[i], 4);
  sort(t, 1000, 8, 10);
  sort(t, 777, 12, 1000000);
}
