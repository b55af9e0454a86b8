// Local variables that threads reach otherwise than by a shared clause: by a pointer in a static variable or a struct, in a queue
// that all threads share, as a parameter passed by value, in a recursion, an array of variable length, and through another local.
// RUN: %hostcc -O1 -w %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -fopenmp -O0 -w %s -o %t.0
// RUN: %gpucc -fopenmp -O2 -w %s -o %t.2
// RUN: %run --threads 64 --blocks 2 %t.0 > %t.out; diff %t.expected %t.out
// RUN: %run --threads 128 --blocks 3 %t.2 > %t.out; diff %t.expected %t.out
// RUN: %run --threads 1 %t.2 > %t.out; diff %t.expected %t.out
// RUN: %gpucc -fopenmp -fno-lto -O2 -w %s -o %t.no-lto
// RUN: %run --threads 64 --blocks 2 %t.no-lto > %t.out; diff %t.expected %t.out
// RUN: %gpucc -fopenmp -fno-lto -O0 -w %s -o %t.no-lto0
// RUN: %run --threads 64 --blocks 2 %t.no-lto0 > %t.out; diff %t.expected %t.out
// RUN: %gpucc --arch gfx1100 -fopenmp -O2 -w %s -o %t.rdna
// RUN: %gpucc --arch sm_90 -fopenmp -O2 -w %s -o %t.cuda
#include "Inputs/omp_or_host.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 600, THREADS = 4096 };

// A pointer in a static variable.
static int *numbers;

static void fill_through_static(void) {
  int local[COUNT];
  memset(local, 0, sizeof local);
  numbers = local;
#pragma omp parallel for
  for (int i = 0; i < COUNT; ++i)
    numbers[i] += 3 * i;
  long sum = 0;
  for (int i = 0; i < COUNT; ++i)
    sum += local[i];
  printf("static %ld\n", sum);
}

// A pointer in a struct on the heap, whose pointer is private.
struct work {
  double *from, *to;
  int count;
};

static void fill_through_struct(int count) {
  double from[count], to[count];
  for (int i = 0; i < count; ++i) {
    from[i] = i;
    to[i] = -1;
  }
  struct work *work = malloc(sizeof *work);
  *work = (struct work){from, to, count};
#pragma omp parallel firstprivate(work)
  {
#pragma omp for
    for (int i = 0; i < work->count; ++i)
      work->to[i] = 2 * work->from[i] + 1;
  }
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += to[i];
  printf("struct %d %.1f\n", count, sum);
  free(work);
}

// A list that all threads append to and read: entries are local variables of the function that the region calls.
struct entry {
  int value;
  struct entry *next;
};
static struct entry *list;
static long total;
static int visited;

static __attribute__((noinline)) void exchange_entries(int value) {
  struct entry mine = {value, NULL};
#pragma omp critical
  {
    mine.next = list;
    list = &mine;
  }
#pragma omp barrier
  long sum = 0;
  int seen = 0;
  for (struct entry *each = list; each; each = each->next) {
    sum += each->value;
    ++seen;
  }
#pragma omp barrier
#pragma omp single
  {
    total = sum;
    visited = seen;
  }
}

// Parameters whose address is taken, and a struct by value.
static const int *of_thread[THREADS];
static struct work *by_value[THREADS];

static __attribute__((noinline)) int ask_neighbour(int value, struct work work, int thread, int size) {
  of_thread[thread] = &value;
  by_value[thread] = &work;
#pragma omp barrier
  const int other = (thread + 1) % size;
  const int wrong = *of_thread[other] != 5 * other || by_value[other]->count != other;
#pragma omp barrier
  return wrong;
}

// Each level of a recursion has its own.
static __attribute__((noinline)) long recurse(int depth) {
  int own[4] = {depth, depth + 1, depth + 2, 0};
  numbers = own;
  long below = 0;
  if (depth > 0)
    below = recurse(depth - 1);
  numbers = own;
#pragma omp parallel num_threads(4)
  {
#pragma omp single
    numbers[3] = numbers[0] + numbers[1] + numbers[2];
  }
  return below + own[3];
}

// The address is in another local variable, whose address is stored.
static struct work *current;

static long sum_of_rows(void) {
  double first[5] = {1, 2, 3, 4, 5}, second[5] = {10, 20, 30, 40, 50};
  struct work both = {first, second, 5};
  current = &both;
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 5; ++i)
    sum += (long)(current->from[i] * current->to[i]);
  return sum;
}

int main(void) {
  fill_through_static();
  for (int count = 1; count < 400; count *= 7)
    fill_through_struct(count);
  int size = 0, wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    const int thread = omp_get_thread_num();
#pragma omp single
    size = omp_get_num_threads();
    for (int round = 0; round < 3; ++round) {
#pragma omp single
      list = NULL;
      exchange_entries(thread + 1);
#pragma omp single
      wrong += visited != size || total != (long)size * (size + 1) / 2;
    }
    wrong += ask_neighbour(5 * thread, (struct work){.count = thread}, thread, size);
  }
  printf("wrong %d\n", wrong);
  printf("recursion %ld\n", recurse(20));
  printf("rows %ld\n", sum_of_rows());
}
