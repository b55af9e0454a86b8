//===-- emulator/amdgpu/tests/lanes_apart_test.cpp - Lanes' own memory ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of waves whose lanes use addresses far from each other's:
// in one region, in adjacent ones, and where some lanes may not go.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tests/harness.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>

namespace gpuexec::emulator::amdgpu::test {

namespace {
struct Variant {
  const char *cpu, *level;
};
} // namespace

// Memory in pages: adjacent regions A (0 to 3) and B (4 to 7), the
// read-only region C (8), nothing (9), and D (10).
class LanesApart : public testing::TestWithParam<Variant> {
protected:
  static constexpr uint64_t PAGE = 4096;
  LanesApart()
      : machine(GetParam().cpu, std::string(KERNELS_DIR) + "/kernels." +
                                    GetParam().cpu + "." + GetParam().level) {
    memory = static_cast<uint8_t *>(aligned_alloc(PAGE, 11 * PAGE));
    for (uint64_t i = 0; i < 11 * PAGE; ++i)
      memory[i] = uint8_t(i * 167 >> 3);
    machine.add(memory, 4 * PAGE);
    machine.add(memory + 4 * PAGE, 4 * PAGE);
    machine.add(memory + 8 * PAGE, PAGE, false);
    machine.add(memory + 10 * PAGE, PAGE);
    from = machine.allocate<uint64_t>(128);
    to = machine.allocate<uint64_t>(128);
    // Sources in A and C, 32 bytes apart in different orders; targets in B.
    for (uint64_t k = 0; k < 128; ++k) {
      from[k] = at(k * 37 % 64 * 128 + k / 64 * 16);
      to[k] = at(6 * PAGE + (k * 11 % 64) * 32 + k / 64 * 64 * 32);
    }
  }
  ~LanesApart() override { free(memory); }
  uint64_t at(uint64_t offset) const { return uint64_t(memory) + offset; }
  Result copy(const std::string &width, uint64_t lanes = ~uint64_t(0)) {
    Machine::Grid grid;
    grid.threads[0] = 64;
    return machine.launch("copy_" + width, grid, from, to, lanes, 2u);
  }
  Machine machine;
  uint8_t *memory;
  uint64_t *from, *to;
};

TEST_P(LanesApart, CopyEveryWidth) {
  for (unsigned width : {1, 2, 4, 8, 12, 16})
    for (uint64_t lanes :
         {~uint64_t(0), uint64_t(0x5555555555555555),
          uint64_t(0xffffff00ffffffff), uint64_t(0x8000000001)})
      for (unsigned unaligned : {0, 1, 3}) {
        memset(memory + 6 * PAGE, 0xee, 2 * PAGE);
        for (unsigned k = 0; k < 128; ++k) {
          from[k] += unaligned;
          to[k] += unaligned;
        }
        EXPECT_EQ(copy(std::to_string(width), lanes).report, "");
        std::vector<uint8_t> expected(2 * PAGE, 0xee);
        for (unsigned k = 0; k < 128; ++k)
          if (lanes >> k % 64 & 1)
            memcpy(&expected[to[k] - at(6 * PAGE)],
                   reinterpret_cast<void *>(from[k]), width);
        ASSERT_EQ(memcmp(expected.data(), memory + 6 * PAGE, 2 * PAGE), 0)
            << width << " bytes, lanes " << lanes << ", at " << unaligned;
        for (unsigned k = 0; k < 128; ++k) {
          from[k] -= unaligned;
          to[k] -= unaligned;
        }
      }
}

// Lane k's element is the k-th of an array. The elements of lanes that are off
// may lie outside of all memory.
TEST_P(LanesApart, BackToBack) {
  for (unsigned width : {1, 2, 4, 8, 12, 16})
    for (uint64_t lanes :
         {~uint64_t(0), uint64_t(0xffffffff), uint64_t(0xfffffffe),
          uint64_t(0x7fffffff), uint64_t(0x00ffff00), uint64_t(0x80000001),
          uint64_t(0xffff00000000)}) {
      memset(memory + 6 * PAGE, 0xee, 2 * PAGE);
      const unsigned last = 64 - unsigned(__builtin_clzll(lanes));
      for (unsigned k = 0; k < 128; ++k) {
        // The last active lane's source ends where C ends.
        from[k] = at(9 * PAGE - last * width + k % 64 * width);
        to[k] = at(6 * PAGE + k * width);
      }
      ASSERT_EQ(copy(std::to_string(width), lanes).report, "")
          << width << " bytes, lanes " << lanes;
      std::vector<uint8_t> expected(2 * PAGE, 0xee);
      for (unsigned k = 0; k < 128; ++k)
        if (lanes >> k % 64 & 1)
          memcpy(&expected[k * width], reinterpret_cast<void *>(from[k]),
                 width);
      ASSERT_EQ(memcmp(expected.data(), memory + 6 * PAGE, 2 * PAGE), 0)
          << width << " bytes, lanes " << lanes;
    }
}

TEST_P(LanesApart, BackToBackBeyondTheEnd) {
  for (unsigned k = 0; k < 128; ++k)
    from[k] = at(9 * PAGE - 31 * 8 + k % 64 * 8);
  Result r = copy("8", 0xffffffff);
  EXPECT_EQ(r.fault.kind, Fault::Kind::unmapped);
  EXPECT_EQ(r.fault.address, at(9 * PAGE));
}

// Words of LDS at any offsets: alone, in pairs, and two at once, which
// overwrite their address.
TEST_P(LanesApart, SharedMemory) {
  auto *offsets = machine.allocate<uint32_t>(64);
  auto *out = machine.allocate<uint32_t>(64 * 6);
  auto word = [](uint32_t k) { return k * 0x9e3779b9u; };
  const auto expect = [&](const char *what, uint64_t lanes) {
    std::fill(out, out + 64 * 6, 7u);
    Machine::Grid grid;
    grid.threads[0] = 64;
    ASSERT_EQ(machine.launch("lds_words", grid, offsets, out, lanes).report,
              "");
    for (unsigned l = 0; l < 64; ++l) {
      const bool on = lanes >> l & 1;
      const uint32_t k = offsets[l] / 4;
      const uint32_t expected[] = {word(k),     word(k & ~1u), word(k | 1),
                                   word(k + 3), word(k + 130), offsets[l] + 1};
      for (unsigned n = 0; n < 6; ++n)
        ASSERT_EQ(out[64 * n + l], on ? expected[n] : 7u)
            << what << ", result " << n << ", lane " << l;
    }
  };
  for (uint64_t lanes : {~uint64_t(0), uint64_t(0xffffffff),
                         uint64_t(0x7fffffff), uint64_t(0x0001ffff8000ffff)}) {
    for (unsigned l = 0; l < 64; ++l)
      offsets[l] = 4 * l;
    expect("in order", lanes);
    for (unsigned l = 0; l < 64; ++l)
      offsets[l] = 4 * (l * 37 % 64);
    expect("apart", lanes);
    for (unsigned l = 0; l < 64; ++l)
      offsets[l] = 4 * (l / 16 * 16);
    expect("one for sixteen lanes", lanes);
    for (unsigned l = 0; l < 64; ++l)
      offsets[l] = 20;
    expect("one", lanes);
  }
}

TEST_P(LanesApart, ExtendSigns) {
  EXPECT_EQ(copy("signed").report, "");
  for (unsigned k = 0; k < 128; ++k) {
    int32_t value;
    memcpy(&value, reinterpret_cast<void *>(to[k]), 4);
    ASSERT_EQ(value, *reinterpret_cast<int8_t *>(from[k])) << k;
  }
}

TEST_P(LanesApart, ReadOnlyMemoryAndAnotherRegion) {
  for (unsigned k = 0; k < 128; k += 3)
    from[k] = at(8 * PAGE + k * 16);
  from[40] = at(10 * PAGE);
  to[41] = at(11 * PAGE - 16);
  EXPECT_EQ(copy("16").report, "");
  EXPECT_EQ(
      memcmp(memory + 11 * PAGE - 16, reinterpret_cast<void *>(from[41]), 16),
      0);
}

TEST_P(LanesApart, GoFromOneRegionIntoTheNext) {
  from[42] = at(4 * PAGE - 4);
  from[43] = at(8 * PAGE - 8); // into the read-only one
  EXPECT_EQ(copy("16").report, "");
  for (unsigned k : {42, 43})
    EXPECT_EQ(memcmp(reinterpret_cast<void *>(to[k]),
                     reinterpret_cast<void *>(from[k]), 16),
              0)
        << k;
  from[42] = from[0];
  to[44] = at(4 * PAGE - 8);
  EXPECT_EQ(copy("16").report, "");
  EXPECT_EQ(
      memcmp(memory + 4 * PAGE - 8, reinterpret_cast<void *>(from[44]), 16), 0);
}

// One lane faults in the second round, when the others' memory is known.
TEST_P(LanesApart, FaultsOfOneLane) {
  struct {
    const char *what;
    uint64_t offset;
    bool write;
    Fault::Kind kind;
  } const cases[] = {
      {"write across B's end", 8 * PAGE - 4, true, Fault::Kind::out_of_bounds},
      {"write across D's end", 11 * PAGE - 4, true, Fault::Kind::out_of_bounds},
      {"write to C", 8 * PAGE, true, Fault::Kind::read_only},
      {"read of nothing", 9 * PAGE + 8, false, Fault::Kind::unmapped},
      {"write to nothing", 9 * PAGE + 8, true, Fault::Kind::unmapped},
      {"read across C's end", 9 * PAGE - 4, false, Fault::Kind::out_of_bounds},
  };
  for (auto &c : cases)
    for (unsigned lane : {0u, 37u, 63u}) {
      uint64_t &address = (c.write ? to : from)[64 + lane];
      const uint64_t kept = address;
      address = at(c.offset);
      Result r = copy("8");
      EXPECT_EQ(r.fault.kind, c.kind) << c.what << ", lane " << lane;
      EXPECT_EQ(r.fault.address, at(c.offset)) << c.what << ", lane " << lane;
      EXPECT_EQ(r.fault.write, c.write) << c.what << ", lane " << lane;
      EXPECT_EQ(r.fault.lanes, uint64_t(1) << lane)
          << c.what << ", lane " << lane;
      address = kept;
    }
  EXPECT_EQ(copy("8").report, "");
}

TEST_P(LanesApart, FreedMemory) {
  EXPECT_EQ(copy("8").report, "");
  machine.remove(memory + 4 * PAGE);
  Result r = copy("8");
  EXPECT_EQ(r.fault.kind, Fault::Kind::freed);
  machine.add(memory + 4 * PAGE, 4 * PAGE);
  EXPECT_EQ(copy("8").report, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, LanesApart,
    testing::Values(Variant{"gfx942", "O0"}, Variant{"gfx942", "O2"},
                    Variant{"gfx90a", "O2"}, Variant{"gfx1030", "O2"},
                    Variant{"gfx1100", "O2"}, Variant{"gfx1201", "O2"}),
    [](const auto &info) {
      return std::string(info.param.cpu) + info.param.level;
    });

} // namespace gpuexec::emulator::amdgpu::test
