// stdbit.h: C23's bit functions, against plain loops.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run %t
// RUN: %run --threads 256 --blocks 16 %t
#include "../Inputs/expect.h"
#include <stdbit.h>

static unsigned leading(unsigned long v, unsigned bits) {
  unsigned count = 0;
  while (count < bits && !(v >> (bits - 1 - count) & 1))
    ++count;
  return count;
}

int main(void) {
  const unsigned long values[] = {0, 1, 2, 3, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 0x80000000, 0xffffffff, 0x123456789, ~0ul};
  int good = 1;
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
    unsigned long v = values[i];
    good &= EXPECT(stdc_leading_zeros_ul(v) == leading(v, 64), "%lx", v);
    good &= EXPECT(stdc_leading_zeros_ui((unsigned)v) == leading((unsigned)v, 32), "%lx", v);
    good &= EXPECT(stdc_leading_zeros_us((unsigned short)v) == leading((unsigned short)v, 16), "%lx", v);
    good &= EXPECT(stdc_leading_zeros_uc((unsigned char)v) == leading((unsigned char)v, 8), "%lx", v);
    good &= EXPECT(stdc_leading_ones(v) == leading(~v, 64), "%lx", v);
    good &= EXPECT(stdc_count_ones(v) + stdc_count_zeros(v) == 64, "%lx", v);
    good &= EXPECT(stdc_bit_width(v) == 64 - leading(v, 64), "%lx", v);
    good &= EXPECT(stdc_has_single_bit(v) == (stdc_count_ones(v) == 1), "%lx", v);
    good &= EXPECT(stdc_bit_floor(v) == (v ? 1ul << (63 - leading(v, 64)) : 0), "%lx", v);
    good &= EXPECT(v == 0 || stdc_trailing_zeros(v) == stdc_first_trailing_one(v) - 1, "%lx", v);
    good &= EXPECT(stdc_bit_ceil_uc((unsigned char)v) == 0 || stdc_bit_ceil_uc((unsigned char)v) >= (unsigned char)v, "%lx", v);
  }
  return !good;
}
