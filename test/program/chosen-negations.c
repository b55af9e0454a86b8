// Maxima and minima of numbers and negated ones, nested, of all widths, and in loops.
// RUN: %hostcc -O1 %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2 3; do %gpucc -O$level %s -o %t && %run %t | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdint.h>
#include <stdio.h>

static unsigned seed = 7;
static int some(void) {
  seed = seed * 1103515245 + 12345;
  return (int)(seed >> 16 & 0x7fff) % 400 - 200;
}

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define CHOICE(type, name, expression)                                                                                  \
  __attribute__((noinline)) static type name(type a, type b, type c, type d) { return (type)(expression); }
#define CHOICES(type)                                                                                                   \
  CHOICE(type, type##_inner, MAX((type)MAX(a, (type)-b), c))                                                            \
  CHOICE(type, type##_inner_min, MIN((type)MIN(a, (type)-b), c))                                                        \
  CHOICE(type, type##_outer, MAX((type)MAX(a, b), (type)-c))                                                            \
  CHOICE(type, type##_both, MAX((type)-c, (type)MAX((type)-b, a)))                                                      \
  CHOICE(type, type##_four, MIN((type)MIN(a, (type)-b), (type)MIN((type)-c, (type)-d)))                                 \
  CHOICE(type, type##_mixed, MIN((type)MAX(a, (type)-b), c))
CHOICES(int)
CHOICES(short)
CHOICES(int8_t)
CHOICES(int64_t)

__attribute__((noinline)) static int range(const int *numbers, int count) {
  int most = 0, least = 1000;
  for (int i = 0; i < count; ++i) {
    const int number = -numbers[3 * i];
    if (most < number)
      most = number;
    if (least > number)
      least = number;
  }
  return most * 1000 + least;
}

#define SHOW(type)                                                                                                      \
  printf(" %lld %lld %lld %lld %lld %lld", (long long)type##_inner(a, b, c, d), (long long)type##_inner_min(a, b, c, d), \
         (long long)type##_outer(a, b, c, d), (long long)type##_both(a, b, c, d), (long long)type##_four(a, b, c, d),   \
         (long long)type##_mixed(a, b, c, d))

int main(void) {
  for (int i = 0; i < 40; ++i) {
    const int a = some(), b = some(), c = some(), d = some();
    SHOW(int);
    SHOW(short);
    SHOW(int8_t);
    SHOW(int64_t);
    int numbers[40];
    for (int k = 0; k < 40; ++k)
      numbers[k] = some();
    printf(" %d %d\n", range(numbers, 4), range(numbers, i % 13));
  }
  return 0;
}
