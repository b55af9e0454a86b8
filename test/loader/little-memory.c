// Where a process may have little memory, a run fails in words or works: what the host lacks is not the program's fault.
// REQUIRES: emulator
// UNSUPPORTED: asan, tsan
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %inputs/limited_resources.py memory %gpuexec %t
#include <stdio.h>

int main(void) {
  puts("works");
  return 0;
}
