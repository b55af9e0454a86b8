//===-- emulator/amdgpu/tests/run_test.cpp - Kernels end to end -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels.c's kernels compute, compiled at every level of optimisation and
// for both processors, against the same sums on the host.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tests/harness.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

namespace gpuexec::emulator::amdgpu::test {

struct Variant {
  const char *cpu, *level;
};
static void PrintTo(const Variant &v, std::ostream *out) {
  *out << v.cpu << " " << v.level;
}

class Kernels : public testing::TestWithParam<Variant> {
protected:
  Kernels()
      : machine(GetParam().cpu, std::string(KERNELS_DIR) + "/kernels." +
                                    GetParam().cpu + "." + GetParam().level) {}
  static Machine::Grid grid(uint32_t blocks, uint16_t threads) {
    Machine::Grid g;
    g.blocks[0] = blocks;
    g.threads[0] = threads;
    return g;
  }
  Machine machine;
};
#define GOOD(...)                                                              \
  do {                                                                         \
    Result r_ = (__VA_ARGS__);                                                 \
    ASSERT_EQ(r_.fault.kind, Fault::Kind::none) << r_.report;                  \
  } while (0)

TEST_P(Kernels, Empty) { GOOD(machine.launch("empty", grid(1, 1))); }

TEST_P(Kernels, AddsInEveryLane) {
  for (uint16_t threads : {1, 7, 64, 100, 256}) {
    uint32_t *p = machine.allocate<uint32_t>(3 * threads);
    for (int i = 0; i < 3 * threads; ++i)
      p[i] = i;
    GOOD(machine.launch("add", grid(3, threads), p, 5u));
    for (int i = 0; i < 3 * threads; ++i)
      ASSERT_EQ(p[i], i + 5u) << i << " of " << threads;
  }
}

TEST_P(Kernels, Recursion) {
  uint32_t *p = machine.allocate<uint32_t>(64);
  for (uint16_t threads : {1, 64}) {
    GOOD(machine.launch("recursion", grid(1, threads), p, 10u));
    const uint32_t expected[] = {55, 89, 144};
    for (int i = 0; i < threads; ++i)
      ASSERT_EQ(p[i], expected[i % 3]);
  }
}

TEST_P(Kernels, Division) {
  const int n = 256;
  uint64_t *q = machine.allocate<uint64_t>(n),
           *r = machine.allocate<uint64_t>(n),
           *a = machine.allocate<uint64_t>(n),
           *b = machine.allocate<uint64_t>(n);
  std::mt19937_64 random(1);
  for (int i = 0; i < n; ++i) {
    a[i] = random() >> (i % 64);
    b[i] = (random() >> (i * 7 % 64)) | 1;
  }
  GOOD(machine.launch("divide", grid(4, 64), q, r, a, b));
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(q[i], a[i] / b[i]);
    ASSERT_EQ(r[i], a[i] % b[i]);
  }
}

TEST_P(Kernels, Floats) {
  const int n = 64;
  double *d = machine.allocate<double>(4 * n), *x = machine.allocate<double>(n),
         *y = machine.allocate<double>(n);
  float *f = machine.allocate<float>(4 * n);
  std::mt19937_64 random(2);
  for (int i = 0; i < n; ++i) {
    x[i] = std::ldexp(double(random() >> 11), int(random() % 80) - 80);
    y[i] = std::ldexp(double(random() >> 11), int(random() % 40) - 60) *
           (i % 2 ? 1 : -1);
  }
  for (uint16_t threads : {1, 64}) {
    GOOD(machine.launch("floats", grid(n / threads, threads), d, f, x, y));
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(d[4 * i], x[i] / y[i]);
      EXPECT_EQ(d[4 * i + 1], std::sqrt(x[i]));
      EXPECT_EQ(d[4 * i + 2], std::fma(x[i], y[i], -x[i]));
      EXPECT_EQ(f[4 * i], float(x[i]) / float(y[i]));
      EXPECT_EQ(f[4 * i + 1], std::sqrt(float(x[i])));
      if (std::abs(x[i]) < 2e9) {
        EXPECT_EQ(f[4 * i + 2], float(int(x[i])));
      }
      EXPECT_EQ(f[4 * i + 3], float(uint64_t(std::abs(y[i]))));
    }
  }
}

