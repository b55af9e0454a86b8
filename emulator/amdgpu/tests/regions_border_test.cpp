//===-- emulator/amdgpu/tests/regions_border_test.cpp ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access that begins in one region and ends in the next one, in whatever
// executes it: it is made where the regions meet at a page's begin, and is the
// same fault elsewhere.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tests/harness.h"
#include "emulator/amdgpu/tiers/jit_library.h"

#include "gtest/gtest.h"

#include <cstring>
#include <tuple>

namespace gpuexec::emulator::amdgpu::test {
namespace {

constexpr size_t PAGE = AddressSpace::PAGE_SIZE;
constexpr uint32_t MANY = 20000;

using Parameter = std::tuple<Compiling, const char *, uint16_t>;

class RegionsBorder : public testing::TestWithParam<Parameter> {
protected:
  RegionsBorder()
      : machine(std::get<1>(GetParam()),
                std::string(KERNELS_DIR) + "/kernels." +
                    std::get<1>(GetParam()) + ".O2",
                std::get<0>(GetParam())) {
    grid.threads[0] = threads();
    sums = machine.allocate<uint64_t>(64);
    from = pages();
    to = pages();
    for (size_t k = 0; k < 2 * PAGE; ++k)
      from[k] = char(k * 37);
  }
  void SetUp() override {
    // Else eager code would be interpreted, and the test would show nothing.
    ASSERT_TRUE(jit::open_jit_library());
  }
  uint16_t threads() const { return std::get<2>(GetParam()); }
  /// Two pages that the device does not see yet.
  char *pages() {
    auto *p = static_cast<char *>(machine.allocate_bytes(2 * PAGE));
    machine.remove(p);
    return p;
  }
  void add_halves(char *p, bool second_writable = true) {
    machine.add(p, PAGE);
    machine.add(p + PAGE, PAGE, second_writable);
  }
  /// Moves numbers of which lane 0's first is at `offset`.
  Result move(size_t offset, uint32_t times) {
    return machine.launch("move_numbers", grid, to + offset, from + offset,
                          sums, times);
  }
  /// The same on the host; `there`: what `to` is to hold.
  std::vector<uint64_t> expected(size_t offset, uint32_t times,
                                 std::vector<char> &there) const {
    std::vector<uint64_t> all;
    auto at = [&](size_t i) {
      uint64_t value;
      std::memcpy(&value, from + offset + 8 * i, 8);
      return value;
    };
    for (unsigned lane = 0; lane < threads(); ++lane)
      all.push_back(0);
    for (uint32_t k = 0; k < times; ++k)
      for (unsigned lane = 0; lane < threads(); ++lane) {
        const uint64_t v = at(lane + k % 4), stored = v + k;
        std::memcpy(there.data() + offset + 8 * (lane + k % 4), &stored, 8);
        all[lane] = all[lane] * 31 + v + at(k % 64);
      }
    return all;
  }

  Machine machine;
  Machine::Grid grid;
  uint64_t *sums;
  char *from, *to;
};

TEST_P(RegionsBorder, IsCrossedWhereAPageBegins) {
  add_halves(from);
  add_halves(to);
  for (size_t offset : {PAGE - 4, PAGE - 28, PAGE - 8}) {
    std::memset(to, 0, 2 * PAGE);
    std::vector<char> there(2 * PAGE, 0);
    const std::vector<uint64_t> sum = expected(offset, MANY, there);
    const Result result = move(offset, MANY);
    ASSERT_EQ(result.fault.kind, Fault::Kind::none) << result.report;
    for (unsigned lane = 0; lane < threads(); ++lane)
      ASSERT_EQ(sums[lane], sum[lane]) << "lane " << lane << " from " << offset;
    ASSERT_EQ(std::memcmp(to, there.data(), 2 * PAGE), 0) << offset;
  }
}

// The code is compiled by then.
TEST_P(RegionsBorder, IsNoWayIntoReadOnlyMemory) {
  add_halves(from);
  add_halves(to, false);
  ASSERT_EQ(move(0, MANY).fault.kind, Fault::Kind::none);
  const size_t first = PAGE - 8 * (threads() - 1) - 4;
  const Result result = move(first, MANY);
  EXPECT_EQ(result.fault.kind, Fault::Kind::out_of_bounds) << result.report;
  EXPECT_EQ(result.fault.address, uint64_t(to) + PAGE - 4);
  EXPECT_TRUE(result.fault.write);
}

TEST_P(RegionsBorder, EndsAtAGap) {
  add_halves(to);
  machine.add(from, PAGE);
  ASSERT_EQ(move(0, MANY).fault.kind, Fault::Kind::none);
  const size_t first = PAGE - 8 * (threads() - 1) - 4;
  const Result result = move(first, MANY);
  EXPECT_EQ(result.fault.kind, Fault::Kind::out_of_bounds) << result.report;
  EXPECT_EQ(result.fault.address, uint64_t(from) + PAGE - 4);
  EXPECT_FALSE(result.fault.write);
}

TEST_P(RegionsBorder, InsideAPageIsABound) {
  add_halves(to);
  machine.add(from, 2048);
  machine.add(from + 2048, PAGE);
  ASSERT_EQ(move(0, MANY).fault.kind, Fault::Kind::none);
  const size_t first = 2048 - 8 * (threads() - 1) - 4;
  const Result result = move(first, MANY);
  EXPECT_EQ(result.fault.kind, Fault::Kind::out_of_bounds) << result.report;
  EXPECT_EQ(result.fault.address, uint64_t(from) + 2048 - 4);
}

std::string name_of(const testing::TestParamInfo<Parameter> &info) {
  const char *how[] = {"AsEnvironmentSays", "Interpreted", "Baseline",
                       "Optimised"};
  return std::string(how[unsigned(std::get<0>(info.param))]) + "_" +
         std::get<1>(info.param) + "_" +
         std::to_string(std::get<2>(info.param));
}
INSTANTIATE_TEST_SUITE_P(
    Tiers, RegionsBorder,
    testing::Combine(testing::Values(Compiling::as_environment_says,
                                     Compiling::never, Compiling::at_once,
                                     Compiling::eagerly),
                     testing::Values("gfx942", "gfx1030", "gfx1100"),
                     testing::Values(uint16_t(1), uint16_t(64))),
    name_of);

// A store across the border is known to --check=uninit on both sides of it.
TEST(RegionsBorderShadow, IsOnBothSides) {
  Machine machine("gfx942", std::string(KERNELS_DIR) + "/kernels.gfx942.O2");
  std::vector<uint8_t> shadows(2 * PAGE, 0);
  Machine::Grid grid;
  grid.check_uninitialized = true;
  auto *sums = machine.allocate<uint64_t>(64);
  auto *to = static_cast<char *>(machine.allocate_bytes(2 * PAGE)),
       *from = static_cast<char *>(machine.allocate_bytes(2 * PAGE));
  machine.remove(to);
  for (size_t half : {size_t(0), PAGE})
    machine.add(to + half, PAGE, true, shadows.data() + half);
  const size_t offset = PAGE - 20;
  const Result result = machine.launch("move_numbers", grid, to + offset,
                                       from + offset, sums, uint32_t(4));
  ASSERT_EQ(result.fault.kind, Fault::Kind::none) << result.report;
  for (size_t k = 0; k < 2 * PAGE; ++k)
    ASSERT_EQ(shadows[k], k - offset < 32 ? 0xff : 0) << k;
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::test
