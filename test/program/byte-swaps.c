// Bytes of 64-bit numbers in the opposite order, at every level: RDNA 3 has registers of 16 bits.
// REQUIRES: emulator
// RUN: %hostcc -O2 %s -o %t.host && %t.host > %t.expected
// RUN: for how in "gfx1100 -O0" "gfx1100 -O1" "gfx1100 -O2" "gfx1201 -O0" "gfx942 -O0"; do %gpucc --arch=$how %s -o %t.device && %gpuexec --device=emulator %t.device | diff %t.expected - || { echo "failed: $how" >&2; exit 1; }; done
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static uint64_t swapped(uint64_t x) { return __builtin_bswap64(x); }

/// A number whose most significant byte is the first.
__attribute__((noinline)) static uint64_t network_order(const unsigned char *from) {
  uint64_t all = 0;
  for (int i = 0; i < 8; ++i)
    all |= (uint64_t)from[i] << (56 - 8 * i);
  return all;
}

/// More values at the same time than there is room for in registers.
__attribute__((noinline)) static void swap_all(uint64_t *values) {
  uint64_t held[200];
#pragma clang loop unroll(full)
  for (int i = 0; i < 200; ++i)
    held[i] = __builtin_bswap64(values[i] * 3);
  __asm__ volatile("" ::: "memory");
#pragma clang loop unroll(full)
  for (int i = 0; i < 200; ++i)
    values[i] = held[199 - i] ^ __builtin_bswap64(held[i] + 1);
}

int main(int argc, char **argv) {
  (void)argv;
  static uint64_t values[200];
  for (int i = 0; i < 200; ++i)
    values[i] = 0x0123456789abcdefu * (unsigned)(i + argc);
  printf("%016llx\n", (unsigned long long)swapped(values[3]));
  printf("%016llx\n", (unsigned long long)swapped(0x0102030405060708u));
  printf("%016llx\n", (unsigned long long)network_order((const unsigned char *)(values + 5) + 1));
  swap_all(values);
  uint64_t sum = 0;
  for (int i = 0; i < 200; ++i)
    sum = sum * 31 + values[i];
  printf("%016llx\n", (unsigned long long)sum);
  return 0;
}
