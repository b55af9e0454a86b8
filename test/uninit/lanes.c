// Lanes that are not active keep their undefined values, whatever becomes known of the active lanes' values in the same register.
// REQUIRES: emulator
// RUN: %gpucc -O1 -g %s -o %t
// RUN: not %gpuexec --threads 2 --check=uninit %t 2> %t.report
// RUN: grep 'a branch depends on it' %t.report
#include <gpuintrin.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned *p = malloc(4);
  __asm__ volatile("" : "+v"(p)::"memory");
  unsigned value = *p;
  // In lane 0 the value becomes 31 or more: the smaller one of it and 20 is defined. Lane 1 keeps its undefined value.
  __asm__ volatile("s_mov_b64 s[20:21], exec\n"
                   "s_mov_b64 exec, 1\n"
                   "v_ffbl_b32 %0, %0\n"
                   "v_add_u32 %0, 32, %0\n"
                   "s_mov_b64 exec, s[20:21]\n"
                   "v_min_u32 %0, 20, %0"
                   : "+v"(value)::"s20", "s21");
  return __gpu_lane_id() == 1 && value == 7 ? puts("seven") : 0;
}
