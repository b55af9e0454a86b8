// Locks: taken by all threads, also by lanes of one wave, by several at once, nested, tried; in loops and branches.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 128 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
// RUN: %run --threads 128 --blocks 4 %t.2 | FileCheck %s
// RUN: %run --threads 32 --blocks 3 %t.2 | FileCheck %s
// RUN: %gpucc -fopenmp -O2 -fno-exceptions -x c++ %s -o %t.cpp && %run --threads 128 --blocks 2 %t.cpp | FileCheck %s
#include <omp.h>
#include <stdio.h>

enum { BINS = 5 };
static omp_lock_t all, bins[BINS], order[2];
static omp_nest_lock_t nest;
static int counts[BINS], counter, nested, tried, moved[2];

static int next_value(int before) { return before + 1; }

static void count(int i) {
  omp_set_lock(&bins[i % BINS]);
  for (int k = 0; k < 3; ++k)
    if (k == i % 3)
      counts[i % BINS] = next_value(counts[i % BINS]);
  omp_unset_lock(&bins[i % BINS]);
}

static void descend(int depth) {
  omp_set_nest_lock(&nest);
  nested = nested + 1;
  if (depth)
    descend(depth - 1);
  omp_unset_nest_lock(&nest);
}

int main(void) {
  omp_init_lock(&all);
  omp_init_lock(&order[0]);
  omp_init_lock(&order[1]);
  omp_init_nest_lock(&nest);
  for (int i = 0; i < BINS; ++i)
    omp_init_lock_with_hint(&bins[i], omp_sync_hint_contended);
  const int n = omp_get_max_threads();
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    int last = 0;
    for (int i = 0; i < 3; ++i) {
      omp_set_lock(&all);
      counter = counter + 1;
      last = counter;
      omp_unset_lock(&all);
    }
    if (last && me % 2) {
      omp_set_lock(&order[0]);
      moved[0]++;
      omp_set_lock(&order[1]); // before the first one is released
      moved[1]++;
      omp_unset_lock(&order[0]);
      omp_unset_lock(&order[1]);
    }
    count(me);
    descend(2);
    if (omp_test_lock(&order[0])) {
#pragma omp atomic
      tried++;
      omp_unset_lock(&order[0]);
    }
  }
  int sum = 0, wrong = 0;
  for (int i = 0; i < BINS; ++i) {
    sum += counts[i];
    wrong += counts[i] != (n + BINS - 1 - i) / BINS;
  }
  printf("locks: %d %d %d, %d wrong\n", counter == 3 * n, sum == n, moved[0] == n / 2 && moved[1] == n / 2, wrong);
  // CHECK: locks: 1 1 1, 0 wrong
  printf("nested: %d, tried: %d\n", nested == 3 * n, tried > 0);
  // CHECK: nested: 1, tried: 1
  omp_destroy_lock(&all);
  omp_destroy_nest_lock(&nest);
  return 0;
}
