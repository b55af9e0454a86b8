//===-- emulator/amdgpu/tests/instruction_test.cpp --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// instructions.c's kernels, instruction by instruction, with all lanes on and
// with one: encodings and families that C code seldom or never leads to.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/abi/apertures.h"
#include "emulator/amdgpu/ops/valu.h"
#include "emulator/amdgpu/tests/harness.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>

namespace gpuexec::emulator::amdgpu::test {

using u32 = uint32_t;
using u64 = uint64_t;

class Instructions : public testing::TestWithParam<const char *> {
protected:
  Instructions()
      : machine(GetParam(),
                std::string(KERNELS_DIR) + "/instructions." + GetParam()) {
    out = machine.allocate<u32>(64 * 16);
    x = machine.allocate<u32>(256);
    y = machine.allocate<u32>(64);
    for (u32 l = 0; l < 64; ++l) {
      x[l] = 0x9e3779b9u * (l + 1) ^ (l << 28);
      y[l] = 0x85ebca6bu * (l + 3);
    }
  }
  /// Runs `name` and compares result n of each lane with expected(n, lane).
  template <typename F>
  void check(const char *name, unsigned results, F expected,
             uint16_t threads = 64) {
    std::fill(out, out + 64 * 16, 0xdeadbeef);
    Machine::Grid grid;
    grid.threads[0] = threads;
    Result r = machine.launch(name, grid, out, x, y);
    ASSERT_EQ(r.fault.kind, Fault::Kind::none) << r.report;
    for (unsigned n = 0; n < results; ++n)
      for (u32 l = 0; l < threads; ++l)
        ASSERT_EQ(out[64 * n + l], u32(expected(n, l)))
            << name << " result " << n << ", lane " << l;
  }
  /// The same with 64 lanes and with one.
  template <typename F>
  void check_both(const char *name, unsigned results, F expected) {
    check(name, results, expected);
    check(name, results, expected, 1);
  }
  static float f(u32 bits) { return std::bit_cast<float>(bits); }
  static u32 bits(float v) { return std::bit_cast<u32>(v); }

