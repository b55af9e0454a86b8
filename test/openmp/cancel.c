// Cancellation of loops, sections, task groups and regions, where OMP_CANCELLATION says so; none otherwise.
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: env OMP_CANCELLATION=true %run --env OMP_CANCELLATION --threads 128 --blocks 4 %t | FileCheck %s --check-prefixes=CHECK,YES
// RUN: env OMP_CANCELLATION=true %run --env OMP_CANCELLATION --threads 32 --blocks 3 %t | FileCheck %s --check-prefixes=CHECK,YES
// RUN: %run --threads 128 --blocks 2 %t | FileCheck %s --check-prefixes=CHECK,NO
#include <omp.h>
#include <stdio.h>

int main(void) {
  const int on = omp_get_cancellation();
  printf("cancellation: %d\n", on);
  // YES: cancellation: 1
  // NO: cancellation: 0
  int executed = 0, after = 0, rounds = 0;
#pragma omp parallel
  for (int round = 0; round < 10; ++round) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100000; ++i) {
#pragma omp atomic
      executed++;
#pragma omp cancel for if (i == 50)
#pragma omp cancellation point for
    }
#pragma omp single
    rounds++;
    if (!on)
      break;
  }
  // YES: loops: 10, all: 0
  // NO: loops: 1, all: 1
  printf("loops: %d, all: %d\n", rounds, executed == 100000 * rounds);

  int left = 0;
#pragma omp parallel
  {
    for (int i = 0;; ++i) {
      if (omp_get_thread_num() == omp_get_num_threads() - 1 && i == 5) {
#pragma omp cancel parallel
      }
#pragma omp cancellation point parallel
#pragma omp barrier
      if (!on && i == 5)
        break;
    }
#pragma omp atomic
    left++;
  }
#pragma omp parallel
#pragma omp atomic
  after++;
  printf("region: %d %d\n", left == (on ? 0 : after), after == omp_get_max_threads());
  // CHECK: region: 1 1

  int tasks = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    for (int i = 0; i < 100; ++i) {
#pragma omp task
      {
#pragma omp atomic
        tasks++;
#pragma omp cancel taskgroup
      }
    }
  }
  printf("tasks: %d\n", on ? tasks > 0 && tasks < 100 : tasks == 100);
  // CHECK: tasks: 1
  return 0;
}
