// REQUIRES: emulator
// Calls of BLAS are not in a recording: a replay computes them again, and finds the program's other calls where they were. What needs the
// answer at the same step of the device, or a player without services, is refused.
// RUN: rm -rf %t && mkdir %t && %gpucc -O1 -w %s -o %t/p -lcblas && cd %t
// RUN: for blocks in 1 3; do echo 5 > in && %run --blocks $blocks --record r p < in > out 2> err; test $? -eq 3 || cat err; \
// RUN:   sort out > sorted && %run --replay r < /dev/null > again; test $? -eq 3 && sort again | cmp sorted - && FileCheck %s < out \
// RUN:   || { echo "failed: blocks=$blocks" >&2; exit 1; }; done
// CHECK: product 300
// RUN: echo 6 > in && %run --record other p < in > /dev/null 2>&1; not %run --compare r other | FileCheck %s --check-prefix=COMPARED
// COMPARED: differs:
// RUN: not %run --record r --record-schedule p < in 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: --record-schedule: p: not for a program that calls a service ({{.*}}libgpuexec-blas.so); --record alone records it
// RUN: not %run --record-standalone s p < in 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: --record-standalone: p: it calls a service ({{.*}}libgpuexec-blas.so), which gpu-replay does not have; --record alone records it
// RUN: not %bin/gpu-replay other 2>&1 | FileCheck %s --check-prefix=PLAYER
// PLAYER: opcode 0x{{.*}} is unknown to gpu-replay
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60 };

int main(void) {
  int scale = 0;
  if (scanf("%d", &scale) != 1)
    scale = 5; // another thread has read it
  double *a = malloc(N * N * sizeof *a), *b = malloc(N * N * sizeof *b), *c = calloc(N * N, sizeof *c);
  for (int i = 0; i < N * N; ++i)
    a[i] = scale, b[i] = 1;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, N, N, N, 1, a, N, b, N, 0, c, N);
  printf("product %g\n", c[N * N - 1]);
  return 3;
}
