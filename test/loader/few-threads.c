// Where a user may start few threads, a run either fails with a message that says so, or works.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %inputs/limited_resources.py threads %gpuexec %t
#include <stdio.h>

int main(void) {
  puts("works");
  return 0;
}
