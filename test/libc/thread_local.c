// A variable of each thread's own is refused when it is compiled, in every spelling, and not by a compiler that crashes.
// RUN: not %gpucc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %gpucc -DSPELLING=__thread -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %gpucc -std=c23 -DSPELLING=thread_local -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %gpucc -x c++ -DSPELLING=thread_local -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: thread-local storage is not supported for the current target
// CHECK-NOT: Stack dump
#ifndef SPELLING
#define SPELLING _Thread_local
#endif
SPELLING int own = 3;
int main(void) { return own; }
