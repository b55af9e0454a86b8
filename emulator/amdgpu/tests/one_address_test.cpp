//===-- emulator/amdgpu/tests/one_address_test.cpp - One address's value --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that load from one address get one value, whoever writes there
// meanwhile. LLVM relies on it: it branches for the wave as one by a value that
// was loaded from an address that is the same in all lanes.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tests/harness.h"

#include "gtest/gtest.h"

#include <atomic>
#include <thread>
#include <tuple>

namespace gpuexec::emulator::amdgpu::test {
namespace {

using Parameter = std::tuple<Compiling, const char *>;

class OneAddress : public testing::TestWithParam<Parameter> {
protected:
  static constexpr uint32_t ROUNDS = 2000, ZERO = 0;
  static constexpr uint64_t LANES[] = {~uint64_t(0), 0x7fffffffffffffff,
                                       0x5555555555555555, 0x8000000001};
  OneAddress()
      : machine(std::get<1>(GetParam()),
                std::string(KERNELS_DIR) + "/kernels." +
                    std::get<1>(GetParam()) + ".O2",
                std::get<0>(GetParam())) {
    grid.threads[0] = 64;
    from = machine.allocate<uint64_t>(64);
    differing = machine.allocate<uint32_t>(2);
  }
  /// Loads again and again from `address` while this machine writes there.
  void expect_one_value(uint64_t address, const std::string &width) {
    for (unsigned lane = 0; lane < 64; ++lane)
      from[lane] = address;
    std::atomic<bool> over = false;
    std::thread writer([&] {
      auto *words = reinterpret_cast<volatile uint64_t *>(address);
      for (uint64_t value = 0; !over; value = ~value)
        words[0] = words[1] = value;
    });
    for (uint64_t lanes : LANES) {
      EXPECT_EQ(machine
                    .launch("agree_" + width, grid, from, address, lanes,
                            ROUNDS, ZERO, differing)
                    .report,
                "");
      EXPECT_EQ(differing[0], 0u) << "flat, " << width << ", lanes " << lanes;
      EXPECT_EQ(differing[1], 0u) << "global, " << width << ", lanes " << lanes;
    }
    over = true;
    writer.join();
  }
  Machine machine;
  Machine::Grid grid;
  uint64_t *from;
  uint32_t *differing;
};

TEST_P(OneAddress, GlobalMemory) {
  auto *words = machine.allocate<uint64_t>(2);
  for (const char *width : {"1", "signed", "2", "4", "8", "16"})
    expect_one_value(uint64_t(words), width);
}

TEST_P(OneAddress, FromOneRegionIntoTheNext) {
  constexpr size_t PAGE = AddressSpace::PAGE_SIZE;
  auto *pages = static_cast<char *>(machine.allocate_bytes(2 * PAGE));
  machine.remove(pages);
  machine.add(pages, PAGE);
  machine.add(pages + PAGE, PAGE);
  expect_one_value(uint64_t(pages + PAGE - 8), "16");
}

TEST_P(OneAddress, SharedMemory) {
  grid.threads[0] = 128;
  for (uint64_t lanes : LANES) {
    differing[0] = differing[1] = 0;
    EXPECT_EQ(machine.launch("agree_lds", grid, lanes, ROUNDS, ZERO, differing)
                  .report,
              "");
    EXPECT_EQ(differing[0], 0u) << "lanes " << lanes;
    EXPECT_EQ(differing[1], 0u) << "two loads, lanes " << lanes;
  }
}

INSTANTIATE_TEST_SUITE_P(Tiers, OneAddress,
                         testing::Combine(testing::Values(Compiling::never,
                                                          Compiling::at_once),
                                          testing::Values("gfx942", "gfx1100")),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param)) +
                                  (std::get<0>(info.param) == Compiling::never
                                       ? "Interpreted"
                                       : "Baseline");
                         });

} // namespace
} // namespace gpuexec::emulator::amdgpu::test
