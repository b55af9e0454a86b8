// Of a deep recursion the report shows where it is and where it began; callers that were forgotten over still deeper calls
// are not made up.
// REQUIRES: emulator
// RUN: %gpucc -O0 -g %s -o %t
// RUN: for jit in 0 baseline eager; do GPUEXEC_EMULATOR_JIT=$jit %run --stack-size 1M %t 60 2> %t.err; test $? -eq 139 && FileCheck %s < %t.err || { echo "failed: jit=$jit" >&2; exit 1; }; done
// CHECK: #0 {{.*}} in recursion
// CHECK: #24 {{.*}} in recursion
// CHECK-NEXT: ... 30 callers ...
// CHECK-NEXT: #55 {{.*}} in recursion
// CHECK: #61 {{.*}} in main
// CHECK-NEXT: #62 {{.*}} in _start
// CHECK-NOT: #{{[0-9]+}} 0x
// RUN: for jit in 0 baseline eager; do GPUEXEC_EMULATOR_JIT=$jit %run --stack-size 1M %t 1500 back 2> %t.err; test $? -eq 139 && FileCheck %s --check-prefix=BACK < %t.err || { echo "failed: jit=$jit" >&2; exit 1; }; done
// BACK: #0 {{.*}} in afterwards
// BACK-NEXT: #1 {{.*}} in main
// BACK-NEXT: ... who called that is not known any more
#include <stdlib.h>
int recursion(volatile int *p, int i) { return i ? recursion(p, i - 1) + 1 : p[0]; }
int afterwards(volatile int *p) { return p[1] + 1; }
int main(int argc, char **argv) {
  volatile int there = 0;
  int sum = recursion(argc > 2 ? &there : 0, atoi(argv[1]));
  return sum + afterwards(0);
}
