// Reductions: all operators, types of all sizes, arrays and sections of arrays, several at once, declared ones, in loops with and
// without a barrier behind them, in teams of any size.
// RUN: %hostcc %s -o %t.host
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %t.host > %t.expected
// RUN: %run --threads 64 --blocks 3 %t.0 | diff %t.expected -
// RUN: %run --threads 1 %t.2 | diff %t.expected -
// RUN: %run --threads 64 %t.2 | diff %t.expected -
// RUN: %run --threads 128 --blocks 4 %t.2 | diff %t.expected -
// RUN: %run --threads 32 --blocks 3 %t.2 | diff %t.expected -
// RUN: %run --threads 50 --blocks 7 %t.2 | diff %t.expected -
#include <complex.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

static void operators(int n) {
  int sum = 5, bits_and = -1, bits_or = 0, bits_xor = 0;
  bool both = true, either = false;
  int least = INT_MAX;
  double most = -1;
  unsigned long long product = 1;
#pragma omp parallel for reduction(+ : sum) reduction(& : bits_and) reduction(| : bits_or) reduction(^ : bits_xor)            \
    reduction(&& : both) reduction(|| : either) reduction(min : least) reduction(max : most) reduction(* : product)
  for (int i = 0; i < n; ++i) {
    sum += i;
    bits_and &= ~(1 << i % 20);
    bits_or |= 1 << i % 25;
    bits_xor ^= i * 77;
    both = both && i < 1000;
    either = either || i == 500;
    least = least < 3 * i - 700 ? least : 3 * i - 700;
    most = most > i % 313 * 0.5 ? most : i % 313 * 0.5;
    product *= 2 * i + 1;
  }
  printf("%d %x %x %x %d %d %d %g %llu\n", sum, bits_and, bits_or, bits_xor, both, either, least, most, product);
}

static void types(int n) {
  signed char c = 0;
  short s = 1;
  long l = 2;
  float f = 3;
  double d = 4;
  long double ld = 5;
  double complex z = 6;
#pragma omp parallel for reduction(+ : c, s, l, f, d, ld, z)
  for (int i = 0; i < n; ++i) {
    c += i;
    s += i;
    l += (long)i << 33;
    f += i % 8;
    d += i;
    ld += i;
    z += i + 2 * i * I;
  }
  printf("%d %d %ld %g %g %Lg %g %g\n", c, s, l, f, d, ld, creal(z), cimag(z));
  int minus = 100;
#pragma omp parallel for reduction(- : minus)
  for (int i = 0; i < n; ++i)
    minus -= i;
  printf("%d\n", minus);
}

static void arrays(int n) {
  int histogram[37] = {0}, grid[3][5] = {{0}}, section[100] = {0}, *pointer = section;
  double last[3] = {1, 2, 3};
#pragma omp parallel for reduction(+ : histogram, grid) reduction(max : last)
  for (int i = 0; i < n; ++i) {
    histogram[i % 37]++;
    grid[i % 3][i % 5] += i;
    last[i % 3] = last[i % 3] > i ? last[i % 3] : i;
  }
  unsigned hash = 0;
  for (int i = 0; i < 37; ++i)
    hash = hash * 31 + histogram[i];
  for (int i = 0; i < 15; ++i)
    hash = hash * 31 + grid[i / 5][i % 5];
  printf("%u %g %g %g\n", hash, last[0], last[1], last[2]);
  // Sections whose lengths are constant and known at run time only.
  const int begin = n / 100, length = n / 20;
#pragma omp parallel for reduction(+ : section[10 : 5])
  for (int i = 0; i < n; ++i)
    section[10 + i % 5] += i;
#pragma omp parallel for reduction(+ : pointer[begin : length])
  for (int i = 0; i < n; ++i)
    pointer[begin + i % length] += 2;
  int variable[length];
  for (int i = 0; i < length; ++i)
    variable[i] = i;
#pragma omp parallel for reduction(+ : variable)
  for (int i = 0; i < n; ++i)
    variable[i % length] += i;
  for (int i = 0; i < 100; ++i)
    hash = hash * 31 + section[i];
  for (int i = 0; i < length; ++i)
    hash = hash * 31 + variable[i];
  printf("%u\n", hash);
}

struct extremes {
  int least, most;
  long count;
};
static void merge(struct extremes *to, const struct extremes *from) {
  to->least = from->least < to->least ? from->least : to->least;
  to->most = from->most > to->most ? from->most : to->most;
  to->count += from->count;
}
#pragma omp declare reduction(merge : struct extremes : merge(&omp_out, &omp_in))                                             \
    initializer(omp_priv = (struct extremes){INT_MAX, INT_MIN, 0})

static void declared(int n) {
  struct extremes all = {0, 0, 0};
#pragma omp parallel for reduction(merge : all)
  for (int i = 0; i < n; ++i) {
    const struct extremes one = {i * 7919 % 1000 - 500, i * 7919 % 1000 - 500, 1};
    merge(&all, &one);
  }
  printf("%d %d %ld\n", all.least, all.most, all.count);
}

// Many in one region: the blocks are at different ones at the same time.
static void repeated(int n) {
  long a = 0, b = 0, rounds = 0;
#pragma omp parallel
  for (int round = 0; round < 30; ++round) {
#pragma omp for reduction(+ : a) nowait
    for (int i = 0; i < n; ++i)
      a += i;
#pragma omp for reduction(+ : b) reduction(max : rounds)
    for (int i = 0; i < round; ++i) {
      b += i;
      rounds = round;
    }
  }
  printf("%ld %ld %ld\n", a, b, rounds);
}

int main(void) {
  operators(600);
  operators(1);
  types(200);
  arrays(1000);
  declared(5000);
  repeated(100);
  return 0;
}
