//===-- loader/tests/kernarg_test.cpp - The argument block of a kernel ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/hsa/kernarg.h"
#include "loader/device/stack_limits.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace gpuexec;
using namespace gpuexec::hsa;

namespace {

template <typename T> T at(const std::vector<std::byte> &block, size_t offset) {
  T value;
  std::memcpy(&value, block.data() + offset, sizeof(value));
  return value;
}

/// `_start` as clang 22 compiles it for code object V6 when everything is used.
Kernel start_kernel() {
  Kernel kernel;
  kernel.name = "_start";
  kernel.arguments_size = 32;
  kernel.kernarg_size = 32 + 256;
  auto add = [&](Hidden kind, uint32_t offset, uint32_t size) {
    kernel.hidden.push_back({kind, 32 + offset, size});
  };
  add(Hidden::block_count_x, 0, 4);
  add(Hidden::block_count_y, 4, 4);
  add(Hidden::block_count_z, 8, 4);
  add(Hidden::group_size_x, 12, 2);
  add(Hidden::group_size_y, 14, 2);
  add(Hidden::group_size_z, 16, 2);
  add(Hidden::remainder_x, 18, 2);
  add(Hidden::global_offset_x, 40, 8);
  add(Hidden::grid_dims, 64, 2);
  add(Hidden::hostcall_buffer, 80, 8);
  add(Hidden::dynamic_lds_size, 120, 4);
  add(Hidden::private_base, 192, 4);
  add(Hidden::shared_base, 196, 4);
  add(Hidden::queue_ptr, 200, 8);
  return kernel;
}

std::vector<std::byte> pattern(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = std::byte(i + 1);
  return bytes;
}

TEST(Kernarg, FillsWhatMetadataLists) {
  Grid grid;
  grid.threads = {64, 4, 1};
  grid.blocks = {7, 3, 2};
  KernargFacts facts;
  facts.queue_address = 0x7f1234567890;
  facts.dynamic_lds_size = 4096;
  facts.private_base = 0x20000;
  facts.shared_base = 0x10000;
  auto block = fill_kernarg(start_kernel(), grid, facts, pattern(32));
  ASSERT_TRUE(bool(block)) << llvm::toString(block.takeError());
  ASSERT_EQ(block->size(), 288u);
  EXPECT_EQ(std::vector(block->begin(), block->begin() + 32), pattern(32));
  EXPECT_EQ(at<uint32_t>(*block, 32 + 0), 7u);
  EXPECT_EQ(at<uint32_t>(*block, 32 + 4), 3u);
  EXPECT_EQ(at<uint32_t>(*block, 32 + 8), 2u);
  EXPECT_EQ(at<uint16_t>(*block, 32 + 12), 64u);
  EXPECT_EQ(at<uint16_t>(*block, 32 + 14), 4u);
  EXPECT_EQ(at<uint16_t>(*block, 32 + 16), 1u);
  EXPECT_EQ(at<uint16_t>(*block, 32 + 18), 0u);
  EXPECT_EQ(at<uint64_t>(*block, 32 + 40), 0u);
  EXPECT_EQ(at<uint16_t>(*block, 32 + 64), 3u);
  EXPECT_EQ(at<uint64_t>(*block, 32 + 80), 0u);
  EXPECT_EQ(at<uint32_t>(*block, 32 + 120), 4096u);
  EXPECT_EQ(at<uint32_t>(*block, 32 + 192), 0x20000u);
  EXPECT_EQ(at<uint32_t>(*block, 32 + 196), 0x10000u);
  EXPECT_EQ(at<uint64_t>(*block, 32 + 200), 0x7f1234567890u);
}

TEST(Kernarg, EmptyEnd) {
  Kernel end;
  end.name = "_end";
  auto block = fill_kernarg(end, Grid(), KernargFacts(), {});
  ASSERT_TRUE(bool(block)) << llvm::toString(block.takeError());
  EXPECT_TRUE(block->empty());
}

TEST(Kernarg, EndWithStatusOnly) {
  Kernel end;
  end.name = "_end";
  end.arguments_size = 4;
  end.kernarg_size = 4; // no implicit argument is used: no room for any
  auto block = fill_kernarg(end, Grid(), KernargFacts(), pattern(4));
  ASSERT_TRUE(bool(block)) << llvm::toString(block.takeError());
  EXPECT_EQ(*block, pattern(4));
}

TEST(Kernarg, NeverWritesPastTheSegment) {
  Kernel kernel = start_kernel();
  kernel.kernarg_size = 32 + 202; // cuts queue_ptr
  auto block = fill_kernarg(kernel, Grid(), KernargFacts(), pattern(32));
  ASSERT_FALSE(bool(block));
  EXPECT_EQ(
      llvm::toString(block.takeError()),
      "kernel '_start': implicit argument 'queue_ptr' at 232 lies outside "
      "of its kernarg segment of 234 bytes");
}

TEST(Kernarg, WrongArgumentSizes) {
  auto block =
      fill_kernarg(start_kernel(), Grid(), KernargFacts(), pattern(24));
  ASSERT_FALSE(bool(block));
  EXPECT_EQ(llvm::toString(block.takeError()),
            "kernel '_start' takes 32 bytes of arguments, not 24");
  Kernel kernel = start_kernel();
  kernel.hidden.clear();
  kernel.kernarg_size = 16;
  block = fill_kernarg(kernel, Grid(), KernargFacts(), pattern(32));
  ASSERT_FALSE(bool(block));
  llvm::consumeError(block.takeError());
}

TEST(Kernarg, Dimensions) {
  Grid grid;
  EXPECT_EQ(dimensions(grid), 1);
  grid.blocks[1] = 2;
  EXPECT_EQ(dimensions(grid), 2);
  grid = Grid();
  grid.threads[2] = 2; // y = 1: still three
  EXPECT_EQ(dimensions(grid), 3);
}

TEST(Stack, ShrinksWithTheNumberOfWaves) {
  EXPECT_EQ(default_stack(1, 1, true), 8u << 20); // as Linux gives
  EXPECT_EQ(default_stack(64, 1, true), 1u << 20);
  EXPECT_EQ(default_stack(1024, 16, true), 256u << 10);
  EXPECT_EQ(default_stack(UINT64_MAX, 1000000, true), 64u << 10);
  EXPECT_EQ(default_stack(0, 0, false), 64u << 10);
  EXPECT_EQ(default_stack(4096, 64, false), 64u << 10);
  EXPECT_EQ(default_stack(640000, 10000, false), 16u << 10); // as LLVM's loader
  EXPECT_LE(default_stack(1, 1, false), largest_stack(false));
  EXPECT_LE(default_stack(1, 1, true), largest_stack(true));
}

TEST(Stack, LeavesRoomForFunctionsThatDoNotRecurse) {
  for (uint64_t size : {1024u, 16u << 10, 64u << 10, 8u << 20}) {
    const StackLimits limits = stack_limits(size);
    EXPECT_EQ(limits.size, size);
    EXPECT_GT(limits.hard, limits.soft) << size;
    EXPECT_GT(limits.size, limits.hard) << size;
    EXPECT_GE(limits.soft, size / 2) << size;
  }
  EXPECT_EQ(stack_limits(16 << 10).soft, 8u << 10);
  EXPECT_EQ(stack_limits(64 << 10).soft, 48u << 10);
  EXPECT_EQ(stack_limits(8 << 20).soft, 6u << 20);
  EXPECT_EQ(stack_limits(64 << 10).hard, 62u << 10);
  EXPECT_EQ(stack_limits(0).hard, 0u);
  EXPECT_EQ(stack_limits(UINT64_MAX).size, UINT32_MAX);
}

// Six programs at once left each 15 KiB: too little for an array of 16 KiB.
TEST(Stack, UnknownDepthHasRoomForTheLargestFrame) {
  EXPECT_EQ(stack_of_unknown_depth(15000, 8192, 0), 14u << 10);
  EXPECT_EQ(stack_of_unknown_depth(15000, 8192, 16704), 25u << 10);
  EXPECT_EQ(stack_of_unknown_depth(40 << 10, 8192, 16704), 40u << 10);
  EXPECT_EQ(stack_of_unknown_depth(0, 8192, 0), 8192u);
  EXPECT_EQ(stack_of_unknown_depth(1 << 30, 8192, 0), 64u << 10);
  EXPECT_EQ(stack_of_unknown_depth(1 << 30, 8192, 100 << 10), 108u << 10);
}

TEST(Grid, CountsWavesOfPartialBlocks) {
  Grid grid;
  grid.threads = {65, 1, 1};
  grid.blocks = {16, 2, 1};
  EXPECT_EQ(grid.waves(64), 64u);
  EXPECT_EQ(grid.waves(32), 96u);
  grid.blocks = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  EXPECT_EQ(grid.waves(64), UINT64_MAX);
}

} // namespace
