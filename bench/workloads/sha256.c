// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* SHA-256 of a message that is the last digest; a unit is 16 blocks of 64 bytes. */
#include "workload.h"
#define main unused_main
#include "../../examples/sha256sum.c"
#undef main

static uint32_t work(uint32_t seed, unsigned units) {
  unsigned char block[64];
  struct sha256 s;
  for (int i = 0; i < 64; i++)
    block[i] = (unsigned char)(seed + (uint32_t)i);
  start(&s);
  for (unsigned i = 0; i < units * 16; i++) {
    compress(&s, block);
    for (int j = 0; j < 8; j++)
      block[4 * j] = (unsigned char)s.state[j];
  }
  return s.state[0] ^ s.state[7];
}
