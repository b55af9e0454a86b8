// Every kind of store and atomic into constants is a fault, interpreted and compiled, by one thread and by a full wave.
// REQUIRES: emulator, gfx9
// RUN: %gpucc %lanes -O1 %s -o %t
// RUN: for how in "0 1" "0 64" "baseline 1" "eager 1"; do set -- $how; for kind in $(seq 0 18); do \
// RUN:   GPUEXEC_EMULATOR_JIT=$1 %run --threads $2 %t $kind > %t.out 2> %t.err; status=$?; \
// RUN:   echo "$how, $kind: $status $(cat %t.out) $(grep -c 'write to read-only memory' %t.err)"; done; done | \
// RUN:   sed '/: 139 stored elsewhere 1$/d' > %t.wrong; cat %t.wrong >&2; test ! -s %t.wrong
// RUN: %run %t 19; test $? -eq 3
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((aligned(4096))) static const char table[8192] = {1};
__attribute__((aligned(16))) static char elsewhere[64];

#define WAIT "\ns_waitcnt vmcnt(0) lgkmcnt(0)"
#define STORE(NUMBER, TEXT)                                                                                              \
  __attribute__((noinline)) static void store##NUMBER(volatile char *first, volatile char *last) {                      \
    for (int i = 0; i <= TIMES; ++i)                                                                                     \
      __asm__ volatile(                                                                                                  \
          "v_mov_b32 v24, 0\nv_mov_b32 v25, 0\nv_mov_b32 v26, 0\nv_mov_b32 v27, 0\n" TEXT WAIT ::"v"(i < TIMES ? first : last) \
          : "memory", "v24", "v25", "v26", "v27");                                                                       \
  }
enum { TIMES = 50000 }; // hot
STORE(0, "flat_store_byte %0, v24")
STORE(1, "flat_store_short %0, v24")
STORE(2, "flat_store_dword %0, v24")
STORE(3, "flat_store_dwordx2 %0, v[24:25]")
STORE(4, "flat_store_dwordx3 %0, v[24:26]")
STORE(5, "flat_store_dwordx4 %0, v[24:27]")
STORE(6, "flat_store_byte_d16_hi %0, v24")
STORE(7, "global_store_byte %0, v24, off")
STORE(8, "global_store_short_d16_hi %0, v24, off")
STORE(9, "global_store_dword %0, v24, off")
STORE(10, "global_store_dwordx4 %0, v[24:27], off")
STORE(11, "flat_atomic_add %0, v24")
STORE(12, "flat_atomic_add v26, %0, v24 sc0")
STORE(13, "flat_atomic_cmpswap v26, %0, v[24:25] sc0")
STORE(14, "global_atomic_cmpswap_x2 %0, v[24:27], off")
STORE(15, "global_atomic_swap_x2 %0, v[24:25], off")
STORE(16, "global_atomic_add_f32 %0, v24, off")
STORE(17, "global_atomic_pk_add_f16 %0, v24, off")
STORE(18, "global_atomic_max_f64 %0, v[24:25], off")

int main(int argc, char **argv) {
  static void (*const stores[])(volatile char *, volatile char *) = {store0,  store1,  store2,  store3,  store4,  store5,  store6,
                                                    store7,  store8,  store9,  store10, store11, store12, store13,
                                                    store14, store15, store16, store17, store18};
  unsigned kind = atoi(argv[1]);
  if (kind >= sizeof(stores) / sizeof(*stores))
    return 3;
  stores[kind](elsewhere, elsewhere);
  if (__builtin_amdgcn_workitem_id_x() == 0) {
    printf("stored elsewhere");
    fflush(stdout);
  }
  stores[kind](elsewhere, (volatile char *)table);
  return 0;
}
