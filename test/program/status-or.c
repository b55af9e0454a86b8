// The exit status is the OR of what main returns in all threads.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads 100 --blocks 3 %t; test $? -eq 0
// RUN: %run --threads 100 --blocks 3 %t one; test $? -eq 37
// RUN: %run --threads 8 --blocks 8 %t all; test $? -eq 255
#include <gpuintrin.h>
#include <string.h>

int main(int argc, char **argv) {
  unsigned thread = __gpu_thread_id(0), block = __gpu_block_id(0);
  if (argc < 2)
    return 0;
  if (!strcmp(argv[1], "all"))
    return 1 << thread;
  if (block == 0 && thread == 99)
    return 32;
  if (block == 2 && thread == 0)
    return 5;
  return 0;
}
