// Fields of an encoding that name no register, or one where the instruction
// wants another kind of operand, are illegal instructions. (Written as words:
// no assembler has names for them.)
// REQUIRES: emulator, gfx9, landlock
// RUN: %gpucc %lanes -O1 %s -o %t
// RUN: %run %t legal | FileCheck %s --check-prefix=LEGAL
// RUN: for case in mask-to-aperture mask-to-scc lane-to-aperture \
// RUN:     lane-to-literal swap-with-execz null-mask odd-pair; do \
// RUN:   for threads in 1 64; do \
// RUN:     %run --sandbox --threads $threads %t $case > %t.out 2> %t.err; \
// RUN:     test $? -eq 139 && FileCheck %s < %t.err && test ! -s %t.out || { echo "failed: case=$case, threads=$threads" >&2; exit 1; }; \
// RUN:   done; done
// CHECK: device fault: illegal instruction
// LEGAL: 1 0xffffffff
#include <stdio.h>
#include <string.h>

#define WORDS(TEXT)                                                            \
  __asm__ volatile(                                                            \
      "v_mov_b32 v9, 0x41414141\nv_mov_b32 v22, 1\ns_nop 0\n" TEXT             \
      "\ns_nop 0\nv_mov_b32 v9, 0"                                             \
      :                                                                        \
      :                                                                        \
      : "v8", "v9", "v10", "v11", "v22", "v23", "s10", "s11", "vcc", "memory")

int main(int argc, char **argv) {
  const char *name = argv[1];
  if (!strcmp(name, "legal")) {
    // A mask that is written to EXEC is noticed at once.
    unsigned lanes, all;
    __asm__ volatile("s_mov_b64 s[10:11], exec\n"
                     "v_mbcnt_lo_u32_b32 v9, -1, 0\n"
                     "v_mbcnt_hi_u32_b32 v9, -1, v9\n"
                     "v_mov_b32 v10, 0\n"
                     "v_cmp_eq_u32_e64 exec, 0, v9\n"
                     "v_mov_b32 v10, -1\n"
                     "s_bcnt1_i32_b64 %0, exec\n"
                     "s_mov_b64 exec, s[10:11]\n"
                     "v_readlane_b32 %1, v10, 0"
                     : "=s"(lanes), "=s"(all)
                     :
                     : "v9", "v10", "s10", "s11");
    printf("%u %#x\n", lanes, all);
    return 0;
  }
  if (!strcmp(name, "mask-to-aperture")) // v_cmp_eq_u32_e64 235, v9, v22
    WORDS(".long 0xd0ca00eb, 0x00022d09");
  else if (!strcmp(name, "mask-to-scc")) // v_cmp_eq_u32_e64 253, v9, v22
    WORDS(".long 0xd0ca00fd, 0x00022d09");
  else if (!strcmp(name, "null-mask")) // v_cmp_eq_u32_e64 125, v9, v22
    WORDS(".long 0xd0ca007d, 0x00022d09");
  else if (!strcmp(name, "lane-to-aperture")) // v_readfirstlane_b32 235, v9
    WORDS(".long 0x7fd60509");
  else if (!strcmp(name, "lane-to-literal")) // v_readfirstlane_b32 255, v9
    WORDS(".long 0x7ffe0509, 0x12345678");
  else if (!strcmp(name, "swap-with-execz")) // v_swap_b32 v9, 252
    WORDS(".long 0x7e12a2fc");
  else if (!strcmp(name, "odd-pair")) // v_fract_f64 v[9:10], v[22:23]
    WORDS(".long 0x7e126516");
  printf("went on\n");
  return 0;
}
