// One thread of 512 calls exit while all others never end: the program ends with its status.
// RUN: %gpucc -O2 %s -o %t
// RUN: %gpuexec --timeout 30 --threads 256 --blocks 2 %t > %t.out; test $? -eq 57
// RUN: FileCheck %s < %t.out
// CHECK: leaving{{$}}
// CHECK-NEXT: handler{{$}}
// CHECK-NOT: {{.}}
#include <gpuintrin.h>
#include <stdio.h>
#include <stdlib.h>

volatile int never;

static void handler(void) { puts("handler"); }

int main(void) {
  if (__gpu_block_id(0) == 1 && __gpu_thread_id(0) == 131) {
    atexit(handler);
    puts("leaving");
    exit(57);
  }
  while (!never)
    ;
  return 1;
}
