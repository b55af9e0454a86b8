// 4096 threads print a line each: every line whole and there once.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads 256 --blocks 16 %t > %t.out
// RUN: %python %inputs/thread_lines.py %t.out 256 16
#include <gpuintrin.h>
#include <stdio.h>

int main(void) {
  char text[64];
  int thread = (int)__gpu_thread_id(0), block = (int)__gpu_block_id(0), i = 0;
  for (; i < thread % 50; i++)
    text[i] = 'x';
  text[i] = 0;
  printf("block %d thread %d says %.2f and %s\n", block, thread, block + thread / 4.0, text);
  return 0;
}
