// OMP_NUM_THREADS, OMP_THREAD_LIMIT, OMP_SCHEDULE, OMP_MAX_ACTIVE_LEVELS and OMP_DISPLAY_ENV, and what <omp.h> tells of them.
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: %run --threads 64 --blocks 3 --env OMP_NUM_THREADS=7 --env OMP_SCHEDULE=guided,5 %t | FileCheck %s --check-prefix=SET
// SET: 7 threads, 7 at most, schedule 3,5, levels 1, 100 iterations
// RUN: %run --threads 64 --blocks 3 --env OMP_NUM_THREADS=40,2 --env OMP_THREAD_LIMIT=9 --env OMP_SCHEDULE=nonmonotonic:static %t | FileCheck %s --check-prefix=LIMIT
// LIMIT: 9 threads, 9 at most, schedule 1,0, levels 1, 100 iterations
// RUN: %run --threads 64 --blocks 3 --env OMP_MAX_ACTIVE_LEVELS=0 %t | FileCheck %s --check-prefix=ONE
// ONE: 1 threads, {{.*}} levels 0, 100 iterations
// RUN: %run --threads 64 --blocks 3 --env OMP_NUM_THREADS=3 --env OMP_DISPLAY_ENV=true %t 2>&1 | FileCheck %s --check-prefix=SHOWN
// SHOWN: OPENMP DISPLAY ENVIRONMENT BEGIN
// SHOWN-NEXT: _OPENMP = '202011'
// SHOWN-NEXT: OMP_NUM_THREADS = '3'
// SHOWN: OMP_SCHEDULE = 'DYNAMIC,1'
// SHOWN: OPENMP DISPLAY ENVIRONMENT END
#include <omp.h>
#include <stdio.h>

_Static_assert(_OPENMP == 202011, "OpenMP 5.1");

int main(void) {
  int threads = 0, count = 0, chunk;
  omp_sched_t kind;
  omp_get_schedule(&kind, &chunk);
#pragma omp parallel reduction(+ : count)
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for schedule(runtime)
    for (int i = 0; i < 100; ++i)
      ++count;
  }
  printf("%d threads, %d at most, schedule %d,%d, levels %d, %d iterations\n", threads, omp_get_max_threads(), (int)kind, chunk,
         omp_get_max_active_levels(), count);
  return 0;
}
