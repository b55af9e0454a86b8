// A buffer resource has bounds: loads behind them give 0, stores and atomics there are dropped, in every tier and on each kind of GPU.
// REQUIRES: emulator
// RUN: %compiler --arch=gfx942 -O2 %s -o %t.942
// RUN: %compiler --arch=gfx90a -O2 %s -o %t.90a
// RUN: %compiler --arch=gfx1201 -O2 %s -o %t.1201
// RUN: %run %t.942 && %run --threads=64 %t.942 && %run --check=uninit %t.942
// RUN: %run %t.90a && %run --threads=64 %t.90a
// RUN: %run %t.1201 && %run --threads=32 %t.1201 && %run --check=uninit %t.1201
// RUN: env GPUEXEC_EMULATOR_JIT=baseline %run %t.942
// RUN: env GPUEXEC_EMULATOR_JIT=eager %run %t.942
// RUN: env GPUEXEC_EMULATOR_JIT=eager %run %t.1201
#include <stdio.h>
#include <stdlib.h>

#ifdef __gfx1201__
#define FLAGS 0x30014000 // raw: num_records counts bytes
#else
#define FLAGS 0x00027000
#endif
typedef unsigned u4 __attribute__((ext_vector_type(4)));

int main(void) {
  unsigned *p = malloc(32 * sizeof(unsigned)), bad = 0;
  for (unsigned round = 0; round < 200; round++) { // hot enough to be compiled
    for (unsigned i = 0; i < 32; i++)
      p[i] = 100 + i;
    __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc(p, 0, 16 * 4, FLAGS);
    for (unsigned i = 0; i < 32; i++)
      bad += __builtin_amdgcn_raw_buffer_load_b32(r, i * 4, 0, 0) != (i < 16 ? 100 + i : 0);
    for (int i = -4; i < 20; i++) {
      u4 v = __builtin_amdgcn_raw_buffer_load_b128(r, i * 4, 0, 0);
      for (int k = 0; k < 4; k++)
        bad += v[k] != (i >= 0 && i + k < 16 ? 100u + i + k : 0);
    }
    for (unsigned i = 8; i < 24; i++)
      __builtin_amdgcn_raw_buffer_store_b32(7, r, i * 4, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b128((u4){1, 2, 3, 4}, r, 14 * 4, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b8(9, r, 64, 0, 0);
    for (unsigned i = 0; i < 32; i++)
      bad += p[i] != (i < 8 || i >= 16 ? 100 + i : i == 14 ? 1 : i == 15 ? 2 : 7);
  }
  if (bad)
    printf("%u wrong\n", bad);
  return bad != 0;
}
