// Other directives: scan, teams, target, loop, simd with linear variables, unroll, tile, metadirective, scope, error; programs of
// several constructs. As without OpenMP.
// RUN: %hostcc %s -lm -o %t.host
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %t.host > %t.expected
// RUN: %run --threads 64 --blocks 2 %t.0 2> %t.errors | diff %t.expected -
// RUN: FileCheck %s < %t.errors
// RUN: %run --threads 1 %t.2 | diff %t.expected -
// RUN: %run --threads 128 --blocks 4 %t.2 | diff %t.expected -
// RUN: %run --threads 32 --blocks 3 %t.2 | diff %t.expected -
// CHECK: OpenMP: a warning of the program
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void heat(int n, int steps) {
  double *now = malloc(n * n * sizeof *now), *next = malloc(n * n * sizeof *next), most = 0;
  for (int i = 0; i < n * n; ++i)
    now[i] = next[i] = i % n == 0 ? 100 : 0;
#pragma omp parallel
  for (int step = 0; step < steps; ++step) {
#pragma omp for collapse(2)
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        next[i * n + j] = (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1]) / 4;
#pragma omp single
    {
      double *other = now;
      now = next;
      next = other;
    }
  }
#pragma omp parallel for reduction(max : most)
  for (int i = 0; i < n * n; ++i)
    if (i % n && now[i] > most)
      most = now[i];
  printf("heat: %.10g %.10g\n", most, now[n / 2 * n + n / 2]);
  free(now);
  free(next);
}

static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }
static void sort(int *a, int n, int *spare) {
  if (n < 16) {
    qsort(a, n, sizeof *a, compare);
    return;
  }
#pragma omp task
  sort(a, n / 2, spare);
#pragma omp task
  sort(a + n / 2, n - n / 2, spare + n / 2);
#pragma omp taskwait
  int i = 0, j = n / 2, k = 0;
  while (i < n / 2 || j < n)
    spare[k++] = j == n || (i < n / 2 && a[i] < a[j]) ? a[i++] : a[j++];
  memcpy(a, spare, n * sizeof *a);
}

static void scans(void) {
  int numbers[50], sums[50], sum = 0, before[50], most = INT_MIN;
  for (int i = 0; i < 50; ++i)
    numbers[i] = i * 37 % 50;
#ifdef _OPENMP
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < 50; ++i) {
    sum += numbers[i];
#pragma omp scan inclusive(sum)
    sums[i] = sum;
  }
#pragma omp parallel for reduction(inscan, max : most)
  for (int i = 0; i < 50; ++i) {
    before[i] = most;
#pragma omp scan exclusive(most)
    most = most > numbers[i] ? most : numbers[i];
  }
#else
  for (int i = 0; i < 50; ++i) {
    sums[i] = sum += numbers[i];
    before[i] = most;
    most = most > numbers[i] ? most : numbers[i];
  }
#endif
  printf("scan:");
  for (int i = 0; i < 50; ++i)
    printf(" %d,%d", sums[i], before[i]);
  printf("\n");
}

static void teams(void) {
  int a = 0, b = 0, c = 0, d[10] = {0}, e = 4;
#pragma omp teams distribute parallel for reduction(+ : a)
  for (int i = 0; i < 100; ++i)
    a += i;
#pragma omp target teams distribute parallel for map(tofrom : b) reduction(+ : b)
  for (int i = 0; i < 100; ++i)
    b += 2 * i;
#pragma omp target parallel for map(tofrom : d)
  for (int i = 0; i < 10; ++i)
    d[i] = i;
#pragma omp target data map(tofrom : e)
#pragma omp target
  e += d[4];
#pragma omp parallel loop reduction(+ : c)
  for (int i = 0; i < 10; ++i)
    c += d[i];
  printf("teams: %d %d %d %d\n", a, b, c, e);
}

static void loops(void) {
  int a[40] = {0}, n = 0, count = 0;
#pragma omp parallel for simd schedule(simd : static, 4) linear(n : 2) safelen(8)
  for (int i = 0; i < 40; ++i) {
    a[i] += n;
    n += 2;
  }
#pragma omp tile sizes(4)
  for (int i = 0; i < 40; ++i)
    a[i]++;
#pragma omp parallel for
#pragma omp unroll partial(2)
  for (int i = 0; i < 40; ++i)
    a[i] *= 3;
#pragma omp metadirective when(user = {condition(1)} : parallel for) default(parallel)
  for (int i = 0; i < 40; ++i)
    a[i] -= 2;
#pragma omp parallel
  {
#pragma omp scope reduction(+ : count)
    count += 0;
  }
  unsigned hash = 0;
  for (int i = 0; i < 40; ++i)
    hash = hash * 31 + a[i];
  printf("loops: %u %d %d\n", hash, n, count);
#pragma omp error at(execution) severity(warning) message("a warning of the program")
}

int main(void) {
  heat(20, 30);
  int numbers[500], spare[500], wrong = 0;
  for (int i = 0; i < 500; ++i)
    numbers[i] = i * 7919 % 1000;
#pragma omp parallel
#pragma omp single
  sort(numbers, 500, spare);
  for (int i = 1; i < 500; ++i)
    wrong += numbers[i - 1] > numbers[i];
  printf("sort: %d wrong\n", wrong);
  scans();
  teams();
  loops();
  return 0;
}
