// While a program's only wave waits for its host, the thread that emulates it serves the call: nobody has to be woken. (With a thread
// that serves and one that waits, each of these calls would take two switches on one processor.)
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %source/test/Inputs/switches.py 20000 taskset -c 0 %run %t | FileCheck %s
// CHECK: few switches
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 20000; ++i) {
    fputc("0123456789"[i % 10], stdout);
    fflush(stdout);
  }
}
