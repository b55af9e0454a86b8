// Tasks that wait for others: chains, several readers between writers, arrays, all memory, taskwait with dependences.
// RUN: %hostcc %s -o %t.host
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: %t.host > %t.expected
// RUN: %run --threads 1 %t | diff %t.expected -
// RUN: %run --threads 128 --blocks 4 %t | diff %t.expected -
// RUN: %run --threads 32 --blocks 3 %t | diff %t.expected -
#include <stdio.h>

enum { SIZE = 12 };
static long grid[SIZE][SIZE];

// Each element depends on its neighbours.
static void wavefront(void) {
  for (int i = 0; i < SIZE; ++i)
    for (int j = 0; j < SIZE; ++j)
      grid[i][j] = i * 7 + j * 3;
  for (int i = 1; i < SIZE; ++i)
    for (int j = 1; j < SIZE; ++j) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j]) firstprivate(i, j)
      grid[i][j] = (grid[i - 1][j] * 3 + grid[i][j - 1] * 5 + i * j) % 10007;
    }
#pragma omp taskwait
}

int main(void) {
  int x = 1, y = 0, z = 0, readers[10];
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; ++i) {
#pragma omp task depend(inout : x) shared(x) firstprivate(i)
      x = (x * 3 + i) % 1000;
    }
    for (int i = 0; i < 10; ++i) {
#pragma omp task depend(in : x) depend(out : readers[i]) shared(x, readers) firstprivate(i)
      readers[i] = x + i;
    }
#pragma omp task depend(out : x) shared(x)
    x = 0;
#pragma omp task depend(iterator(i = 0 : 10), in : readers[i]) depend(out : y) shared(readers, y)
    for (int i = 0; i < 10; ++i)
      y += readers[i];
#pragma omp taskwait depend(in : y)
    printf("%d\n", y);
    for (int i = 0; i < 5; ++i) {
#pragma omp task depend(mutexinoutset : z) shared(z)
      z = z + 1;
    }
#pragma omp task depend(in : z) depend(inout : x) shared(x, z)
    x += z;
#pragma omp task depend(in : x) if (0) shared(x, y)
    y = x;
    printf("%d %d\n", x, y);
    wavefront();
  }
  printf("%ld %ld\n", grid[SIZE - 1][SIZE - 1], grid[5][7]);
  wavefront(); // without a team
  printf("%ld\n", grid[SIZE - 1][SIZE - 1]);
  return 0;
}
