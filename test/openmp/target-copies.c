// Target regions have copies of scalars and pointers that no clause maps, and the private variables of their clauses.
// RUN: %gpucc -fopenmp -O0 -w %s -o %t && %run %t | FileCheck %s
// RUN: %gpucc -fopenmp -O2 -w %s -o %t && %run %t | FileCheck %s
// CHECK: locals: 1 1 7 9
// CHECK-NEXT: clauses: 1 6 2
// CHECK-NEXT: defaultmap: 20 21 3 3
// CHECK-NEXT: combined: 499500 999 21 1
// CHECK-NEXT: distribute: 45 2 21
// CHECK-NEXT: in a region: 306
// CHECK-NEXT: statics: 3 4 6 7 1
// CHECK-NEXT: mapped: 4 5
// CHECK-NEXT: counters: 0 204480 0
// CHECK-NEXT: limits: 1 1 1 1
#include <omp.h>
#include <stdio.h>

enum { N = 640 };
static int i, s, hidden = 3, a[N], l;
int shown = 4;
#pragma omp declare target
static int of_device = 5;
#pragma omp end declare target
int named = 6;
#pragma omp declare target(named)

static void locals(void) {
  int x = 1, array[4] = {1, 2, 3, 4}, *p = array;
  struct {
    int x, y;
  } both = {5, 6};
#pragma omp target
  {
    x = 10;
    p = 0;
    both.x = 7;
    array[1] = 9;
  }
  printf("locals: %d %d %d %d\n", x, p == array, both.x, array[1]);
  int other = 2;
#pragma omp target firstprivate(array, both) private(other)
  {
    array[0] = 100;
    both.y = 100;
    other = 100;
  }
  printf("clauses: %d %d %d\n", array[0], both.y, other);
}

static void maps(void) {
  int x = 1, y = 3, array[4] = {1, 2, 3, 4}, last = 0, threads = 0;
  long sum = 0;
#pragma omp target defaultmap(tofrom : scalar)
  x = 20;
  printf("defaultmap: %d ", x);
#pragma omp target map(tofrom : x) defaultmap(firstprivate)
  {
    x = 21;
    y = 4;
    array[2] = 50;
  }
  printf("%d %d %d\n", x, y, array[2]);
#pragma omp target parallel for reduction(+ : sum) lastprivate(last)
  for (int k = 0; k < 1000; ++k) {
    sum += k;
    last = k;
    if (k == 7)
      x = k;
  }
#pragma omp target teams distribute parallel for map(threads) thread_limit(1)
  for (int k = 0; k < 10; ++k)
    threads = omp_get_num_threads();
  printf("combined: %ld %d %d %d\n", sum, last, x, threads);
  int counter = 2;
  sum = 0;
#pragma omp target teams distribute private(counter) reduction(+ : sum)
  for (int k = 0; k < 10; ++k) {
    counter = k;
    sum += counter;
    x = 99;
  }
  printf("distribute: %ld %d %d\n", sum, counter, x);
}

static void in_a_region(void) {
  int sum = 0;
#pragma omp parallel for
  for (int k = 0; k < 3; ++k) {
    int mine = k;
#pragma omp target
    mine += 100;
#pragma omp atomic
    sum += mine;
#pragma omp target map(tofrom : mine)
#pragma omp parallel
    mine += 100;
#pragma omp atomic
    sum += mine;
  }
  printf("in a region: %d\n", sum);
}

static void statics(void) {
  int bad = 0;
#pragma omp target
  {
    hidden += 1;
    shown += 1;
    of_device += 1;
    named += 1;
    a[3] = 1;
  }
  printf("statics: %d %d %d %d %d\n", hidden, shown, of_device, named, a[3]);
#pragma omp target map(tofrom : shown) map(hidden)
  {
    hidden += 1;
    shown += 1;
  }
  printf("mapped: %d %d\n", hidden, shown);
#pragma omp target teams distribute parallel for
  for (i = 0; i < N; i++)
    a[i] = 5 + i;
  for (i = 0; i < N; i++)
    bad += a[i] != 5 + i;
#pragma omp target parallel for reduction(+ : s) map(tofrom : s)
  for (int k = 0; k < N; k++)
    s += k;
#pragma omp target map(tofrom : a)
#pragma omp parallel for private(l)
  for (i = 0; i < N; i++) {
    l = i;
    a[i] = l + 6;
  }
  for (i = 0; i < N; i++)
    bad += a[i] != 6 + i;
  printf("counters: %d %d %d\n", bad, s, l);
}

static int threads(void) {
  int count = 0;
#pragma omp parallel
#pragma omp single
  count = omp_get_num_threads();
  return count;
}

#define LIMIT 1
static void limits(void) {
  const int before = threads();
  int of_target = 0, of_loop = 0, of_teams = 0;
#pragma omp target thread_limit(LIMIT) map(from : of_target)
  of_target = threads();
#pragma omp target teams distribute thread_limit(2 - 1) map(of_loop)
  for (int k = 0; k < 2; ++k)
    of_loop = threads();
#pragma omp target map(of_teams)
#pragma omp teams num_teams(1) thread_limit(1)
  of_teams = threads();
  printf("limits: %d %d %d %d\n", of_target, of_loop, of_teams, threads() == before);
}

int main(void) {
  locals();
  maps();
  in_a_region();
  statics();
  limits();
  return 0;
}
