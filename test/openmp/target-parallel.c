// What is combined with target is the same without it: a team of the grid's threads, with the clauses that are parallel's.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 128 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 64 --blocks 3 %t.2 | FileCheck %s
// CHECK-NOT: expected
// CHECK: all right
#include <omp.h>
#include <stdio.h>

#define COMBINED target teams distribute parallel for
#define PRAGMA(text) _Pragma(#text)
enum { N = 100, ROUNDS = 64 };
static int wrong;

static void expect(const char *what, long found, long expected) {
  if (found != expected) {
    printf("%s: %ld, expected %ld\n", what, found, expected);
    wrong = 1;
  }
}

static void team_sizes(void) {
  int size = 0, sizes[2] = {0, 0};
#pragma omp target parallel num_threads(2) map(from : size)
  if (omp_get_thread_num() == 0)
    size = omp_get_num_threads();
  expect("target parallel", size, 2);
#pragma omp target map(from : size)
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 0)
    size = omp_get_num_threads();
  expect("target, parallel", size, 3);
#pragma omp COMBINED num_teams(1) thread_limit(64) num_threads(4) dist_schedule(static, 8) map(tofrom : sizes[0 : 2])
  for (int i = 0; i < N; ++i)
    sizes[i % 2] = omp_get_num_threads();
  expect("a macro", sizes[1], 4);
#pragma omp target /* in lines */ \
    parallel for                  \
    num_threads(5), schedule(static, 1) nowait depend(out : sizes) if(target : 0), device(0) map(from : sizes)
  for (int i = 0; i < N; ++i)
    sizes[i % 2] = omp_get_num_threads();
  expect("continued", sizes[0], 5);
  PRAGMA(omp target parallel num_threads(2) map(from : size))
  if (omp_get_thread_num() == 0)
    size = omp_get_num_threads();
  expect("_Pragma", size, 2);
#pragma omp target parallel if (parallel : 0) defaultmap(tofrom : scalar)
  size = omp_get_num_threads();
  expect("if(parallel: 0)", size, 1);
}

static void loops(void) {
  int numbers[N], last = 0, added = 5;
  long sum = 0;
#pragma omp target parallel for simd reduction(+ : sum) map(tofrom : sum) collapse(2)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < 2; ++j)
      sum += i;
  expect("for simd", sum, 9900);
#pragma omp target teams distribute parallel for simd reduction(+ : sum) num_teams(4)
  for (int i = 0; i < N; ++i)
    sum += i;
  expect("distribute parallel for simd", sum, 9900 + 4950);
#pragma omp target parallel loop reduction(+ : sum)
  for (int i = 0; i < N; ++i)
    sum += i;
  expect("loop", sum, 9900 + 2 * 4950);
#pragma omp target parallel for firstprivate(added) lastprivate(last) map(from : numbers)
  for (int i = 0; i < N; ++i)
    numbers[i] = i + added, last = i;
  expect("lastprivate", last, N - 1);
  expect("firstprivate", numbers[7], 12);
}

// A region inside such a loop has a team of its own thread: nothing races.
static void inner_regions(void) {
  int counts[ROUNDS], others = 0;
#pragma omp target parallel for map(from : counts)
  for (int round = 0; round < ROUNDS; ++round) {
    int sum = 0;
#pragma omp parallel
    sum++;
    counts[round] = sum;
  }
  for (int round = 0; round < ROUNDS; ++round)
    others += counts[round] != 1;
  expect("inner regions", others, 0);
}

static void tasks(void) {
  int sum = 0;
#pragma omp target parallel reduction(task, + : sum) map(tofrom : sum)
#pragma omp single nowait
  for (int i = 0; i < 300; ++i) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += i;
  }
  expect("reduction(task)", sum, 44850);
}

int main(void) {
  team_sizes();
  loops();
  inner_regions();
  tasks();
  if (!wrong)
    puts("all right");
  return wrong;
}
