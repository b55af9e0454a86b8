// Machine code made before the link cannot have variables of each thread's own: an error that says so, in every spelling, and
// no compiler that crashes. So does a variable that no file defines.
// RUN: not %gpucc -fno-lto -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %gpucc -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: not %gpucc -fno-lto -DSPELLING=__thread -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %gpucc -fno-lto -std=c23 -DSPELLING=thread_local -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: thread-local variable 'own' needs link-time optimisation: compile '{{.*}}thread_local.c' without -fno-lto and -S
// CHECK-NOT: Stack dump
// RUN: not %gpucc %s -o %t 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: error: undefined thread-local variable: absent
// UNDEFINED-NOT: Stack dump
#ifndef SPELLING
#define SPELLING _Thread_local
#endif
SPELLING int own = 3;
extern SPELLING int absent;
int main(void) { return own + absent; }
