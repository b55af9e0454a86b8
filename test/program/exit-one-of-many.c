// One thread of 512 calls exit while the other waves never end: the program ends with its status. (Lanes of its own wave
// must not spin: on AMD a wave whose lanes spin for others of the same wave never goes on.)
// RUN: %gpucc %lanes -O2 %s -o %t
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
  if (__gpu_block_id(0) == 1 && __gpu_thread_id(0) / 64 == 131 / 64)
    return 1;
  while (!never)
    ;
  return 1;
}
