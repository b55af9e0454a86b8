// --stats says how busy the grid was in each parallel region, --trace shows each execution. The lines are known without -g too.
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: %run --threads 64 --blocks 2 --stats-json=%t.json --trace=%t.trace %t > %t.out && FileCheck --check-prefix=OUT %s < %t.out
// RUN: %python %S/Inputs/regions.py %t.json %t.trace 65,97 | FileCheck --check-prefix=JSON %s
// RUN: %run --threads 64 --blocks 2 --stats %t 2>&1 >%t.out | FileCheck --check-prefix=TABLE --match-full-lines %s
// However the program ends.
// RUN: %run --threads 64 --blocks 2 --stats %t exit 2>&1 >%t.out | FileCheck --check-prefix=TABLE --match-full-lines %s
// RUN: not %run --threads 64 --blocks 2 --stats %t abort 2>&1 >%t.out | FileCheck --check-prefix=ABORT %s
// RUN: not %run --threads 64 --blocks 2 --stats --timeout 3 %t wait 2>&1 >%t.out | FileCheck --check-prefix=ABORT %s
// Grids of one thread, -O0 and -g.
// RUN: %run --threads 1 --stats %t 2>&1 >%t.out | FileCheck --check-prefix=ONE %s
// RUN: %gpucc -fopenmp -O0 -g %s -o %t.g
// RUN: %run --threads 64 --blocks 2 --stats-json=%t.json --trace=%t.trace %t.g > %t.out && FileCheck --check-prefix=OUT %s < %t.out
// RUN: %python %S/Inputs/regions.py %t.json %t.trace 65,97 | FileCheck --check-prefix=JSON %s
// Lines are kept for the names alone, unless somebody wants others.
// RUN: %gpucc -fopenmp -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// RUN: %gpucc -fopenmp -O2 -S -emit-llvm -Rpass=inline %s -o - 2>&1 | FileCheck --check-prefix=REMARKS %s
// RUN: %gpucc -fopenmp -O2 -S -emit-llvm -g %s -o - | FileCheck --check-prefix=REMARKS %s
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double values[1000];

static double sum_of(int count) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < count; ++i)
    sum += values[i];
  return sum;
}

int main(int argc, char **argv) {
  int threads = 0;
#pragma omp parallel for
  for (int i = 0; i < 1000; ++i)
    values[i] = i;
  double sum = 0;
  for (int i = 0; i < 6; ++i)
    sum += sum_of(1000);
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    threads = omp_get_num_threads();
#pragma omp parallel
    ++threads;
  }
#pragma omp parallel if (argc > 5)
  threads += omp_get_num_threads();
  if (argc > 1 && !strcmp(argv[1], "abort"))
    abort();
  while (argc > 1 && !strcmp(argv[1], "wait"))
    sleep(1);
  printf("%g, %s\n", sum, threads == 5 || omp_get_num_procs() < 3 || omp_get_thread_limit() < 3 ? "right" : "wrong");
  if (argc > 1)
    exit(0);
  return 0;
}
// OUT: 2.997e+06, right

// JSON: main has 65,97 threads
// JSON-NEXT: [[FILE:.*regions.c]]:29 sum_of: 6 times, all threads
// JSON-NEXT: [[FILE]]:37 main: 1 times, all threads
// JSON-NEXT: [[FILE]]:43 main: 1 times, 3 threads
// JSON-NEXT: [[FILE]]:50 main: 1 times, 1 threads
// JSON-NEXT: 9 spans one after the other inside the kernel, as long as their regions

// TABLE: parallel regions: grid of {{65|128}} threads; {{[0-9.]+}} ms of main()'s {{[0-9.]+}} ms ({{[0-9]+}} %)
// TABLE-NEXT: times threads total ms average us least us most us busy grid region
// TABLE-DAG: 6 {{65|128}} {{[0-9. ]+}} % {{[0-9.]+}} % sum_of at {{.*}}regions.c:29
// TABLE-DAG: 1 {{65|128}} {{[0-9. ]+}} % {{[0-9.]+}} % main at {{.*}}regions.c:37
// TABLE-DAG: 1 3 {{[0-9. ]+}} % {{[0-9.]+}} % main at {{.*}}regions.c:43
// TABLE-DAG: 1 1 {{[0-9. ]+}} % {{[0-9.]+}} % main at {{.*}}regions.c:50

// main() has not ended.
// ABORT: parallel regions: grid of {{65|128}} threads; {{[0-9.]+}} ms{{$}}
// ABORT: sum_of at

// ONE: parallel regions: grid of 1 thread;
// ONE: 6 1 {{.*}}sum_of at

// IR-NOT: !dbg
// REMARKS: !dbg
