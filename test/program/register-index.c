// An index in M0 that leads out of v0-v255 or a0-a255 is a fault before
// anything is read or written; one that stays inside is none.
// REQUIRES: emulator, gfx9
// RUN: %gpucc %lanes -O1 %s -o %t
// RUN: %run %t inside | FileCheck %s --check-prefix=INSIDE
// RUN: %run --threads 128 %t inside | FileCheck %s --check-prefix=INSIDE
// RUN: for case in read write move-from move-to vgpr vgpr-pair; do \
// RUN:   for threads in 1 128; do \
// RUN:     %run --threads $threads %t $case > %t.out 2> %t.err; \
// RUN:     test $? -eq 139 && FileCheck %s < %t.err && test ! -s %t.out || { echo "failed: case=$case, threads=$threads" >&2; exit 1; }; \
// RUN:   done; done
// CHECK: device fault: register out of range: index {{[0-9]+}} in M0
// INSIDE: 42 43
#include <stdio.h>
#include <string.h>

// What stands between s_set_gpr_idx_on and _off, with index `k`.
#define INDEXED(MODE, CODE, k, ...)                                            \
  __asm__ volatile("s_set_gpr_idx_on %1, gpr_idx(" MODE ")\n" CODE             \
                   "\ns_set_gpr_idx_off"                                       \
                   : "=v"(result)                                              \
                   : "s"(k), "v"(7)                                            \
                   : "memory", "m0")

int main(int argc, char **argv) {
  const char *name = argv[1];
  unsigned result = 0;
  if (!strcmp(name, "inside")) {
    unsigned a, b;
    __asm__ volatile("v_mov_b32 v12, 42\n"
                     "s_set_gpr_idx_on %2, gpr_idx(SRC0)\n"
                     "v_mov_b32 %0, v10\n"
                     "s_set_gpr_idx_mode gpr_idx(DST)\n"
                     "v_mov_b32 v10, 43\n"
                     "s_set_gpr_idx_off\n"
                     "v_mov_b32 %1, v12"
                     : "=&v"(a), "=&v"(b)
                     : "s"(2)
                     : "m0", "v10", "v11", "v12");
    if (__builtin_amdgcn_workitem_id_x() == 0)
      printf("%u %u\n", a, b);
    return 0;
  }
  if (!strcmp(name, "read"))
    INDEXED("SRC0", "v_accvgpr_read_b32 %0, a255", 1);
  else if (!strcmp(name, "write"))
    INDEXED("DST", "v_accvgpr_write_b32 a255, %2", 255);
  else if (!strcmp(name, "move-from"))
    INDEXED("SRC0", "v_accvgpr_mov_b32 a254, a255", 1);
  else if (!strcmp(name, "move-to"))
    INDEXED("DST", "v_accvgpr_mov_b32 a254, a255", 2);
  else if (!strcmp(name, "vgpr")) // the row behind v255 is a0
    INDEXED("DST", "v_mov_b32 v253, %2", 3);
  else if (!strcmp(name, "vgpr-pair")) // its second register
    INDEXED("SRC0", "v_fract_f64 v[250:251], v[252:253]", 3);
  printf("%u\n", result);
  return 0;
}
