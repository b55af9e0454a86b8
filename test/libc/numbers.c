// stdlib.h: what stdlib.c leaves: all widths and locales of number conversion, random numbers, aligned memory, characters of
// many bytes, sub-options, radix 64, mkstemp. Values that the standard leaves open are compared by what it says of them.
// RUN: rm -rf %t.d && mkdir -p %t.d
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t -lm
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: cd %t.d && %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <unistd.h>

static int backwards(const void *a, const void *b) { return *(const unsigned char *)b - *(const unsigned char *)a; }
static int by_size(const void *a, const void *b, void *calls) {
  ++*(int *)calls;
  return (int)strlen(*(char *const *)a) - (int)strlen(*(char *const *)b);
}

static void conversions(struct test *t) {
  static const char *const texts[] = {"", " ", "-", "+5", "12345678901234567890", "-12345678901234567890", "18446744073709551615",
                                      "18446744073709551616", "-18446744073709551616", "0x", "0x7fffffffffffffff", "-0x8000000000000000",
                                      "zz", "0b1", "1_000", "\f\v 7", "2147483648", "4294967296"};
  locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i)
    for (int base = 0; base <= 36; base += base ? 9 : 1) {
      char *end = NULL;
      errno = 0;
      unsigned long long a = strtoull(texts[i], &end, base == 1 ? 2 : base);
      int error = errno;
      errno = 0;
      long long b = strtoll(texts[i], NULL, base == 1 ? 2 : base);
      out(t, "%s %d: %llu %td %d %lld %d", texts[i], base, a, end - texts[i], error, b, errno);
      out(t, "%ld %lu %lld %llu", strtol_l(texts[i], NULL, 0, locale), strtoul_l(texts[i], NULL, 0, locale),
          strtoll_l(texts[i], NULL, 0, locale), strtoull_l(texts[i], NULL, 0, locale));
    }
  static const int wrong[] = {1, -1, 37};
  for (int i = 0; i < 3; ++i) {
    errno = 0;
    volatile int base = wrong[i];
    out(t, "%ld", strtol("10", NULL, base));
    out(t, "%d", errno);
  }
  static const char *const reals[] = {"1.5", "-0x1.8p2", "inf", "1e500", "", "2.5e", "0.1"};
  for (unsigned i = 0; i < sizeof reals / sizeof *reals; ++i) {
    char *end;
    errno = 0;
    double value = (double)strtold(reals[i], &end);
    out(t, "%g %td", value, end - reals[i]);
    out(t, "%a %a %g", strtod_l(reals[i], NULL, locale), (double)strtof_l(reals[i], &end, locale), (double)strtold_l(reals[i], NULL, locale));
    out(t, "%a", atof(reals[i]));
  }
  freelocale(locale);
}

static void random_numbers(struct test *t) {
  for (int i = 0; i < 3; ++i) // before a seed
    out(t, "%ld", lrand48());
  srand48(42);
  for (int i = 0; i < 5; ++i)
    out(t, "%.15f %ld %ld", drand48(), lrand48(), mrand48());
  unsigned short state[3] = {1, 2, 3};
  out(t, "%.15f %ld %ld", erand48(state), nrand48(state), jrand48(state));
  srand48(-123456789012345);
  out(t, "%ld %ld", lrand48(), mrand48());
  const unsigned short *old = seed48((unsigned short[]){0x1234, 0x5678, 0x9abc});
  out(t, "%x %x %x", old[0], old[1], old[2]);
  out(t, "%ld", mrand48());
  lcong48((unsigned short[]){1, 2, 3, 4, 5, 6, 7});
  out(t, "%ld %ld", mrand48(), nrand48(state));
  out(t, "%.15f", drand48());
  srand48(1);
  out(t, "%ld", lrand48());
  struct drand48_data data = {0};
  double fraction;
  long number;
  for (int i = 0; i < 2; ++i) {
    drand48_r(&data, &fraction), lrand48_r(&data, &number);
    out(t, "%.15f %ld", fraction, number);
    mrand48_r(&data, &number), erand48_r(state, &data, &fraction);
    out(t, "%.15f %ld", fraction, number);
    nrand48_r(state, &data, &number);
    out(t, "%ld", number);
    jrand48_r(state, &data, &number);
    out(t, "%ld", number);
    srand48_r(99, &data);
  }
  seed48_r(state, &data), lrand48_r(&data, &number);
  out(t, "%ld", number);
  lcong48_r((unsigned short[]){9, 8, 7, 6, 5, 4, 3}, &data), mrand48_r(&data, &number);
  out(t, "%ld", number);
  out(t, "%lld %llu", strtoq("-12345678901234", NULL, 10), strtouq("777", NULL, 8));
  unsigned seed = 7, same = 7;
  int in_range = 1, equal = 1;
  for (int i = 0; i < 100; ++i) {
    int a = rand_r(&seed), b = rand_r(&same);
    in_range &= a >= 0 && a <= RAND_MAX;
    equal &= a == b;
  }
  srandom(3);
  long first = random(), second = random();
  srandom(3);
  equal &= first == random() && second == random();
  in_range &= first >= 0 && first <= 2147483647;
  out(t, "%d %d %d", in_range, equal, first != second);
}

