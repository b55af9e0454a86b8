// The condition vccz, as a value, is undefined with VCC: in waves of 64 and of 32 lanes.
// REQUIRES: emulator
// RUN: %gpucc -O1 -g %s -o %t.64
// RUN: not %gpuexec --check=uninit %t.64 2> %t.report
// RUN: grep 'a branch depends on it' %t.report
// RUN: %gpucc --arch=gfx1100 -O1 -g %s -o %t.32
// RUN: env GPUEXEC_EMULATOR_ARCH=gfx1100 not %gpuexec --check=uninit %t.32 2> %t.report
// RUN: grep 'a branch depends on it' %t.report
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned *p = malloc(4), is_zero;
  __asm__ volatile("" : "+v"(p)::"memory");
#ifdef __gfx1100__
  // LLVM's assembler does not know s_mov_b32 s20, src_vccz here; its disassembler does.
  __asm__ volatile("v_cmp_eq_u32 vcc_lo, 7, %1\n"
                   ".long 0xbe9400fb\n"
                   "s_mov_b32 %0, s20"
                   : "=s"(is_zero)
                   : "v"(*p)
                   : "vcc", "s20");
#else
  __asm__ volatile("v_cmp_eq_u32 vcc, 7, %1\ns_mov_b32 %0, src_vccz" : "=s"(is_zero) : "v"(*p) : "vcc");
#endif
  return is_zero ? puts("no seven") : puts("seven");
}
