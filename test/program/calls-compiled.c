// A program that calls its host again and again sleeps before a slice of its wave is used up; its code is compiled all the same.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: env GPUEXEC_EMULATOR_JIT=verbose GPUEXEC_JIT_CACHE=off %run %t 2>&1 >/dev/null | FileCheck %s
// CHECK-COUNT-6: jit (baseline): pc
#include <stdio.h>

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0); // each printf is a call
  for (int i = 0; i < 30000; ++i)
    printf("%d word\n", i);
}
