// stdlib.h: numbers, sorting, searching, conversions and their errno.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static int compare_reversed(const void *a, const void *b, void *extra) { return *(int *)extra * compare(a, b); }

static void run(struct test *t) {
  static const char *const numbers[] = {"0",     "42",   "-42", "+7",  "  12abc", "0x1f", "0X1F", "077",
                                        "08",    "",     "abc", "-",   "0x",      "0xg",  "zz",   "9223372036854775807",
                                        "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
                                        "18446744073709551615", "18446744073709551616", "-1", "99999999999999999999999",
                                        "\t\n 5", "1e5", "0b11"};
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    for (unsigned j = 0; j < 6; ++j) {
      char *end, *end2;
      errno = 0;
      long value = strtol(numbers[i], &end, bases[j]);
      int error = errno;
      errno = 0;
      unsigned long positive = strtoul(numbers[i], &end2, bases[j]);
      out(t, "%s base %d: %ld %td %d; %lu %td %d", numbers[i], bases[j], value, end - numbers[i], error, positive,
          end2 - numbers[i], errno);
    }
  out(t, "%d %ld %lld", atoi("-12x"), atol("123456789012"), atoll("99"));
  out(t, "%" PRIdMAX " %" PRIuMAX, strtoimax("-5", NULL, 10), strtoumax("ff", NULL, 16));
  div_t d = div(-7, 2);
  ldiv_t l = ldiv(7, -2);
  lldiv_t ll = lldiv(LLONG_MIN, 10);
  out(t, "%d %d %ld %ld %lld %lld", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
  out(t, "%d %ld %lld %jd", abs(-5), labs(-6), llabs(-7), imaxabs(-8));
  int values[200];
  unsigned state = 12345;
  for (int i = 0; i < 200; ++i)
    values[i] = (int)((state = state * 1103515245 + 12345) >> 16) % 150;
  qsort(values, 200, sizeof *values, compare);
  int sorted = 1;
  for (int i = 1; i < 200; ++i)
    sorted &= values[i - 1] <= values[i];
  int key = values[77], missing = 1000;
  out(t, "%d %d %d", sorted, *(int *)bsearch(&key, values, 200, sizeof key, compare) == key,
      bsearch(&missing, values, 200, sizeof key, compare) == NULL);
  int direction = -1;
  qsort_r(values, 200, sizeof *values, compare_reversed, &direction);
  for (int i = 0; i < 200; i += 37)
    out(t, "%d", values[i]);
  srand(5);
  int first = rand(), second = rand();
  srand(5);
  out(t, "%d %d %d", first == rand(), second == rand(), first >= 0);
  char *words[] = {strdup("b"), strdup("a")};
  out(t, "%s%s", words[0], words[1]);
  free(words[0]);
  free(words[1]);
  errno = 0;
  volatile size_t size = SIZE_MAX / 2;
  void *volatile huge = malloc(size);
  out(t, "%d %d", huge == NULL, errno == ENOMEM);
  unsigned char *zeroed = calloc(10, 13);
  int all = 0;
  for (int i = 0; i < 130; ++i)
    all |= zeroed[i];
  zeroed = realloc(zeroed, 5000);
  zeroed[4999] = 1;
  out(t, "%d %d", all, zeroed[129]);
  free(zeroed);
  for (int align = 16; align <= 4096; align *= 4) {
    void *block = aligned_alloc(align, 4096);
    out(t, "%lu", (unsigned long)block % align);
    free(block);
  }
  free(NULL);
  out(t, "%d", mblen("a", 1));
  wchar_t wide[8];
  out(t, "%zu %d", mbstowcs(wide, "abc", 8), (int)wide[2]);
}
