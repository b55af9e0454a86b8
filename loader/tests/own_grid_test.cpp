//===-- loader/tests/own_grid_test.cpp - Grids of programs with threads ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/own_grid.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuexec;
using testing::HasSubstr;

namespace {

const char TEXT[] = ".version 8.8\n.target sm_90\n";

/// An H100 with a program whose threads have 128 registers: a processor holds
/// two blocks of 256.
struct OwnGrid : testing::Test {
  OwnGrid() {
    parse(TEXT);
    start.resources.vgprs = 128;
    start.wave_size = 32;
    device.units = 132;
  }

  void parse(const char *text) {
    auto parsed = Image::parse(llvm::MemoryBufferRef(text, "lanes.ptx"));
    ASSERT_TRUE(bool(parsed));
    image.emplace(std::move(*parsed));
  }

  /// Blocks that are launched, or why not.
  std::string launched(const gpuexec_grid &own, const Grid *wanted,
                       bool shares_device = false) {
    auto grid = own_grid(*image, start, device, own, wanted, shares_device);
    return grid ? std::to_string(grid->block_count()) + " x " +
                      std::to_string(grid->threads_per_block())
                : llvm::toString(grid.takeError());
  }

  std::optional<Image> image;
  Kernel start;
  DeviceInfo device;
  const gpuexec_grid lanes = {GPUEXEC_GRID_OF_LANES, 256};
};

Grid grid_of(uint32_t blocks, uint32_t threads) {
  Grid grid;
  grid.blocks[0] = blocks;
  grid.threads[0] = threads;
  return grid;
}

} // namespace

TEST_F(OwnGrid, WhatTheDeviceHolds) {
  EXPECT_EQ(launched(lanes, nullptr), "264 x 256");
}

TEST_F(OwnGrid, WhatAUserWantsIfItFits) {
  const Grid some = grid_of(7, 33), all = grid_of(264, 256);
  EXPECT_EQ(launched(lanes, &some), "7 x 33");
  EXPECT_EQ(launched(lanes, &all), "264 x 256");
}

// It would never end: its threads wait for blocks that wait for a processor.
TEST_F(OwnGrid, MoreThanTheDeviceHolds) {
  const Grid many = grid_of(265, 256), large = grid_of(1, 1024);
  EXPECT_THAT(
      launched(lanes, &many),
      HasSubstr("lanes.ptx: its threads wait for each other, so all must be on "
                "the device at once: that holds 264 blocks of 256 threads, not "
                "265 (--threads, --blocks)"));
  EXPECT_THAT(launched(lanes, &large), HasSubstr("holds 0 blocks of 1024"));
  device.emulated = true;
  EXPECT_EQ(launched(lanes, &many), "265 x 256");
}

// Threads that wait for each other in loops of their own: each is a wave.
TEST_F(OwnGrid, ABlockForEachThread) {
  const gpuexec_grid lone = {GPUEXEC_GRID_OF_LANES, 1};
  const Grid some = grid_of(7, 33), many = grid_of(1 << 20, 1024);
  EXPECT_EQ(launched(lone, &some), "231 x 1");
  EXPECT_THAT(launched(lone, &many), HasSubstr("of 1 thread, not 1073741824"));
  device.emulated = true;
  EXPECT_EQ(launched(lone, nullptr), "128 x 1");
  EXPECT_EQ(launched(lone, &some), "231 x 1");
  EXPECT_THAT(launched(lone, &many), HasSubstr("holds 768 blocks of 1 thread"));
}

// A library's kernels need multiprocessors of their own, or blocks would wait
// for them for ever.
TEST_F(OwnGrid, LeavesRoomForALibraryOfTheVendors) {
  EXPECT_EQ(launched(lanes, nullptr, true), "33 x 256");
  const Grid many = grid_of(34, 256);
  EXPECT_EQ(launched(lanes, &many, true), "34 x 256");
  EXPECT_TRUE(leaves_room(grid_of(33, 256), device));
  EXPECT_FALSE(leaves_room(many, device));
}

TEST_F(OwnGrid, NothingThatStartUpCodeWrites) {
  EXPECT_THAT(launched({7, 256}, nullptr), HasSubstr("no start-up code"));
  EXPECT_THAT(launched({GPUEXEC_GRID_OF_LANES, 2000}, nullptr),
              HasSubstr("no start-up code"));
}
