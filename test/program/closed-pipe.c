// A reader that goes away ends the program quietly, as SIGPIPE does.
// RUN: %gpucc -O2 %s -o %t
// RUN: bash -c '%run %t 2> %t.err | head -n 1 > %t.out; echo status ${PIPESTATUS[0]} >> %t.out'
// RUN: FileCheck %s < %t.out
// RUN: cmp /dev/null %t.err
// CHECK: line 0
// CHECK-NEXT: status 141
#include <stdio.h>

int main(void) {
  for (long i = 0;; i++)
    printf("line %ld\n", i);
}