static void memory(struct test *t) {
  void *block = NULL;
  out(t, "%d %d", posix_memalign(&block, 3, 10), posix_memalign(&block, 4, 10));
  out(t, "%d %d", posix_memalign(&block, 256, 1000), (int)((uintptr_t)block % 256));
  memset(block, 1, 1000);
  out(t, "%d", malloc_usable_size(block) >= 1000);
  free(block);
  block = memalign(1024, 5);
  out(t, "%d", (int)((uintptr_t)block % 1024));
  free(block);
  out(t, "%d", malloc_usable_size(NULL) == 0);
#ifndef __gpuexec__
#define memalignment(at) ((size_t)((uintptr_t)(at) & -(uintptr_t)(at)))
#endif
  out(t, "%zu %zu %zu", memalignment((void *)96), memalignment((void *)7), memalignment(NULL));
  volatile size_t many = SIZE_MAX / 4;
  errno = 0;
  out(t, "%d", reallocarray(NULL, many, 8) == NULL);
  out(t, "%d", errno == ENOMEM);
  errno = 0;
  out(t, "%d", calloc(many, 8) == NULL);
  out(t, "%d", errno == ENOMEM);
  char *grown = reallocarray(NULL, 10, 3);
  strcpy(grown, "kept while it grows");
  grown = realloc(grown, 100000);
  out(t, "%s", grown);
  grown = realloc(grown, 20);
  out(t, "%s", grown);
  free(grown);
  block = malloc(0);
  free(block);
}

static void rest(struct test *t) {
  char text[] = "ro,size=10,bad,name=x=y";
  static char *const tokens[] = {"ro", "rw", "size", "name", NULL};
  char *at = text, *value;
  while (*at) {
    int which = getsubopt(&at, tokens, &value);
    out(t, "%d %s", which, value ? value : "(none)");
  }
  static const long longs[] = {0, 1, 63, 64, 123456, 2147483647};
  for (int i = 0; i < 6; ++i)
    out(t, "%s %ld", l64a(longs[i]), a64l(l64a(longs[i])));
  out(t, "%ld", a64l("zz/."));
  unsigned char bytes[300];
  for (int i = 0; i < 300; ++i)
    bytes[i] = (unsigned char)(i * 37);
  qsort(bytes, 300, 1, backwards);
  int sorted = 1;
  for (int i = 1; i < 300; ++i)
    sorted &= bytes[i - 1] >= bytes[i];
  qsort(bytes, 0, 1, backwards);
  qsort(bytes, 1, 1, backwards);
  out(t, "%d %d", sorted, bsearch("a", bytes, 0, 1, backwards) == NULL);
  struct {
    char key, rest[12];
  } wide[20];
  for (int i = 0; i < 20; ++i) {
    wide[i].key = (char)(i * 7 % 20);
    snprintf(wide[i].rest, 12, "rest %d", wide[i].key);
  }
  qsort(wide, 20, sizeof *wide, backwards);
  out(t, "%d %s %d %s", wide[0].key, wide[0].rest, wide[19].key, wide[19].rest);
  char *words[] = {"ccc", "a", "dddd", "bb"};
  int calls = 0;
  qsort_r(words, 4, sizeof *words, by_size, &calls);
  out(t, "%s %s %s %s %d", words[0], words[1], words[2], words[3], calls > 2);
  char swapped[8] = "badcfe";
  swab(swapped, swapped, 6);
  out(t, "%s", swapped);
  out(t, "%d %d %d", abs(-2147483647), (int)labs(-5l), div(7, -3).rem);
  out(t, "%lld %lld", lldiv(-7, 2).quot, llabs(LLONG_MIN + 1));
  char name[] = "madeXXXXXX";
  int file = mkstemp(name);
  out(t, "%d %d", file >= 0, strcmp(name, "madeXXXXXX") != 0);
  close(file);
  unlink(name);
  char folder[] = "made.d.XXXXXX";
  out(t, "%d %d", mkdtemp(folder) == folder, rmdir(folder));
}

static void run(struct test *t) {
  conversions(t);
  random_numbers(t);
  memory(t);
  rest(t);
}
