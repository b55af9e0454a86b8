// What cannot work ends with a message: lanes of an AMD wave that wait for each other. Environment variables that say nothing
// useful are named.
// REQUIRES: amdgpu
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: not %run --threads 128 --blocks 2 %t lock 2>&1 | FileCheck %s --check-prefix=LOCK
// LOCK: OpenMP: omp_set_lock: a thread waits for a thread of its own wave, which cannot go on meanwhile (link with gpucc --gpu-max-threads-per-block=1
// RUN: not %run --threads 128 --blocks 2 %t barrier 2>&1 | FileCheck %s --check-prefix=BARRIER
// BARRIER: OpenMP: some lanes of a wave come to a barrier or reduction without the others, which cannot come meanwhile
// RUN: %run --threads 128 --blocks 2 --env OMP_NUM_THREADS=many --env OMP_SCHEDULE=fair --env OMP_DYNAMIC=no %t 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES-DAG: OpenMP: OMP_NUM_THREADS: "many" is not used
// VALUES-DAG: OpenMP: OMP_SCHEDULE: "fair" is not used
// VALUES-DAG: OpenMP: OMP_DYNAMIC: "no" is not used
// VALUES: 193 threads
// RUN: not %gpucc -fopenmp -DSTATIC -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: messages.c:[[#@LINE + 6]]:{{.*}}error: {{.*}}reduction of the static variable 'sums'
// STATIC: messages.c:[[#@LINE + 5]]:{{.*}}error: {{.*}}reduction of the static variable 'turn'
#ifdef STATIC
static int sums[2][3];
static _Complex double turn;
void sum(int n) {
#pragma omp parallel for reduction(+ : sums[0][ : 2]) reduction(+ : turn)
  for (int i = 0; i < n; ++i)
    sums[0][i & 1] += i, turn += i;
}
#endif
// RUN: not %gpucc -fopenmp -DGRAPH -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=GRAPH
// GRAPH: messages.c:[[#@LINE + 3]]:{{.*}}error: clang 22 cannot compile 'taskgraph'
#ifdef GRAPH
void graph(void) {
#pragma omp taskgraph
  ;
}
#endif
#include <omp.h>
#include <stdio.h>
#include <string.h>

static omp_lock_t lock;
__attribute__((noinline)) static void take(void) { omp_set_lock(&lock); }
__attribute__((noinline)) static void release(void) { omp_unset_lock(&lock); }
__attribute__((noinline)) static void meet(int n) {
  if (n >= 0) {
#pragma omp barrier
  }
}
static void meet_too(int n) { meet(n + 1); }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  static void (*volatile ways[])(int) = {meet, meet_too};
  int count = 0;
#pragma omp parallel
  {
    if (!strcmp(what, "lock")) {
      take();
      ++count;
      release();
    }
    if (!strcmp(what, "barrier"))
      ways[omp_get_thread_num() % 2](1);
#pragma omp single
    printf("%d threads\n", omp_get_num_threads());
  }
  return 0;
}
