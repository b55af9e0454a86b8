//===-- emulator/amdgpu/tests/rdna_test.cpp - Waves of 32 lanes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rdna.c's kernels: dual instructions, masks of one register, halves of
// registers, and what else RDNA has of its own.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tests/harness.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace gpuexec::emulator::amdgpu::test {

using u32 = uint32_t;

class Rdna : public testing::TestWithParam<const char *> {
protected:
  Rdna()
      : machine(GetParam(), std::string(KERNELS_DIR) + "/rdna." + GetParam()) {
    out = machine.allocate<u32>(64 * 16);
    x = machine.allocate<u32>(64);
    y = machine.allocate<u32>(64);
    for (u32 l = 0; l < 64; ++l) {
      x[l] = 0x9e3779b9u * (l + 1) ^ (l << 28);
      y[l] = 0x85ebca6bu * (l + 3);
    }
  }
  void run(const char *name, uint16_t threads = 32) {
    std::fill(out, out + 64 * 16, 0xdeadbeef);
    Machine::Grid grid;
    grid.threads[0] = threads;
    const Result r = machine.launch(name, grid, out, x, y);
    ASSERT_EQ(r.fault.kind, Fault::Kind::none) << r.report;
  }
  /// Compares result n of each lane with expected(lane).
  template <typename F>
  void expect(unsigned n, F expected, uint16_t threads = 32) {
    for (u32 l = 0; l < threads; ++l)
      ASSERT_EQ(out[64 * n + l], u32(expected(l)))
          << "result " << n << ", lane " << l;
  }
  bool is(const char *cpu) const { return GetParam() == std::string(cpu); }
  bool is_rdna1_or_2() const { return is("gfx1010") || is("gfx1030"); }

  Machine machine;
  u32 *out, *x, *y;
};

TEST_P(Rdna, DualInstructions) {
  if (is_rdna1_or_2())
    GTEST_SKIP() << "from gfx11 on";
  run("dual");
  expect(0, [&](u32 l) { return y[l]; });
  expect(1, [&](u32 l) { return x[l]; });
  expect(2, [](u32) { return 0x40e00000; });
  expect(3, [](u32) { return 0x40c00000; });
}

TEST_P(Rdna, MasksAreOneRegister) {
  run("masks");
  u32 carries = 0;
  for (u32 l = 0; l < 32; ++l)
    carries |= u32(x[l] + y[l] < x[l]) << l;
  expect(0, [](u32) { return 0x7f; });
  expect(1, [](u32) { return 77; });
  expect(2, [](u32) { return 55; });
  expect(3, [](u32) { return 1; });
  expect(4, [&](u32 l) { return carries >> l & 1; });
  expect(5, [](u32) { return ~0u; });
  expect(6, [](u32 l) { return l < 5 ? 2 : 1; });
}

TEST_P(Rdna, MasksOfOneLane) {
  run("masks", 1);
  expect(
      0, [](u32) { return 1; }, 1);
  expect(
      1, [](u32) { return 77; }, 1);
  expect(
      2, [](u32) { return 55; }, 1);
  expect(
      3, [](u32) { return 1; }, 1);
  expect(
      5, [](u32) { return 1; }, 1);
  expect(
      6, [](u32) { return 2; }, 1);
}

TEST_P(Rdna, HalvesOfRegisters) {
  if (!is("gfx1100"))
    GTEST_SKIP() << "clang 22 has no .l and .h on this processor";
  run("halves");
  expect(0,
         [&](u32 l) { return (x[l] & 0xffff) | (x[l] + (y[l] >> 16)) << 16; });
  expect(1, [&](u32 l) {
    return (x[l] & 0xffff0000) | ((x[l] >> 16 ^ y[l]) & 0xffff);
  });
  expect(2, [&](u32 l) { return (x[l] & 0xffff0000) | y[l] >> 16; });
}

