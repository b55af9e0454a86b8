// A program prints, gets its arguments, and ends with the status that main returns.
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t one two > %t.out; test $? -eq 3
// RUN: FileCheck %s < %t.out
// CHECK: 3 arguments
// CHECK-NEXT: one
// CHECK-NEXT: two
// CHECK-NOT: {{.}}
#include <stdio.h>

int main(int argc, char **argv) {
  printf("%d arguments\n", argc);
  for (int i = 1; i < argc; i++)
    puts(argv[i]);
  return argc;
}
