// Where a process may open few files or start few threads, a run fails in words or works; nothing in between.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %inputs/few.py descriptors %gpuexec %t
// RUN: %python %inputs/few.py descriptors %gpuexec --no-parallelism %t
// RUN: if test $(id -u) = 0; then %python %inputs/few.py threads %gpuexec %t; fi
#include <stdio.h>

int main(void) {
  puts("works");
  return 0;
}