TEST_P(Kernels, LdsAndBarriers) {
  uint32_t *p = machine.allocate<uint32_t>(1024);
  for (int i = 0; i < 1024; ++i)
    p[i] = i;
  GOOD(machine.launch("reverse", grid(4, 256), p));
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(p[i], uint32_t(i / 256 * 256 + 255 - i % 256));
}

TEST_P(Kernels, Atomics) {
  uint32_t *counter = machine.allocate<uint32_t>(1),
           *smallest = machine.allocate<uint32_t>(1);
  uint64_t *wide = machine.allocate<uint64_t>(1);
  float *sum = machine.allocate<float>(1);
  *smallest = 5000;
  GOOD(machine.launch("count_up", grid(5, 100), counter, wide, sum, smallest));
  EXPECT_EQ(*counter, 500u);
  EXPECT_EQ(*wide, uint64_t(500) << 33);
  EXPECT_EQ(*sum, 500.0f);
  EXPECT_EQ(*smallest, 501u);
}

TEST_P(Kernels, BlocksThatWaitForLaterBlocks) {
  uint32_t *flags = machine.allocate<uint32_t>(40);
  GOOD(machine.launch("chain", grid(40, 64), flags, 40u));
  for (uint32_t i = 0; i < 40; ++i)
    ASSERT_EQ(flags[i], i + 1);
}

TEST_P(Kernels, WavesThatContendForALock) {
  uint32_t *lock = machine.allocate<uint32_t>(1),
           *value = machine.allocate<uint32_t>(1);
  GOOD(machine.launch("locked", grid(100, 64), lock, value));
  EXPECT_EQ(*value, 100u);
}

TEST_P(Kernels, SmallTypes) {
  for (uint16_t threads : {1, 64}) {
    uint8_t *b = machine.allocate<uint8_t>(threads + 1), bytes[65];
    uint16_t *h = machine.allocate<uint16_t>(threads + 1), halves[65];
    for (int i = 0; i <= threads; ++i) {
      bytes[i] = b[i] = i * 77;
      halves[i] = h[i] = i * 7777;
    }
    GOOD(machine.launch("small_types", grid(1, threads), b, h));
    for (int i = 0; i + 1 < threads; ++i) {
      // Neighbours may have been written already only across waves: one wave
      // reads first.
      ASSERT_EQ(b[i], uint8_t(bytes[i] * bytes[i + 1] + 3));
      ASSERT_EQ(h[i], uint16_t((halves[i] >> 3) +
                               uint16_t(int16_t(int8_t(halves[i + 1])))));
    }
  }
}

TEST_P(Kernels, Stack) {
  uint32_t *p = machine.allocate<uint32_t>(64);
  for (uint16_t threads : {1, 64}) {
    GOOD(machine.launch("stack", grid(1, threads), p, 3u));
    for (uint32_t l = 0; l < threads; ++l) {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < 64; ++i)
        sum += (i * 7 + l) % 64 * 3 + l;
      uint8_t bytes[8];
      for (int i = 0; i < 8; ++i)
        bytes[i] = uint8_t(i + 3 + l);
      uint32_t two[2];
      memcpy(two, bytes, 8);
      ASSERT_EQ(p[l], sum + two[0] + two[1]) << l;
    }
  }
}

TEST_P(Kernels, FlatPointersToAllSegments) {
  uint32_t *p = machine.allocate<uint32_t>(64);
  for (uint16_t threads : {1, 64}) {
    std::fill(p, p + 64, 11);
    GOOD(machine.launch("flat", grid(1, threads), p));
    for (uint32_t l = 0; l < threads; ++l)
      ASSERT_EQ(p[l], 33 + (15 + l) + (21 + l)) << l;
  }
}

TEST_P(Kernels, FlatPointersToDifferentSegments) {
  uint32_t *p = machine.allocate<uint32_t>(192);
  for (uint32_t l = 0; l < 64; ++l)
    p[l] = l;
  GOOD(machine.launch("flat_mixed", grid(1, 64), p));
  for (uint32_t l = 0; l < 64; ++l) {
    ASSERT_EQ(p[l], l % 3 == 2 ? 4 * l : l);
    ASSERT_EQ(p[64 + l], l % 3 == 0 ? (100 + l) * 3 + l : 100 + l);
    ASSERT_EQ(p[128 + l], l % 3 == 1 ? (200 + l) * 3 + l : 200 + l);
  }
}

