// Where a user may start few threads, a run either fails with a message about them, or succeeds.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %inputs/limited_resources.py threads %gpuexec %t
#include <stdio.h>

int main(void) {
  puts("works");
  return 0;
}
