// Sound code that looks like the mistakes of bugs.c: --check=uninit has nothing to say.
// REQUIRES: emulator
// RUN: %gpucc -O1 -g %s -o %t -I%S/inputs
// RUN: %python %S/inputs/each_case.py %s sound %run --check=uninit %t
// RUN: %gpucc -O0 -g %s -o %t.plain -I%S/inputs
// RUN: %python %S/inputs/each_case.py %s sound %run --check=uninit %t.plain
#include "cases.h"
#include <unistd.h>

struct padded {
  char tag;
  int value;
  char last;
};
struct fields {
  unsigned a : 3, b : 5, c : 24;
};

CASE(length_of_a_short_text) {
  char *p = hide(malloc(6));
  memcpy(p, "hello", 6);
  return strlen(hide(p)) != 5;
}
CASE(length_at_every_place) {
  for (int at = 0; at < 16; ++at)
    for (int length = 0; length < 20; ++length) {
      char *p = hide(malloc(64));
      memset(p + at, 'x', length);
      p[at + length] = 0;
      if (strlen(hide(p + at)) != (size_t)length)
        return 1;
      free(p);
    }
  return 0;
}
CASE(texts_compared) {
  char *p = hide(malloc(7)), *q = hide(malloc(11));
  strcpy(p, "abcdef");
  strcpy(q, "abcdeg");
  return strcmp(hide(p), hide(q)) >= 0 || strncmp(p, q, 5);
}
CASE(character_found) {
  char *p = hide(malloc(30));
  strcpy(p, "a text with a colon: here");
  return strchr(hide(p), ':') != p + 19 || memchr(p, ':', 25) != p + 19 ||
         strrchr(p, 'e') != p + 24 || strstr(p, "colon") != p + 14;
}
CASE(texts_joined) {
  char *p = hide(malloc(20));
  strcpy(p, "abc");
  strcat(hide(p), "defgh");
  char *q = hide(strdup(hide(p)));
  return strcmp(q, "abcdefgh");
}
CASE(padding_copied) {
  struct padded *p = hide(malloc(sizeof *p)), *q = hide(malloc(sizeof *q));
  p->tag = 1, p->value = 2, p->last = 3;
  *q = *(struct padded *)hide(p);
  hide(q);
  return q->tag != 1 || q->value != 2 || q->last != 3;
}
CASE(undefined_copied) {
  char *p = hide(malloc(1000)), *q = hide(malloc(1000));
  for (int i = 0; i < 4; ++i) {
    memcpy(q, p, 1000);
    memmove(hide(p), q + 3, 900);
  }
  return 0;
}
CASE(computed_and_not_used) {
  int *p = hide(malloc(64));
  int x = hide_int(p[1] * 3 + p[2]);
  p[5] = hide_int(x ^ 5);
  return 0;
}
CASE(fields_in_part) {
  struct fields *f = hide(malloc(sizeof *f));
  f->a = 5;
  f->c = 77;
  hide(f);
  return f->a != 5 || f->c != 77;
}
CASE(masked) {
  unsigned *p = hide(malloc(4));
  *(unsigned char *)p = 3;
  hide(p);
  return (*p & 0xf) != 3;
}
CASE(multiplied_by_zero) {
  unsigned *p = hide(malloc(4));
  return (*p & 0) != 0 || *p * (unsigned)hide_int(0) != 0;
}
CASE(low_bits_of_a_sum) {
  unsigned *p = hide(malloc(4));
  ((unsigned char *)p)[0] = 7;
  hide(p);
  return ((*p + 9) & 0xff) != 16 || ((*p << 4) & 0xf) != 0;
}
CASE(compared_by_other_bytes) {
  uint32_t *p = hide(malloc(4));
  *(unsigned char *)p = 3;
  hide(p);
  return *p == 4; // whatever the rest is
}
CASE(cleared_by_xor) {
  unsigned *p = hide(malloc(8));
  p[1] = 0;
  p[0] |= ~0u;
  hide(p);
  return p[0] != ~0u;
}
CASE(cleared_memory) {
  int *p = hide(calloc(100, sizeof(int)));
  for (int i = 0; i < 100; ++i)
    if (p[i])
      return 1;
  return 0;
}
CASE(kept_by_realloc) {
  char *p = hide(malloc(100));
  memset(p, 7, 100);
  p = hide(realloc(p, 5000));
  for (int i = 0; i < 100; ++i)
    if (p[i] != 7)
      return 1;
  return 0;
}
CASE(freed_and_written_again) {
  for (int i = 0; i < 20; ++i) {
    int *p = hide(malloc(100));
    for (int k = 0; k < 25; ++k)
      p[k] = i;
    hide(p);
    for (int k = 0; k < 25; ++k)
      if (p[k] != i)
        return 1;
    free(p);
  }
  return 0;
}
CASE(written_by_the_host) {
  char *p = hide(malloc(20000)), name[] = "/dev/zero";
  FILE *file = fopen(name, "r");
  if (!file)
    return 1;
  size_t got = fread(p, 1, 20000, file);
  fclose(file);
  for (size_t i = 0; i < got; ++i)
    if (((char *)hide(p))[i])
      return 1;
  return got != 20000;
}
CASE(formatted_into_it) {
  char *p = hide(malloc(40));
  int n = snprintf(p, 40, "%d %s %.2f", hide_int(5), "text", 1.5);
  return n != 11 || strcmp(hide(p), "5 text 1.50");
}
CASE(printed) {
  char *p = hide(malloc(9));
  strcpy(p, "a text");
  printf("%s %d %c %5.1f %p\n", (char *)hide(p), hide_int(3), 'x', 2.5, (void *)0);
  puts(p);
  return write(1, "abc\n", 4) != 4;
}
static int order(const void *a, const void *b) {
  return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b);
}
CASE(sorted) {
  int *p = hide(malloc(50 * sizeof(int)));
  for (int i = 0; i < 50; ++i)
    p[i] = i * 37 % 50;
  qsort(hide(p), 50, sizeof(int), order);
  for (int i = 0; i < 50; ++i)
    if (p[i] != i)
      return 1;
  return 0;
}
CASE(variable_length) {
  int n = hide_int(12);
  int list[n];
  int *p = hide(list);
  for (int i = 0; i < n; i += 2)
    p[i] = i;
  hide(p);
  for (int i = 0; i < n; i += 2)
    if (p[i] != i)
      return 1;
  return 0;
}
CASE(lowest_bit) {
  uint64_t *p = hide(malloc(8));
  *(uint32_t *)p = 0x100;
  hide(p);
  return __builtin_ctzll(*p | (uint64_t)1 << 40) != 8;
}
CASE(lowest_bit_of_halves) {
  uint32_t *p = hide(malloc(4));
  *(uint16_t *)p = 0x40;
  hide(p);
  return __builtin_ctz(*p | 1u << 31) != 6 || __builtin_ffs((int)*p) != 7;
}
CASE(bytes_swapped) {
  uint32_t *p = hide(malloc(4));
  ((unsigned char *)p)[1] = 9;
  hide(p);
  return (__builtin_bswap32(*p) >> 16 & 0xff) != 9;
}
CASE(union_member) {
  union {
    char bytes[8];
    uint64_t word;
  } u, *p = hide(&u);
  memset(p->bytes, 1, 3);
  hide(p);
  return (p->word & 0xffffff) != 0x010101;
}
static __attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
  return hide_int(a + b + c + d + e + f + g + h + i + j);
}
CASE(deep_calls) {
  int sum = 0;
  for (int i = 0; i < 5; ++i)
    sum += many(i, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  return sum != 5 * 45 + 10;
}
CASE(atomics) {
  int *p = hide(malloc(8));
  __atomic_store_n(p, 5, __ATOMIC_RELAXED);
  __atomic_fetch_add(p, 3, __ATOMIC_RELAXED);
  int expected = 8;
  __atomic_compare_exchange_n(p, &expected, 20, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return __atomic_exchange_n(p, 1, __ATOMIC_RELAXED) != 20 || *p != 1;
}

#define ROW(name) {#name, name},
static const struct named_case CASES[] = {
    ROW(length_of_a_short_text) ROW(length_at_every_place)
    ROW(texts_compared) ROW(character_found) ROW(texts_joined)
    ROW(padding_copied) ROW(undefined_copied) ROW(computed_and_not_used)
    ROW(fields_in_part) ROW(masked) ROW(multiplied_by_zero)
    ROW(low_bits_of_a_sum) ROW(compared_by_other_bytes) ROW(cleared_by_xor)
    ROW(cleared_memory) ROW(kept_by_realloc) ROW(freed_and_written_again)
    ROW(written_by_the_host) ROW(formatted_into_it) ROW(printed) ROW(sorted)
    ROW(variable_length) ROW(lowest_bit) ROW(lowest_bit_of_halves)
    ROW(bytes_swapped) ROW(union_member) ROW(deep_calls) ROW(atomics){0, 0}};

int main(int argc, char **argv) { return run_case(CASES, argv[1]); }
