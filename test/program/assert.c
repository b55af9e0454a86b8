// A failed assert says where and what, and ends with 134.
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t 2> %t.err; test $? -eq 134
// RUN: FileCheck %s < %t.err
// CHECK: assert.c{{.*}}[[#@LINE + 9]]
// CHECK-SAME: two == 3
#include <assert.h>
#include <stdio.h>

int main(void) {
  volatile int two = 2;
  assert(two == 2);
  fputs("", stderr);
  assert(two == 3);
  return 0;
}
