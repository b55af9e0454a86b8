// An interpreter whose operations go on in each other by tail calls through a table needs no stack, where the program has one thread a wave
// (-O1 and above); elsewhere they are calls.
// RUN: %gpucc -O2 %s -o %t && %run %t 12000000 | FileCheck %s --check-prefix=MANY
// MANY: 12000000 operations: 12000001
// RUN: %gpucc -O0 %s -o %t.0 && %run %t.0 1000 | FileCheck %s
// RUN: %gpucc -O2 --gpu-max-threads-per-block=1024 %s -o %t.n && %run %t.n 1000 | FileCheck %s
// CHECK: 1000 operations: 1001
#include <stdio.h>
#include <stdlib.h>

typedef long operation(long left, long sum);
static operation one, two, stop;
static operation *const table[] = {one, two, stop};

static operation *next(long left) { return table[left ? left % 2 : 2]; }
static long one(long left, long sum) {
  operation *then = next(left);
  __attribute__((musttail)) return then(left - 1, sum + 1);
}
static long two(long left, long sum) {
  operation *then = next(left);
  __attribute__((musttail)) return then(left - 1, sum + 1);
}
static long stop(long left, long sum) { return sum; }

int main(int argc, char **argv) {
  const long count = atol(argv[1]);
  printf("%ld operations: %ld\n", count, one(count, 0));
}