TEST_P(Kernels, NeverWrittenMemoryIsFollowed) {
  uint32_t *to = machine.allocate<uint32_t>(64);
  uint32_t *followed = machine.allocate_shadowed<uint32_t>(64);
  uint32_t *fresh = machine.allocate_shadowed<uint32_t>(64);
  Machine::Grid g = grid(1, 64);
  GOOD(machine.launch("peek", g, fresh, to)); // nobody asked
  g.check_uninitialized = true;
  GOOD(machine.launch("peek", g, fresh, followed)); // copied, no more
  GOOD(machine.launch("peek", g, fresh, to));       // not the host's memory
  Result r = machine.launch("decide", g, followed, to);
  EXPECT_EQ(r.fault.kind, Fault::Kind::uninitialized);
  EXPECT_EQ(r.fault.lanes, ~uint64_t(0));
  g.threads[0] = 32;
  GOOD(machine.launch("touch", g, fresh, 5u));
  GOOD(machine.launch("decide", g, fresh, to));
  EXPECT_EQ(to[31], 1u);
  g.threads[0] = 33;
  r = machine.launch("decide", g, fresh, to);
  EXPECT_EQ(r.fault.kind, Fault::Kind::uninitialized);
  EXPECT_EQ(r.fault.lanes, uint64_t(1) << 32); // one of 33
  EXPECT_EQ(r.fault.address, uint64_t(fresh + 32));
}

TEST_P(Kernels, CallersInReports) {
  Result r = machine.launch("recursion", grid(1, 1), (uint32_t *)16, 3u);
  EXPECT_EQ(r.fault.kind,
            Fault::Kind::null_page); // after all calls have returned
  EXPECT_EQ(r.report.find("#1"), std::string::npos) << r.report;
}

TEST_P(Kernels, AcrossLanes) {
  uint32_t *p = machine.allocate<uint32_t>(64 * 11);
  GOOD(machine.launch("cross", grid(1, 64), p));
  for (uint32_t l = 0; l < 64; ++l) {
    EXPECT_EQ(p[l], (l ^ 5) * 10) << "bpermute " << l;
    EXPECT_EQ(p[64 + l], (l + 63) % 64 * 10) << "permute " << l;
    EXPECT_EQ(p[128 + l], l ^ 1) << "swizzle " << l;
    EXPECT_EQ(p[192 + l], 9u);
    EXPECT_EQ(p[256 + l], 17u);
    EXPECT_EQ(p[320 + l], l % 16 ? l - 1 : 1000) << "row_shr " << l;
    EXPECT_EQ(p[384 + l], l / 16 * 16 + 15 - l % 16) << "row_mirror " << l;
    EXPECT_EQ(p[448 + l], l / 16 % 2 ? l / 16 * 16 - 1 : 1000)
        << "row_bcast " << l;
    EXPECT_EQ(p[512 + l], l / 4 * 4 + 3 - l % 4) << "quad_perm " << l;
    uint32_t ballot = 0;
    for (uint32_t k = 32; k < 64; ++k)
      ballot |= uint32_t(k % 3 == 0) << (k - 32);
    EXPECT_EQ(p[576 + l], ballot);
    EXPECT_EQ(p[640 + l], l);
  }
}

TEST_P(Kernels, WorkItemIdentity) {
  Machine::Grid g;
  g.blocks[0] = 3;
  g.blocks[1] = 2;
  g.threads[0] = 10;
  g.threads[1] = 9;
  uint32_t *p = machine.allocate<uint32_t>(4 * 540);
  uint64_t *clock = machine.allocate<uint64_t>(1);
  GOOD(machine.launch("identity", g, p, clock));
  for (uint32_t block = 0; block < 6; ++block)
    for (uint32_t t = 0; t < 90; ++t) {
      const uint32_t *at = p + 4 * (block * 90 + t);
      ASSERT_EQ(at[0], t % 10 | t / 10 << 8) << block << " " << t;
      ASSERT_EQ(at[1], block % 3 | block / 3 << 8);
      ASSERT_EQ(at[2], 10u | 9 << 8);
      ASSERT_EQ(at[3], 30u);
    }
  EXPECT_NE(*clock, 0u);
}

