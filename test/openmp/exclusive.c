// Critical regions, named and in each other's; single, master and masked regions; copyprivate; flush.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 128 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
// RUN: %run --threads 128 --blocks 4 %t.2 | FileCheck %s
// RUN: %run --threads 32 --blocks 3 %t.2 | FileCheck %s
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int counter, first, second, order[4];

static void count_in_function(void) {
#pragma omp critical(second)
  second = second + 1;
}

int main(void) {
  const int most = omp_get_max_threads();
#pragma omp parallel
  for (int i = 0; i < 3; ++i) {
#pragma omp critical
    counter = counter + 1;
#pragma omp critical(first)
    {
      first = first + 1;
      count_in_function();
      if (omp_get_thread_num() % 3 == 0) {
#pragma omp critical(third)
        order[0] = order[0] + 1;
      }
    }
  }
  printf("critical: %d %d %d %d\n", counter == 3 * most, first == 3 * most, second == 3 * most,
         order[0] == (most + 2) / 3 * 3);
  // CHECK: critical: 1 1 1 1

  int singles = 0, masters = 0, masked = 0, who = -1, wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  for (int i = 0; i < 20; ++i) {
#pragma omp single
    {
#pragma omp atomic // the single region before has no barrier
      singles++;
      who = i;
    }
    wrong += who != i;
#pragma omp barrier
#pragma omp single nowait
    {
#pragma omp atomic
      singles++;
    }
#pragma omp master
    masters++;
#pragma omp masked filter(most - 1)
    masked += omp_get_thread_num() == most - 1;
  }
  printf("single: %d, master: %d, masked: %d, %d wrong\n", singles, masters, masked, wrong);
  // CHECK: single: 40, master: 20, masked: 20, 0 wrong

  struct pair {
    double number;
    char text[24];
  } pair;
  int n, numbers[5];
#pragma omp parallel private(n, pair, numbers) reduction(+ : wrong)
  for (int i = 0; i < 10; ++i) {
#pragma omp single copyprivate(n, pair, numbers)
    {
      n = i * 3;
      pair.number = i / 2.0;
      sprintf(pair.text, "round %d", i);
      for (int k = 0; k < 5; ++k)
        numbers[k] = k * i;
    }
    char text[24] = "round ";
    text[6] = '0' + i;
    wrong += n != i * 3 || pair.number != i / 2.0 || numbers[4] != 4 * i || strcmp(text, pair.text);
    n = -1;
    numbers[4] = -1;
  }
  printf("copyprivate: %d wrong\n", wrong);
  // CHECK: copyprivate: 0 wrong
  return 0;
}
