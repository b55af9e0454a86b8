// Threads and blocks in three dimensions: all of them run, once each, and know where they are.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads-x 4 --threads-y 3 --threads-z 2 --blocks-x 2 --blocks-y 3 --blocks-z 4 %t 4 3 2 2 3 4 | sort | uniq -c | FileCheck %s
// RUN: %run --threads 64 --blocks 9 %t 64 1 1 9 1 1 | sort | uniq -c | FileCheck %s
// CHECK: 576 good
// CHECK-NOT: {{.}}
#include <gpuintrin.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned seen[576];

int main(int argc, char **argv) {
  unsigned n[6], at[6], index = 0;
  int good = argc == 7;
  for (int i = 0; i < 3; i++) {
    n[i] = __gpu_num_threads(i);
    at[i] = __gpu_thread_id(i);
    n[3 + i] = __gpu_num_blocks(i);
    at[3 + i] = __gpu_block_id(i);
  }
  for (int i = 5; i >= 0; i--) {
    good &= n[i] == (unsigned)atoi(argv[1 + i]) && at[i] < n[i];
    index = index * n[i] + at[i];
  }
  good &= index < 576 && __atomic_fetch_add(&seen[index], 1, __ATOMIC_RELAXED) == 0;
  puts(good ? "good" : "bad");
  return 0;
}