  Machine machine;
  u32 *out, *x, *y;
};

TEST_P(Instructions, Swap) {
  check_both("swap", 2, [&](unsigned n, u32 l) { return n ? x[l] : y[l]; });
}

// Rows in which no lane is out of the ordinary take a shorter way: it must come
// to the same, and one lane that is must be noticed wherever it lies.
TEST_P(Instructions, ScalingOfRows) {
  auto value = [&](unsigned at, u32 l) {
    return std::bit_cast<double>(x[at + l] | u64(x[at + 64 + l]) << 32);
  };
  auto expected = [&](unsigned n, u32 l) -> u32 {
    double numerator = value(0, l), denominator = value(128, l);
    auto part = [](double d, bool upper) {
      return u32(std::bit_cast<u64>(d) >> (upper ? 32 : 0));
    };
    if (n >= 6)
      return part(ops::v_ldexp_f64(ops::DEFAULT_MODE, numerator, int32_t(y[l])),
                  n & 1);
    auto r = ops::v_div_scale_f64(n < 3 ? denominator : numerator, denominator,
                                  numerator);
    return n % 3 == 2 ? r.bit : part(r.value, n % 3);
  };
  auto ordinary = [&] {
    for (u32 l = 0; l < 64; ++l) {
      x[64 + l] = (x[64 + l] & 0x800fffff) | (1023 - 30 + l) << 20;
      x[192 + l] = (x[192 + l] & 0x800fffff) | (1023 + 60 - 2 * l) << 20;
      y[l] = l - 32;
    }
  };
  ordinary();
  check_both("scale", 8, expected);
  static const u32 EXPONENTS[] = {0,    1,    2,    52,   53,   54,   1023,
                                  1791, 1792, 2043, 2044, 2045, 2046, 2047};
  static const u32 SHIFTS[] = {
      0,          u32(-1022), u32(-1023), u32(-1100), 1023, 1024, 2200,
      0x7fffffff, 0x80000000, 1,          u32(-1),    50,   3,    u32(-2200)};
  u32 lane = 5;
  for (u32 n : EXPONENTS)
    for (unsigned k = 0; k < std::size(EXPONENTS); ++k) {
      ordinary();
      lane = (lane + 7) % 64;
      x[64 + lane] = (x[64 + lane] & 0x800fffff) | n << 20;
      x[192 + lane] = (x[192 + lane] & 0x800fffff) | EXPONENTS[k] << 20;
      y[lane] = SHIFTS[k];
      check("scale", 8, expected);
      // Zeroes, infinities.
      x[lane] = x[128 + lane] = 0;
      x[64 + lane] &= 0xfff00000;
      x[192 + lane] &= 0xfff00000;
      check("scale", 8, expected);
    }
}

TEST_P(Instructions, SubDwordAddressing) {
  check_both("sdwa", 8, [&](unsigned n, u32 l) -> u32 {
    u32 a = x[l], b = y[l];
    switch (n) {
    case 0:
      return a >> 8 & 0xff;
    case 1:
      return u32(int32_t(int16_t(a >> 16)));
    case 2:
      return 0x11003344 | a >> 24 << 16;
    case 3:
      return a << 16;
    case 4:
      return u32(int32_t(int8_t(a)));
    case 5:
      return (a & 0xff) + (b >> 16);
    case 6:
      return (u32(int32_t(int8_t(a >> 24))) + b) << 16 | 0xbbbb;
    default:
      return (a & 0xff) < (b >> 8 & 0xff);
    }
  });
}

TEST_P(Instructions, DataParallelPrimitives) {
  check("dpp", 7, [&](unsigned n, u32 l) -> u32 {
    u32 in_row = l % 16, row = l - in_row, b = y[l];
    const u32 quad[] = {2, 2, 0, 1};
    switch (n) {
    case 0:
      return in_row >= 3 ? x[l - 3] + b : 7;
    case 1:
      return in_row < 14 ? x[l + 2] + b : b;
    case 2:
      return l / 16 % 2 == 0 ? x[row + (in_row + 11) % 16] + b : 7;
    case 3:
      return in_row / 4 == 1 || in_row / 4 == 2 ? x[l / 4 * 4 + quad[l % 4]] + b
                                                : 7;
    case 4:
      return x[l / 8 * 8 + 7 - l % 8];
    case 5:
      return l >= 32 ? x[31] : 7;
    default:
      return l % 2 ? 9 : 7;
    }
  });
}

TEST_P(Instructions, Modifiers) {
  for (u32 l = 0; l < 64; ++l) {
    x[l] = bits(0.125f * float(l) - 3);
    y[l] = bits(l % 3 ? 1.5f - float(l) : float(l) * 0.01f);
  }
  x[5] = 0xfffffff0; // a NaN for the float ones, near overflow for the integer
                     // ones
  check_both("modifiers", 9, [&](unsigned n, u32 l) -> u32 {
    u32 a = x[l], b = y[l];
    u64 vcc = 0x0f0f0f0f55555555;
    auto half = [](u32 v, unsigned which) {
      return which ? v >> 16 : v & 0xffff;
    };
    switch (n) {
    case 0:
      if (l == 5)
        return a ^ 0x80000000; // the NaN comes through with its sign turned
      return bits(-f(a) + std::fabs(f(b)));
    case 1: {
      float v = -std::fabs(f(a)) * f(b);
      return bits(v > 0 ? (v < 1 ? v : 1.0f) : 0.0f);
    }
    case 2:
      return a + b < a ? ~0u : a + b;
    case 3:
      return vcc >> l & 1 ? b & 0x7fffffff : a ^ 0x80000000;
    case 4:
      return out[64 * 4 + l] >> 16 << 16 |
             ((half(a, 1) * half(b, 0) + half(a, 1)) & 0xffff);
    case 5:
      return (half(a, 0) * half(b, 1) + half(a, 0)) << 16 | 0x3344;
    case 6:
      return ((half(a, 1) + half(b, 0)) & 0xffff) | (half(a, 0) + half(b, 1))
                                                        << 16;
    case 7:
      return std::min(half(a, 0) + half(b, 0), 0xffffu) |
             std::min(half(a, 1) + half(b, 1), 0xffffu) << 16;
    default:
      return ((half(a, 0) - half(b, 0)) & 0xffff) | (half(a, 1) - half(b, 1))
                                                        << 16;
    }
  });
}

TEST_P(Instructions, MixedPrecision) {
  auto half = [](float v) { return u32(ops::narrow_to_half(v).bits); };
  for (u32 l = 0; l < 64; ++l) {
    x[l] = half(0.5f * float(l)) | half(float(l) + 1) << 16;
    y[l] = bits((l % 2 ? -1.0f : 1.0f) * (0.25f * float(l) + 1));
  }
  check_both("mixed", 4, [&](unsigned n, u32 l) -> u32 {
    float low = 0.5f * float(l), high = float(l) + 1, b = f(y[l]);
    switch (n) {
    case 0:
      return bits(std::fma(high, b, b));
    case 1:
      return bits(std::fma(-low, std::fabs(b), b));
    case 2:
      return 0x11220000 | half(std::fma(low, low, b));
    default:
      return 0x3344 | half(std::fma(low, low, b)) << 16;
    }
  });
}

TEST_P(Instructions, Lds) {
  check_both("lds", 9, [&](unsigned n, u32 l) -> u32 {
    u32 a = x[l], b = y[l];
    const u32 expected[] = {b,
                            a,
                            5,
                            5,
                            b,
                            ((5 + a) & ~0xff00u) | b,
                            u32(int32_t(int8_t(a))),
                            0x3344 | a << 16,
                            0};
    return expected[n];
  });
}

TEST_P(Instructions, MemoryAndAtomics) {
  for (uint16_t threads : {1, 64}) {
    std::vector<u32> w(256);
    for (u32 l = 0; l < 64; ++l) {
      w[4 * l] = x[4 * l] = 0x9e3779b9u * (l + 1);
      w[4 * l + 1] = x[4 * l + 1] = l % 4 ? y[l] + 100 - l * 2 : 0;
      w[4 * l + 2] = x[4 * l + 2] = l % 2 ? 7 : 9;
      w[4 * l + 3] = x[4 * l + 3] = 1;
    }
    check(
        "memory", 7,
        [&](unsigned n, u32 l) -> u32 {
          u32 b = y[l], biggest = std::max(w[4 * l], b);
          const u32 expected[] = {w[4 * l],
                                  w[4 * l + 1],
                                  w[4 * l + 2],
                                  w[4 * l + 2] == 7 ? b : 9,
                                  0x3344 | (biggest >> 8 & 0xff) << 16,
                                  u32(int32_t(int16_t(biggest >> 16))),
                                  b >> 16};
          return expected[n];
        },
        threads);
    for (u32 l = 0; l < threads; ++l) {
      u32 old = w[4 * l + 1];
      ASSERT_EQ(x[4 * l + 1], old == 0 || old > y[l] ? y[l] : old - 1) << l;
    }
  }
}

TEST_P(Instructions, ScalarUnit) {
  check_both("scalars", 6, [&](unsigned n, u32 l) -> u32 {
    u32 a = x[0];
    const u32 expected[] = {
        0x3f0, // round to nearest, denormals kept, DX10 clamp, IEEE
        u32((u64(a) << 16 | a) >> 8) & 0xffff,
        1,
        1,
        u32(SHARED_APERTURE >> 32),
        a * u32(-3)};
    return expected[n];
  });
  check("scalars", 8, [&](unsigned n, u32 l) -> u32 {
    return n == 6 ? l > 30 : n == 7 ? 0x80000000 : out[64 * n + l];
  });
}

// All lanes take part, on or off: with four products of 1 and 2 in each sum,
// two matrices of constants need no lane's own value.
TEST_P(Instructions, MatrixInstructionsIgnoreExec) {
  check_both("matrix", 1, [&](unsigned, u32) { return 11; });
}

TEST_P(Instructions, NoKernelSeesRegistersOfAnother) {
  check("leave_registers", 1, [&](unsigned, u32 l) { return x[l]; });
  check("find_registers", 2, [&](unsigned, u32) { return 0; });
}

TEST_P(Instructions, RegionsOfInterest) {
  Machine::Grid grid;
  grid.threads[0] = 64;
  grid.count = true;
  static char name[] = "inner";
  machine.add(name, sizeof(name));
  Result r = machine.launch("roi", grid, out, static_cast<const char *>(name));
  ASSERT_EQ(r.fault.kind, Fault::Kind::none) << r.report;
  EXPECT_EQ(r.counters.bytes_written, 4u * 256);
  ASSERT_EQ(r.regions.size(), 1u);
  EXPECT_EQ(r.regions.begin()->first, "inner");
  EXPECT_EQ(r.regions.begin()->second.bytes_written, 2u * 256);
}

TEST_P(Instructions, CodeOfManyBasicBlocksIsCounted) {
  for (uint16_t lanes : {1, 3, 64}) {
    Machine::Grid grid;
    grid.threads[0] = lanes;
    grid.count = true;
    Result r = machine.launch("many_blocks", grid, out);
    ASSERT_EQ(r.fault.kind, Fault::Kind::none) << r.report;
    const Counters &c = r.counters;
    EXPECT_EQ(c.branches, 40000u) << lanes << " lanes";
    EXPECT_GE(c.vector_instructions, 40000u) << lanes << " lanes";
    EXPECT_EQ(c.active_lanes, c.vector_instructions * lanes);
    EXPECT_EQ(c.possible_lanes, c.vector_instructions * 64);
  }
}

TEST_P(Instructions, WhatIsBehindAFaultIsNotCounted) {
  for (uint16_t lanes : {1, 64}) {
    Machine::Grid grid;
    grid.threads[0] = lanes;
    grid.count = true;
    Result good = machine.launch("maybe_fault", grid, out),
           bad = machine.launch("maybe_fault", grid, u64(0));
    ASSERT_EQ(good.fault.kind, Fault::Kind::none) << good.report;
    ASSERT_EQ(bad.fault.kind, Fault::Kind::null_page) << bad.report;
    EXPECT_EQ(bad.counters.total(), good.counters.total() - 4);
    EXPECT_EQ(bad.counters.active_lanes, good.counters.active_lanes - lanes);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Instructions, testing::Values("gfx942", "gfx90a"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace gpuexec::emulator::amdgpu::test
