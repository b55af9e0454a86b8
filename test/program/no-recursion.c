// A program that does not recurse is the same as without the pass for deep recursion: it has no functions, variables or tests
// for that. One that recurses has.
// REQUIRES: machine-code
// RUN: %gpucc -O2 %s -o %t && %gpucc -O2 -DRECURSE %s -o %t.recurses
// RUN: llvm-nm %t > %t.names && not grep -i "more_stack\|free_stack\|stack_overflow\|stack_limits\|heap_stack" %t.names
// RUN: llvm-nm %t.recurses | FileCheck %s
// CHECK: __gpuexec_more_stack
// CHECK: __gpuexec_stack_limits
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef RECURSE
static int depth(int n) { return n ? depth(n / 3) * 5 + n : 1; }
#else
static int depth(int n) { return n; }
#endif

int main(int argc, char **argv) {
  char *text = strdup(argv[0]);
  printf("%d %zu\n", depth(argc * 100), strlen(text));
  free(text);
  return 0;
}
