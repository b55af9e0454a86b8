// The compiler's own __builtin_setjmp and __builtin_longjmp, in C and in C++.
// RUN: %gpucc -O0 %s -o %t.0
// RUN: %gpucc -O2 %s -o %t.2
// RUN: %gpucc -x c++ -O2 %s -o %t.cpp
// RUN: %run %t.0 | FileCheck %s
// RUN: %run %t.2 | FileCheck %s
// RUN: %run %t.cpp | FileCheck %s
// CHECK: 1 5
#include <stdio.h>
static void *buffer[5];
__attribute__((noinline)) static void jump(int depth) {
  if (!depth)
    __builtin_longjmp(buffer, 1);
  jump(depth - 1);
}
int main(void) {
  volatile int rounds = 0;
  int value = __builtin_setjmp(buffer);
  rounds = rounds + 1;
  if (rounds < 5)
    jump(rounds);
  printf("%d %d\n", value, rounds);
  return 0;
}