TEST_P(Rdna, PartsOfRegisters) {
  if (!is_rdna1_or_2())
    GTEST_SKIP() << "gfx10 alone has SDWA";
  run("parts");
  u32 less = 0;
  for (u32 l = 0; l < 32; ++l)
    less |= u32((x[l] & 0xff) < (y[l] & 0xff)) << l;
  expect(0,
         [&](u32 l) { return (x[l] & 0xffff) | (x[l] + (y[l] >> 16)) << 16; });
  expect(1, [&](u32 l) { return (x[l] & 0xffff0000) | 0x4200; });
  expect(2, [&](u32 l) {
    return (x[l] & 0xffff00ff) | ((x[l] >> 16) + (y[l] >> 24) & 0xff) << 8;
  });
  expect(3, [&](u32) { return less; });
  expect(4, [](u32) { return 77; });
  expect(5, [&](u32 l) { return less >> l & 1 ? 2 : 1; });
  expect(6, [](u32) { return 5; });
  expect(7, [](u32) { return 3; });
  expect(8, [](u32) { return 0; });
  expect(9, [](u32) { return 0x40400000; });
}

TEST_P(Rdna, Addresses) {
  if (!is_rdna1_or_2())
    GTEST_SKIP() << "with names of gfx10";
  run("addresses", 64);
  expect(
      0, [&](u32 l) { return x[l]; }, 64);
  expect(
      1, [](u32) { return 1; }, 64);
  expect(
      2, [&](u32 l) { return x[63 - l]; }, 64);
  if (is("gfx1010"))
    expect(
        3, [](u32 l) { return l / 32; }, 64);
}

TEST_P(Rdna, BetweenLanes) {
  run("lanes");
  expect(0, [](u32 l) { return l ^ 7; });
  expect(1, [](u32 l) { return l ^ 5; });
  expect(2, [](u32 l) { return (l & 16) + 3; });
  expect(3, [](u32 l) { return l % 16 ? l - 1 : 1000; });
  expect(4, [](u32 l) { return l ^ 16; });
  expect(5, [](u32 l) { return (l & 16) | (l & 8) | (7 - (l & 7)); });
  expect(6, [](u32 l) { return (l + 3) % 32; });
  expect(7, [](u32) { return 5; });
  expect(8, [](u32 l) { return l & 1 ? 0 : 50; });
  expect(9, [](u32 l) { return l & 1 ? l - 1 : 50; });
}

/// --check=uninit: a result is undefined where the lane that it comes from is.
TEST_P(Rdna, UndefinedBitsMoveBetweenLanes) {
  const u32 defined = 0xa35c19f2; // a bit for each lane of x
  std::vector<uint8_t> shadow_of_x(64 * 4), shadow_of_out(64 * 16 * 4);
  for (u32 l = 0; l < 64; ++l)
    std::fill_n(&shadow_of_x[4 * l], 4, defined >> (l & 31) & 1 ? 0xff : 0);
  machine.remove(x);
  machine.add(x, shadow_of_x.size(), true, shadow_of_x.data());
  machine.remove(out);
  machine.add(out, shadow_of_out.size(), true, shadow_of_out.data());
  Machine::Grid grid;
  grid.threads[0] = 32;
  grid.check_uninitialized = true;
  const Result r = machine.launch("between_lanes", grid, out, x, y);
  ASSERT_EQ(r.fault.kind, Fault::Kind::none) << r.report;
  /// The bits of result n that the shadow calls defined.
  auto known = [&](unsigned n, u32 l) {
    u32 bits;
    std::memcpy(&bits, &shadow_of_out[4 * (64 * n + l)], 4);
    return bits;
  };
  auto expect_from = [&](unsigned n, auto source) {
    for (u32 l = 0; l < 32; ++l)
      EXPECT_EQ(known(n, l), defined >> source(l) & 1 ? ~0u : 0)
          << "result " << n << ", lane " << l;
  };
  expect_from(0, [](u32 l) { return l ^ 16; });
  expect_from(1, [](u32 l) { return (l & 24) | (7 - (l & 7)); });
  expect_from(2, [](u32 l) { return (l + 3) % 32; });
  expect_from(8, [](u32 l) { return l; });
  if (is("gfx1100") || is("gfx1201"))
    expect_from(3, [](u32 l) { return l; });
  if (is("gfx1201")) {
    expect_from(4, [](u32 l) { return (l & 16) | ((15 - l) & 15); });
    expect_from(5, [](u32 l) { return l; }); // which lane it is from
    // x[0] is undefined, x[1] is not.
    EXPECT_EQ(known(9, 7), 0xffffff00u);
    EXPECT_EQ(known(10, 7), 0u);
    EXPECT_EQ(known(11, 7), ~0u);
  }
  if (is("gfx1100"))
    for (u32 l = 0; l < 32; ++l) {
      EXPECT_EQ(known(6, l), defined >> l & 1 ? ~0u : 0x0000ffff) << l;
      EXPECT_EQ(known(7, l), defined >> l & 1 ? ~0u : 0x0000ffff) << l;
    }
}

