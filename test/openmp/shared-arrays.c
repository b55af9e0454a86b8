// Reductions of arrays of which a block of threads has one copy (the pass share_reductions), and of those beside them that must not
// be shared: in teams of any size, in loops with and without a barrier behind them, in regions in regions, in functions of their own.
// RUN: %hostcc %s -o %t.host
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %t.host > %t.expected
// RUN: %run --threads 64 --blocks 3 --stack-size=128K %t.0 | diff %t.expected -
// RUN: %run --threads 1 %t.2 | diff %t.expected -
// RUN: %run --threads 128 --blocks 4 %t.2 | diff %t.expected -
// RUN: %run --threads 32 --blocks 3 %t.2 | diff %t.expected -
// RUN: %run --threads 50 --blocks 7 %t.2 | diff %t.expected -
// RUN: %gpucc -fopenmp -O1 -fno-lto %s -o %t.no-lto
// RUN: %run --threads 128 --blocks 2 %t.no-lto | diff %t.expected -
#include <stdio.h>
#include <string.h>

enum { BINS = 256, LARGEST = 4096, N = 3000 };
static unsigned mix(unsigned x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}

static void print32(const char *what, const unsigned *words, int count) {
  unsigned long sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + words[i];
  printf("%s: %u %u %u, %016lx\n", what, words[0], words[1], words[count - 1], sum);
}
static void print64(const char *what, const long *words, int count) {
  unsigned long sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + (unsigned long)words[i];
  printf("%s: %ld %ld %ld, %016lx\n", what, words[0], words[1], words[count - 1], sum);
}

// Twice, so that the second reduction begins with what the first one left.
static void histogram(int n) {
  unsigned counts[BINS];
  for (int time = 0; time < 2; ++time) {
    for (int i = 0; i < BINS; ++i)
      counts[i] = (unsigned)i;
#pragma omp parallel for reduction(+ : counts[:BINS])
    for (int i = 0; i < n; ++i)
      ++counts[mix((unsigned)i) % BINS];
    print32("histogram", counts, BINS);
  }
}

static void section(int n, unsigned *counts) {
#pragma omp parallel for reduction(+ : counts[16 : 100])
  for (int i = 0; i < n; ++i)
    counts[16 + mix((unsigned)i) % 100] = counts[16 + mix((unsigned)i) % 100] + (unsigned)i;
  print32("section", counts, BINS);
}

static void of_two_dimensions(int n) {
  long sums[8][5];
  memset(sums, 0, sizeof sums);
#pragma omp parallel for reduction(+ : sums)
  for (int i = 0; i < n; ++i) {
    const unsigned best = mix((unsigned)i) % 8;
    for (int axis = 0; axis < 4; ++axis)
      sums[best][axis] += ((long)i << 30) * axis;
    sums[best][4] -= 1;
  }
  print64("two dimensions", &sums[0][0], 40);
}

static void other_operations(int n) {
  unsigned minus[BINS] = {7}, either[BINS] = {1}, one[BINS] = {2}, both[BINS];
  memset(both, 255, sizeof both);
#pragma omp parallel for reduction(- : minus)
  for (int i = 0; i < n; ++i)
    minus[mix((unsigned)i) % BINS] -= (unsigned)i;
#pragma omp parallel for reduction(| : either)
  for (int i = 0; i < n; ++i)
    either[mix((unsigned)i) % BINS] |= 1u << i % 32;
#pragma omp parallel for reduction(^ : one)
  for (int i = 0; i < n; ++i)
    one[mix((unsigned)i) % BINS] ^= mix((unsigned)i + 1);
#pragma omp parallel for reduction(& : both)
  for (int i = 0; i < n; ++i)
    both[mix((unsigned)i) % BINS] &= ~(1u << i % 32);
  print32("-", minus, BINS);
  print32("|", either, BINS);
  print32("^", one, BINS);
  print32("&", both, BINS);
}

// Not shared: the old value is used; the element is the same in all lanes; another array and a number beside it; another operation.
static void threads_own(int n) {
  unsigned counts[BINS] = {0}, same[BINS] = {0}, left[BINS] = {0}, right[BINS] = {0}, mixed[BINS] = {0}, used = 0, total = 0;
#pragma omp parallel for reduction(+ : counts) reduction(+ : used)
  for (int i = 0; i < n; ++i)
    used += counts[mix((unsigned)i) % BINS]++ & 0;
#pragma omp parallel for reduction(+ : same)
  for (int i = 0; i < n; ++i)
    for (int bin = 0; bin < BINS; ++bin)
      same[bin] += (unsigned)(i ^ bin);
#pragma omp parallel for reduction(+ : left, right, total)
  for (int i = 0; i < n; ++i) {
    ++left[mix((unsigned)i) % BINS];
    ++right[mix((unsigned)i + 1) % BINS];
    ++total;
  }
#pragma omp parallel for reduction(+ : mixed)
  for (int i = 0; i < n; ++i) {
    mixed[mix((unsigned)i) % BINS] += 4;
    mixed[i % BINS] |= 0;
  }
  print32("old values", counts, BINS);
  print32("same elements", same, BINS);
  print32("left", left, BINS);
  print32("right", right, BINS);
  print32("two operations", mixed, BINS);
  printf("%u %u\n", used, total);
}

static void of_all_sizes(int n) {
  unsigned few[17] = {0}, all[LARGEST] = {0}, more[LARGEST + 1] = {0}, hundred[100] = {0};
#pragma omp parallel
  for (int time = 0; time < 3; ++time) {
#pragma omp for reduction(+ : few) nowait
    for (int i = 0; i < n; ++i)
      few[mix((unsigned)i) % 17] += 1;
#pragma omp for reduction(+ : all) nowait
    for (int i = 0; i < n; ++i)
      all[mix((unsigned)i) % LARGEST] += (unsigned)i;
#pragma omp for reduction(+ : more) nowait
    for (int i = 0; i < n; ++i)
      more[mix((unsigned)i) % (LARGEST + 1)] += (unsigned)i;
#pragma omp for reduction(+ : hundred)
    for (int i = 0; i < n; ++i)
      hundred[mix((unsigned)i) % 100] += 1;
  }
  print32("17", few, 17);
  print32("all that fits", all, LARGEST);
  print32("one more", more, LARGEST + 1);
  print32("100", hundred, 100);
}

// In whatever team it is called.
static __attribute__((noinline)) void count(int n, unsigned *counts) {
#pragma omp for reduction(+ : counts[:BINS])
  for (int i = 0; i < n; ++i)
    ++counts[mix((unsigned)i) % BINS];
}
static void in_functions(int n) {
  static unsigned alone[BINS], together[BINS], three[BINS], inside[BINS];
  count(n, alone);
#pragma omp parallel
  count(n, together);
#pragma omp parallel num_threads(3)
  count(n, three);
#pragma omp parallel for
  for (int i = 0; i < 4; ++i) {
    unsigned own[BINS] = {0};
#pragma omp parallel
    count(n / 8, own);
#pragma omp critical
    for (int bin = 0; bin < BINS; ++bin)
      inside[bin] += own[bin];
  }
#pragma omp parallel if (n < 0)
  count(n, alone);
  print32("alone", alone, BINS);
  print32("together", together, BINS);
  print32("three", three, BINS);
  print32("inside", inside, BINS);
}

int main(void) {
  histogram(N);
  static unsigned counts[BINS];
  section(N, counts);
  of_two_dimensions(N);
  other_operations(N);
  threads_own(N / 10);
  of_all_sizes(N / 10);
  in_functions(N);
  histogram(0);
  return 0;
}
