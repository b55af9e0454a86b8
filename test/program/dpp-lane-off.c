// A DPP instruction writes nothing while its lane is off, also behind one that did: interpreted, and compiled at once.
// REQUIRES: emulator
// RUN: %gpucc -O1 %s -o %t
// RUN: env GPUEXEC_EMULATOR_JIT=off %run %t
// RUN: env GPUEXEC_EMULATOR_JIT=baseline %run %t
// RUN: env GPUEXEC_EMULATOR_JIT=eager %run %t
#include <stdio.h>

#define DPP " quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf\n"

int main(void) {
  for (int i = 0; i < 3000; i++) {
    unsigned on = 1, off = 2;
    unsigned long saved;
    __asm__ volatile("s_nop 4\n"
                     "v_mov_b32_dpp %0, %3" DPP "s_mov_b64 %2, exec\n"
                     "s_mov_b64 exec, 0\n"
                     "s_nop 4\n"
                     "v_mov_b32_dpp %1, %3" DPP "s_mov_b64 exec, %2"
                     : "+v"(on), "+v"(off), "=&s"(saved)
                     : "v"(i + 10));
    if (on != i + 10u || off != 2) {
      printf("round %d: on %u, off %u\n", i, on, off);
      return 1;
    }
  }
  return 0;
}
