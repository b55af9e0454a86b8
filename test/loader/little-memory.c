// With little memory a run either fails with a message about it, or succeeds: the status is never one of the program's.
// REQUIRES: emulator
// UNSUPPORTED: asan, tsan
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %inputs/limited_resources.py memory %gpuexec %t
#include <stdio.h>

int main(void) {
  puts("works");
  return 0;
}