TEST_P(Rdna, Memory) {
  run("memory");
  expect(0, [](u32 l) { return l & 1 ? 500 : l; });
  expect(1, [](u32 l) { return l; });
  expect(2, [](u32 l) { return (l & 7) * l; });
  expect(3, [&](u32 l) { return x[31 - l]; });
}

TEST_P(Rdna, RegistersIndexedAtRunTime) {
  run("moved");
  const u32 n = y[0] & 7;
  expect(0, [&](u32 l) {
    u32 sum = 0;
    for (u32 k = 0; k < 8; ++k)
      sum = sum * 3 + x[(k + n) & 7] + (k == 0 ? l : 0);
    return sum;
  });
}

TEST_P(Rdna, TwoWavesOfABlock) {
  run("blocks", 64);
  expect(
      0, [](u32) { return 0; }, 64);
  expect(
      1, [](u32) { return 32; }, 64);
  expect(
      2, [](u32 l) { return l % 32; }, 64);
  expect(
      3, [](u32) { return 1; }, 64);
  expect(
      4, [](u32 l) { return 63 - l; }, 64);
}

TEST_P(Rdna, BlockNumbers) {
  Machine::Grid grid;
  grid.threads[0] = 1;
  grid.blocks[0] = grid.blocks[1] = grid.blocks[2] = 3;
  const Result r = machine.launch("blocks", grid, out, x, y);
  ASSERT_EQ(r.fault.kind, Fault::Kind::none) << r.report;
  for (unsigned axis = 0; axis < 3; ++axis)
    EXPECT_LT(out[0] >> 8 * axis & 0xff, 3u);
}

TEST_P(Rdna, ScalarFloats) {
  if (!is("gfx1201"))
    GTEST_SKIP() << "from gfx11.5 on";
  run("scalars");
  const u32 values[] = {
      0xc0c00000, 0xbf800000,       u32(-2),    0xbf000000,
      9,          x[0] >> 8 & 0xff, x[0] >> 16, u32(int8_t(x[0] >> 24)),
      0x7fc00000, 0x40400000};
  for (unsigned n = 0; n < std::size(values); ++n)
    expect(n, [&](u32) { return values[n]; });
  expect(10, [](u32 l) { return (l & 16) | ((15 - l) & 15); });
}

TEST_P(Rdna, Statistics) {
  Machine::Grid grid;
  grid.threads[0] = 32;
  grid.count = true;
  const Result r = machine.launch("lanes", grid, out, x, y);
  ASSERT_EQ(r.fault.kind, Fault::Kind::none) << r.report;
  EXPECT_EQ(r.counters.possible_lanes, 32 * r.counters.vector_instructions);
}

INSTANTIATE_TEST_SUITE_P(
    All, Rdna, testing::Values("gfx1010", "gfx1030", "gfx1100", "gfx1201"),
    [](const auto &info) { return std::string(info.param); });

} // namespace gpuexec::emulator::amdgpu::test
