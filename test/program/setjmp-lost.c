// A jump to a function that has returned, or that never called setjmp, ends the program with a message and as by abort().
// RUN: %gpucc -O0 %s -o %t.0
// RUN: %gpucc -O2 %s -o %t.2
// RUN: for how in returned exit never other; do for level in 0 2; do %run %t.$level $how > %t.log 2>&1; test $? -eq 134 && FileCheck %s < %t.log || { echo "failed: $how at -O$level" >&2; cat %t.log >&2; exit 1; }; done; done
// CHECK-DAG: before
// CHECK-DAG: longjmp to a function that has returned
// CHECK-NOT: {{^}}after
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf place, empty;

__attribute__((noinline)) static int has_returned(void) { return setjmp(place); }
__attribute__((noinline)) static int waits(int depth) {
  jmp_buf mine;
  if (setjmp(mine))
    puts("after: wrong activation");
  if (depth == 0)
    longjmp(place, 1);
  return waits(depth - 1);
}
static void at_exit(void) { longjmp(place, 1); }

int main(int argc, char **argv) {
  puts("before");
  if (!strcmp(argv[1], "exit")) {
    atexit(at_exit);
    return setjmp(place);
  }
  if (!strcmp(argv[1], "never"))
    longjmp(empty, 1);
  has_returned();
  if (!strcmp(argv[1], "other"))
    waits(5);
  longjmp(place, 1);
  puts("after");
  return argc;
}
