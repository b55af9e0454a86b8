//===-- loader/tests/range_allocator_test.cpp - Carving a reserved range --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/range_allocator.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using gpuexec::RangeAllocator;

namespace {

TEST(RangeAllocator, AlignsAndMerges) {
  RangeAllocator ranges(0x1000, 0x10000);
  uint64_t a = ranges.allocate(0x100, 0x100);
  uint64_t b = ranges.allocate(0x100, 0x4000);
  EXPECT_EQ(a, 0x1000u);
  EXPECT_EQ(b, 0x4000u);
  EXPECT_EQ(ranges.bytes_free(), 0x10000u - 0x200);
  EXPECT_TRUE(ranges.free(a));
  EXPECT_FALSE(ranges.free(a));
  EXPECT_FALSE(ranges.free(0x4001));
  EXPECT_TRUE(ranges.free(b));
  // All of it again: nothing was lost in pieces.
  EXPECT_EQ(ranges.allocate(0x10000, 0x1000), 0x1000u);
  EXPECT_EQ(ranges.allocate(1, 1), 0u);
}

TEST(RangeAllocator, Limits) {
  EXPECT_EQ(RangeAllocator().allocate(1, 1), 0u);
  RangeAllocator ranges(0x1000, 0x1000);
  EXPECT_EQ(ranges.allocate(UINT64_MAX, 1), 0u);
  EXPECT_EQ(ranges.allocate(1, uint64_t(1) << 63), 0u);
  uint64_t first = ranges.allocate(0, 1), second = ranges.allocate(0, 1);
  EXPECT_NE(first, second); // empty pieces are still distinct
}

TEST(RangeAllocator, Grows) {
  RangeAllocator ranges(0x1000, 0x1000);
  EXPECT_EQ(ranges.allocate(0x800, 1), 0x1000u);
  EXPECT_EQ(ranges.allocate(0x1000, 1), 0u);
  ranges.extend(0);
  ranges.extend(0x1000);
  // What was left at the end and what came behind it are one piece.
  EXPECT_EQ(ranges.allocate(0x1800, 1), 0x1800u);
  EXPECT_EQ(ranges.bytes_free(), 0u);
  ranges.extend(0x1000);
  EXPECT_EQ(ranges.allocate(0x1000, 0x1000), 0x3000u);
}

TEST(RangeAllocator, RandomUseNeverOverlaps) {
  std::mt19937 random(1);
  constexpr uint64_t BEGIN = 0x10000, SIZE = 1 << 20;
  RangeAllocator ranges(BEGIN, SIZE);
  std::map<uint64_t, uint64_t> live;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 || live.empty()) {
      uint64_t size = random() % 5000 + 1, alignment = 1u << random() % 13;
      uint64_t address = ranges.allocate(size, alignment);
      if (!address)
        continue;
      ASSERT_EQ(address % alignment, 0u);
      ASSERT_GE(address, BEGIN);
      ASSERT_LE(address + size, BEGIN + SIZE);
      auto next = live.lower_bound(address);
      if (next != live.end())
        ASSERT_LE(address + size, next->first);
      if (next != live.begin())
        ASSERT_LE(std::prev(next)->first + std::prev(next)->second, address);
      live.emplace(address, size);
    } else {
      auto victim = std::next(live.begin(), random() % live.size());
      ASSERT_TRUE(ranges.free(victim->first));
      live.erase(victim);
    }
  }
  for (auto [address, size] : live)
    ASSERT_TRUE(ranges.free(address));
  EXPECT_EQ(ranges.bytes_free(), SIZE);
}

} // namespace
