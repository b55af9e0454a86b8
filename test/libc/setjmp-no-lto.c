// A function that was compiled before the link returns from no jump: setjmp and longjmp in it are an error when it is compiled,
// and a jump that may pass through it is one when it is linked.
// RUN: not %gpucc -fno-lto -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-DAG: error: setjmp needs link-time optimisation: compile '{{.*}}setjmp-no-lto.c' without -fno-lto and -S
// CHECK-DAG: error: longjmp needs link-time optimisation
// CHECK-NOT: Stack dump
// RUN: %gpucc -fno-lto -DTHROUGH -c %s -o %t.o
// RUN: not %gpucc %s %t.o -o %t 2>&1 | FileCheck %s --check-prefix=THROUGH
// THROUGH: error: longjmp may have to pass through 'call', which was compiled without link-time optimisation (-fno-lto)
#ifdef THROUGH
int call(int (*function)(int), int value) { return function(value) + 1; }
#else
#include <setjmp.h>
int call(int (*)(int), int);
static jmp_buf place;
static int jump(int value) { longjmp(place, value); }
int main(void) { return setjmp(place) ? 0 : call(jump, 3); }
#endif
