// Parallel regions: teams of all threads of the grid, of fewer, of one; regions in regions and in functions that regions call.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 1 %t.0 | FileCheck %s
// RUN: %run --threads 128 --blocks 4 %t.0 | FileCheck %s
// RUN: %run --threads 64 %t.2 | FileCheck %s
// RUN: %run --threads 128 --blocks 4 %t.2 | FileCheck %s
// RUN: %run --threads 32 --blocks 3 %t.2 | FileCheck %s
// RUN: %run --threads 100 --blocks 2 %t.2 | FileCheck %s
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int check_team(int expected) {
  const int most = omp_get_max_threads();
  unsigned char *seen = calloc(most, 1);
  int size = 0, sum = 0;
#pragma omp parallel num_threads(expected) shared(seen, size) reduction(+ : sum)
  {
    ++seen[omp_get_thread_num()];
    if (!omp_get_thread_num())
      size = omp_get_num_threads();
    sum += omp_get_thread_num() + 1;
  }
  int wrong = size != (expected < most ? expected : most);
  for (int i = 0; i < most; ++i)
    wrong += seen[i] != (i < size);
  wrong += sum != size * (size + 1) / 2;
  free(seen);
  return wrong;
}

static void add_to(int *counter) {
#pragma omp parallel num_threads(5)
  {
#pragma omp atomic
    counter[omp_get_num_threads() == 1]++;
  }
}

int main(void) {
  const int most = omp_get_max_threads();
  // CHECK: 1 0 1 0
  const int limit = omp_get_thread_limit(), all = omp_get_num_procs();
  printf("%d %d %d %d\n", omp_get_num_threads(), omp_get_thread_num(), most == (limit < all ? limit : all), omp_in_parallel());

  int wrong = 0;
  for (int i = 1; i <= most && i < 140; ++i)
    wrong += check_team(i);
  for (int i = most - 2 > 0 ? most - 2 : 1; i < most + 3; ++i)
    wrong += check_team(i);
  printf("teams: %d wrong\n", wrong);
  // CHECK: teams: 0 wrong

  int sizes[3] = {0};
#pragma omp parallel if (most < 0)
  sizes[0] += omp_get_num_threads();
#pragma omp parallel if (most > 0)
#pragma omp master
  sizes[1] = omp_get_num_threads() == most;
  omp_set_num_threads(1);
#pragma omp parallel
  sizes[2] += omp_get_num_threads() + omp_get_max_threads();
  omp_set_num_threads(most);
  printf("if: %d %d %d\n", sizes[0], sizes[1], sizes[2]);
  // CHECK: if: 1 1 2

  // A region in a region has one thread, which is thread 0 there.
  int counter[2] = {0}, levels = 0, ancestors = 0;
#pragma omp parallel
  {
    const int outer = omp_get_thread_num();
    add_to(counter);
#pragma omp parallel
    {
#pragma omp atomic
      levels += omp_get_level() == 2 && omp_get_team_size(2) == 1 && omp_get_num_threads() == 1 && !omp_get_thread_num();
#pragma omp atomic
      ancestors += omp_get_ancestor_thread_num(1) == outer && omp_get_team_size(1) == most && !omp_get_ancestor_thread_num(0);
    }
    if (omp_get_thread_num() != outer)
      levels = -1;
  }
  // The only region that runs is active where there is one thread.
  printf("nested: %d %d %d\n", counter[0] + counter[1] == most, levels == most, ancestors == most);
  // CHECK: nested: 1 1 1

  // What main() had before the region is there afterwards: firstprivate, private, shared.
  int a = 1, b = 2, c = 3;
  long double d = 4;
  struct {
    char text[40];
    double numbers[3];
  } e = {"text", {1, 2, 3}};
  int bad = 0;
#pragma omp parallel firstprivate(a, d, e) private(b) shared(c) reduction(+ : bad)
  {
    bad += a != 1 || d != 4 || e.text[3] != 't' || e.numbers[2] != 3;
    a += omp_get_thread_num();
    b = a;
    e.numbers[1] = b;
#pragma omp barrier
    bad += a != 1 + omp_get_thread_num() || e.numbers[1] != b;
    if (!omp_get_thread_num())
      c += 10;
  }
  printf("variables: %d %d %d %g %s %g, %d wrong\n", a, b, c, (double)d, e.text, e.numbers[1], bad);
  // CHECK: variables: 1 2 13 4 text 2, 0 wrong
  return 0;
}
