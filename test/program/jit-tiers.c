// Hot code is compiled twice: at once by the baseline compiler, and again by the optimiser when it stays hot. What it computes is
// the same.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: env GPUEXEC_EMULATOR_JIT=verbose %run %t > %t.out 2> %t.told
// RUN: env GPUEXEC_EMULATOR_JIT=off %run %t > %t.interpreted
// RUN: diff %t.interpreted %t.out
// RUN: env GPUEXEC_EMULATOR_JIT=baseline %run %t > %t.baseline
// RUN: diff %t.interpreted %t.baseline
// RUN: FileCheck %s < %t.told
// CHECK: {{^}}jit (baseline): pc 0x{{[0-9a-f]+}}: {{[0-9]+}} micro-ops
// CHECK: jit: pc 0x{{[0-9a-f]+}} lane 0: {{[0-9]+}} instructions
#include <stdio.h>

int main(void) {
  unsigned x = 1, odd = 0;
  for (int i = 0; i < 10000000; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    if (x & 64)
      odd += x & 1;
  }
  printf("%u %u\n", x, odd);
}
