// A fault's report has the calls that led to it, whether they were interpreted or compiled: callers that tail-called are not
// among them, and neither are functions that have returned.
// REQUIRES: emulator
// RUN: %gpucc -O1 -g %s -o %t
// RUN: for jit in 0 baseline eager; do GPUEXEC_EMULATOR_JIT=$jit %run %t 200000 2> %t.err; test $? -eq 139 && FileCheck %s < %t.err || { echo "failed: jit=$jit" >&2; exit 1; }; done
// CHECK: read of 4 bytes: null page
// CHECK: #0 {{.*}} in leaf {{.*}}call-stack.c:[[#@LINE+7]]
// CHECK-NEXT: #1 {{.*}} in middle {{.*}}call-stack.c:[[#@LINE+7]]
// CHECK-NEXT: #2 {{.*}} in outer {{.*}}call-stack.c:[[#@LINE+7]]
// CHECK-NEXT: #3 {{.*}} in main {{.*}}call-stack.c:[[#@LINE+15]]
// CHECK-NEXT: #4 {{.*}} in _start
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
NOINLINE int leaf(volatile int *p, int i) { return p[i]; }
NOINLINE int middle(volatile int *p, int i) { return leaf(p, i) + 1; }
NOINLINE int outer(volatile int *p, int i) { return middle(p, i) + 1; }
NOINLINE int recursion(volatile int *p, int i) { return i ? recursion(p, i - 1) + leaf(p, i) : 0; }
int main(int argc, char **argv) {
  volatile int *numbers = malloc(100 * sizeof(int));
  int sum = 0, rounds = atoi(argv[1]);
  for (int i = 0; i < 100; ++i)
    numbers[i] = i;
  for (int i = 0; i < rounds; ++i)
    sum += outer(numbers, i % 100) + (i % 64 ? 0 : recursion(numbers, 50)); // deeper than what is remembered
  return sum + outer((volatile int *)16, 3);
}
