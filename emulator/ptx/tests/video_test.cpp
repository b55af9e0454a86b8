// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of 8 and 16 bits in a word, of PTX against the host.
#include "emulator/ptx/tests/ptx_test.h"

#include <algorithm>
#include <cstdlib>

namespace {

/// Lane n of `count`, by its sign.
int lane(uint64_t word, unsigned n, unsigned count, bool is_signed) {
  const unsigned bits = 32 / count;
  const auto at = unsigned(uint32_t(word) >> (n * bits));
  if (bits == 8)
    return is_signed ? int8_t(at) : uint8_t(at);
  return is_signed ? int16_t(at) : uint16_t(at);
}

using Operation = int (*)(int, int);

template <Operation OPERATION, unsigned COUNT, bool SIGNED>
uint64_t packed(uint64_t a, uint64_t b, uint64_t) {
  uint32_t result = 0;
  const uint32_t mask = (uint64_t(1) << 32 / COUNT) - 1;
  for (unsigned n = 0; n < COUNT; ++n)
    result |= (uint32_t(OPERATION(lane(a, n, COUNT, SIGNED),
                                  lane(b, n, COUNT, SIGNED))) &
               mask)
              << (n * 32 / COUNT);
  return result;
}

template <Operation OPERATION, unsigned COUNT, bool SIGNED>
uint64_t summed(uint64_t a, uint64_t b, uint64_t c) {
  auto sum = uint32_t(c);
  for (unsigned n = 0; n < COUNT; ++n)
    sum += uint32_t(
        OPERATION(lane(a, n, COUNT, SIGNED), lane(b, n, COUNT, SIGNED)));
  return sum;
}

int add(int a, int b) { return a + b; }
int add_saturated(int a, int b) { return std::clamp(a + b, -128, 127); }
int difference(int a, int b) { return std::abs(a - b); }
int average(int a, int b) { return (a + b + 1) >> 1; }
int least(int a, int b) { return std::min(a, b); }

TEST_F(Ptx, LanesOfAWord) {
  check({
      {"vadd4.u32.u32.u32 $d, $a, $b, $c;", 32, 32, packed<add, 4, false>},
      {"vadd4.s32.s32.s32.sat $d, $a, $b, $c;", 32, 32,
       packed<add_saturated, 4, true>},
      {"vabsdiff4.u32.u32.u32.add $d, $a, $b, $c;", 32, 32,
       summed<difference, 4, false>},
      {"vabsdiff2.s32.s32.s32 $d, $a, $b, $c;", 32, 32,
       packed<difference, 2, true>},
      {"vavrg2.u32.u32.u32 $d, $a, $b, $c;", 32, 32, packed<average, 2, false>},
      {"vmin4.s32.s32.s32 $d, $a, $b, $c;", 32, 32, packed<least, 4, true>},
  });
}

} // namespace
