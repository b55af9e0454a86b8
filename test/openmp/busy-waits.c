// Threads that wait for what other threads write, in loops of the program's own. On AMD each of them is a wave of its own then, and gpucc
// says so; loops that end by themselves, or do work, do not count.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0 2> %t.said && %run %t.0 | FileCheck %s
// RUN: %gpucc -fopenmp -O2 %s -o %t.2 && %run %t.2 | FileCheck %s
// RUN: %run --threads 64 --blocks 2 %t.2 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
// CHECK: pipeline: 0 wrong
// CHECK: pairs: 0 wrong
// CHECK: locks: 0 wrong
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ROWS = 12, MOST = 128 };
static int done[MOST];
static long cells[ROWS][MOST];

// Each thread has a column. A cell needs the one on its left, of the thread before.
static int pipeline(void) {
  int threads = 1, wrong = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    if (!me)
      threads = all < MOST ? all : MOST;
    for (int row = 0; me < MOST && row < ROWS; ++row) {
      while (me && done[me - 1] <= row) {
#pragma omp flush
      }
      cells[row][me] = 1 + (me ? cells[row][me - 1] : 0) + (row ? cells[row - 1][me] : 0);
#pragma omp flush
      done[me] = row + 1;
#pragma omp flush
    }
  }
  for (int row = 0; row < ROWS; ++row)
    for (int me = 0; me < threads; ++me)
      wrong += cells[row][me] != 1 + (me ? cells[row][me - 1] : 0) + (row ? cells[row - 1][me] : 0);
  return wrong;
}

static volatile int turn;
static int seen[MOST];

static int read_turn(void) { return turn; }

// The threads go one after another, and wait in three ways.
static int pairs(void) {
  static atomic_int counted;
  int threads = 1, wrong = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    if (!me)
      threads = omp_get_num_threads() < MOST ? omp_get_num_threads() : MOST;
    if (me < MOST) {
      while (read_turn() != me)
        sched_yield();
      seen[me] = atomic_fetch_add(&counted, 1);
      turn = me + 1;
      for (int mine = 0; mine != 1;) {
        int now;
#pragma omp atomic read
        now = seen[0];
        mine = now == 0;
      }
      while (atomic_load(&counted) < threads)
        ;
    }
  }
  for (int me = 0; me < threads; ++me)
    wrong += seen[me] != me;
  return wrong;
}

// Locks that the program makes, and one that it tries.
static int locks(void) {
  static atomic_flag flag = ATOMIC_FLAG_INIT;
  static int word, sums[3];
  int threads = 1;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
  {
    if (!omp_get_thread_num())
      threads = omp_get_num_threads();
    while (atomic_flag_test_and_set(&flag))
      ;
    sums[0]++;
    atomic_flag_clear(&flag);
    int expected = 0;
    while (!__atomic_compare_exchange_n(&word, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      expected = 0;
    sums[1]++;
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    while (!omp_test_lock(&lock))
      ;
    sums[2]++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return (sums[0] != threads) + (sums[1] != threads) + (sums[2] != threads);
}

int main(void) {
  printf("pipeline: %d wrong\n", pipeline());
  printf("pairs: %d wrong\n", pairs());
  printf("locks: %d wrong\n", locks());
  return 0;
}
