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
// With tiers that change at random each of them has its turn at a block that was compiled; the seed repeats it all.
// RUN: for seed in 1 2; do \
// RUN:   env GPUEXEC_EMULATOR_JIT=random:$seed,verbose %run %t 300000 > %t.random 2> %t.told$seed && \
// RUN:   env GPUEXEC_EMULATOR_JIT=0 %run %t 300000 | diff - %t.random || { echo "failed: seed $seed" >&2; exit 1; }; \
// RUN: done
// RUN: for tier in interpreter baseline quick optimised kept; do grep "^jit (random): offset 0x.*: $tier$" %t.told1 > /dev/null || { echo "missing: $tier" >&2; exit 1; }; done
// RUN: env GPUEXEC_EMULATOR_JIT=random:1,verbose %run %t 300000 2>&1 > /dev/null | grep '(random)' > %t.again; grep '(random)' %t.told1 | diff - %t.again
// RUN: not diff %t.told1 %t.told2 > /dev/null
// CHECK: {{^}}jit (baseline): pc 0x{{[0-9a-f]+}}: {{[0-9]+}} micro-ops
// CHECK: jit: pc 0x{{[0-9a-f]+}} lane 0: {{[0-9]+}} instructions
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 10000000;
  unsigned x = 1, odd = 0;
  for (int i = 0; i < rounds; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    if (x & 64)
      odd += x & 1;
  }
  printf("%u %u\n", x, odd);
}
