// Where a process may open few files, a run fails in words or works; nothing in between.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %inputs/few_descriptors.py %gpuexec %t
// RUN: %python %inputs/few_descriptors.py %gpuexec --no-parallelism %t
#include <stdio.h>

int main(void) {
  puts("works");
  return 0;
}