TEST_P(Kernels, RegistersIndexedAtRunTime) {
  uint32_t *p = machine.allocate<uint32_t>(72);
  for (uint32_t n = 0; n < 9; ++n) {
    for (uint32_t k = 0; k < 8; ++k)
      p[k] = k * 100;
    GOOD(machine.launch("indexed", grid(1, 64), p, n));
    for (uint32_t l = 0; l < 64; ++l) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < 8; ++k)
        sum = sum * 3 + (k + n) % 8 * 100 + (k == 0 ? l : 0);
      ASSERT_EQ(p[8 + l], sum) << n << " " << l;
    }
  }
}

TEST_P(Kernels, FaultsSayWhere) {
  uint32_t *p = machine.allocate<uint32_t>(64);
  Result r = machine.launch("touch", grid(1, 64), (uint32_t *)nullptr, 1u);
  EXPECT_EQ(r.fault.kind, Fault::Kind::null_page);
  EXPECT_TRUE(r.fault.write);
  r = machine.launch("touch", grid(2, 40), p + 32, 1u);
  EXPECT_EQ(r.fault.kind, Fault::Kind::unmapped);
  EXPECT_EQ(r.fault.address, uint64_t(p + 64));
  EXPECT_EQ(
      r.fault.lanes, uint64_t(0xff)
                         << 32); // lanes 32 to 39: all that reach past the end
  EXPECT_NE(r.report.find("_store_"), std::string::npos) << r.report;
  machine.remove(p);
  r = machine.launch("touch", grid(1, 1), p, 1u);
  EXPECT_EQ(r.fault.kind, Fault::Kind::freed);

  static const uint32_t constants[64] = {1};
  uint32_t *to = machine.allocate<uint32_t>(64);
  machine.add(const_cast<uint32_t *>(constants), sizeof(constants), false);
  GOOD(machine.launch("peek", grid(1, 64), constants, to));
  EXPECT_EQ(to[0], 1u);
  r = machine.launch("touch", grid(1, 1), constants, 1u);
  EXPECT_EQ(r.fault.kind, Fault::Kind::read_only);
}

TEST_P(Kernels, Trap) {
  uint32_t *p = machine.allocate<uint32_t>(1);
  GOOD(machine.launch("trap", grid(1, 1), p));
  *p = 1;
  EXPECT_EQ(machine.launch("trap", grid(1, 1), p).fault.kind,
            Fault::Kind::trap);
}

TEST_P(Kernels, StackOverflow) {
  uint32_t *p = machine.allocate<uint32_t>(1);
  EXPECT_EQ(machine.launch("overflow", grid(1, 64), p, 100000u).fault.kind,
            Fault::Kind::out_of_stack);
  EXPECT_EQ(machine.launch("overflow", grid(1, 1), p, 100000u).fault.kind,
            Fault::Kind::out_of_stack);
}

TEST_P(Kernels, Statistics) {
  Machine::Grid g = grid(1, 64);
  g.count = true;
  uint32_t *p = machine.allocate<uint32_t>(64);
  Result r = machine.launch("add", g, p, 5u);
  ASSERT_EQ(r.fault.kind, Fault::Kind::none);
  EXPECT_GT(r.counters.total(), 3u);
  EXPECT_GE(r.counters.bytes_read, 256u);
  EXPECT_EQ(r.counters.bytes_written, 256u);
  EXPECT_EQ(r.counters.cache_lines,
            r.counters.ideal_lines); // neighbours touch neighbours
  EXPECT_LE(r.counters.active_lanes, r.counters.possible_lanes);
}

INSTANTIATE_TEST_SUITE_P(
    All, Kernels,
    testing::Values(Variant{"gfx942", "O0"}, Variant{"gfx942", "O1"},
                    Variant{"gfx942", "O2"}, Variant{"gfx942", "O3"},
                    Variant{"gfx942", "Os"}, Variant{"gfx90a", "O0"},
                    Variant{"gfx90a", "O2"}, Variant{"gfx9-4-generic", "O2"},
                    Variant{"gfx1010", "O2"}, Variant{"gfx1030", "O0"},
                    Variant{"gfx1030", "O2"}, Variant{"gfx1100", "O0"},
                    Variant{"gfx1100", "O2"}, Variant{"gfx1201", "O2"}),
    [](const auto &info) {
      std::string name = std::string(info.param.cpu) + info.param.level;
      std::erase(name, '-');
      return name;
    });

} // namespace gpuexec::emulator::amdgpu::test
