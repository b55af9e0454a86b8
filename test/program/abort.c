// abort ends the program as a process killed by SIGABRT ends: status 134. What was printed before is not lost.
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t > %t.out 2> %t.err; test $? -eq 134
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// CHECK: before
// CHECK-NOT: never
// ERR: {{[Aa]bort}}
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("never: abort runs no handlers"); }

int main(void) {
  atexit(handler);
  printf("before, no newline");
  abort();
}
