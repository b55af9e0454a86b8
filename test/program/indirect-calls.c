// Calls through pointers and returns from them, in compiled code as in the interpreter: to functions that were called before,
// to one that was not, and to what is no code.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: env GPUEXEC_EMULATOR_JIT=0 %run %t > %t.interpreted
// RUN: for jit in baseline eager on; do env GPUEXEC_EMULATOR_JIT=$jit %run --timeout 60 %t > %t.out && diff %t.interpreted %t.out || { echo "failed: jit=$jit" >&2; exit 1; }; done
// RUN: for jit in 0 baseline eager on; do env GPUEXEC_EMULATOR_JIT=$jit %run --timeout 60 %t fault 2> %t.err; test $? -eq 139 && FileCheck %s < %t.err || { echo "failed: jit=$jit" >&2; exit 1; }; done
// CHECK: device fault: execution left the code
// CHECK: s_swappc_b64
// CHECK-NEXT: #0 {{.*}} in _start
#include <stdio.h>

typedef unsigned Function(unsigned x, unsigned depth);
static Function *volatile table[4];

static unsigned add(unsigned x, unsigned depth) { return x + depth; }
static unsigned turn(unsigned x, unsigned depth) { return x << 5 | x >> 27; }
/* Many returns to one place, in a row. */
static unsigned nest(unsigned x, unsigned depth) { return depth ? table[depth & 1 ? 2 : 0](x + 1, depth - 1) + x : x; }
static unsigned late(unsigned x, unsigned depth) { return x ^ 0x5555; }

int main(int argc, char **argv) {
  unsigned sum = 1;
  table[0] = add;
  table[1] = turn;
  table[2] = nest;
  table[3] = turn;
  for (unsigned i = 0; i < 300000; ++i) {
    if (i == 200000)
      table[3] = late;
    if (argc > 1 && i == 290000)
      table[1] = (Function *)((char *)table + 2); /* data */
    sum += table[i & 3](sum, i & 7);
  }
  printf("%u\n", sum);
  return 0;
}
