// A jump frees the large local variables of the functions that it passes, also of those that were inlined.
// RUN: %gpucc %lanes -O0 %s -o %t.0
// RUN: %gpucc %lanes -O2 %s -o %t.2
// RUN: %run --heap-size 32M %t.0 | FileCheck %s
// RUN: %run --heap-size 32M %t.2 | FileCheck %s
// RUN: %run --heap-size 128M --threads 64 %t.2 | sort | uniq -c | FileCheck %s --check-prefix=THREADS
// CHECK: 1000 jumps, mine 77
// THREADS: 64 1000 jumps, mine 77
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static _Thread_local jmp_buf place;
static volatile int many = 40000;

static inline __attribute__((always_inline)) int inlined(int value) {
  volatile char array[33000];
  array[many / 2] = (char)value;
  if (value)
    longjmp(place, array[many / 2]);
  return array[many / 2];
}
__attribute__((noinline)) static int called(int depth, int value) {
  volatile char array[40000];
  array[many - 1] = (char)depth;
  if (depth)
    return called(depth - 1, value) + array[many - 1];
  return inlined(value);
}

int main(void) {
  volatile char mine[35000];
  volatile int jumps = 0;
  mine[34999] = 77;
  while (jumps < 1000)
    if (setjmp(place))
      jumps = jumps + 1;
    else if (jumps % 2)
      called(3, 5);
    else
      inlined(6);
  printf("%d jumps, mine %d\n", jumps, mine[34999]);
  return 0;
}
