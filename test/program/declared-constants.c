// A variable that one file declares const, as a header does for all files but one, and that another file changes.
// RUN: %gpucc -O2 -DDEFINES -c %s -o %t.own.o
// RUN: %gpucc %lanes -O2 %s %t.own.o -o %t
// RUN: printf abc | %run %t | FileCheck %s
// RUN: %gpucc %lanes -O0 %s %t.own.o -o %t.plain
// RUN: printf abc | %run %t.plain | FileCheck %s
// Machine code before the link:
// RUN: %gpucc -O2 -fno-lto -DDEFINES -c %s -o %t.machine.o
// RUN: %gpucc -O2 -fno-lto %s %t.machine.o -o %t.machine
// RUN: printf abc | %run %t.machine | FileCheck %s
// CHECK: sum 6, at the end 3, limit 100
#include <stdio.h>

int next(void);
#ifdef DEFINES
struct state {
  long line;
} state;
const long limit = 100;

int next(void) {
  if (getchar() == EOF)
    return 0;
  state.line++;
  return 1;
}
#else
extern const struct state {
  long line;
} state;
extern const long limit;
static const long *const line = &state.line;

int main(void) {
  long sum = 0;
  while (next())
    sum += state.line;
  printf("sum %ld, at the end %ld, limit %ld\n", sum, *line, limit);
  return 0;
}
#endif
