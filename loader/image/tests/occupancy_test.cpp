//===-- loader/image/tests/occupancy_test.cpp - How many waves fit --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's own calculator (cuda_occupancy.h of a CUDA toolkit) is the judge
// where it is at hand. AMD's numbers are compared with clang's in
// test/info/resources.py; here are the cases that clang does not count.
#include "loader/image/occupancy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define HAS_CUDA_OCCUPANCY
#endif

using namespace gpuexec;

namespace {

/// An image of that architecture and nothing in it.
struct Empty {
  explicit Empty(unsigned sm)
      : text(".version 8.8\n.target sm_" + std::to_string(sm) + "\n") {
    auto parsed = Image::parse(llvm::MemoryBufferRef(text, "empty.ptx"));
    if (parsed)
      image.emplace(std::move(*parsed));
    else
      ADD_FAILURE() << llvm::toString(parsed.takeError());
  }
  std::string text;
  std::optional<Image> image;
};

Kernel kernel_with(uint32_t registers, uint64_t shared) {
  Kernel kernel;
  kernel.resources.vgprs = registers;
  kernel.shared_size = shared;
  return kernel;
}

} // namespace

TEST(Occupancy, UnknownStaysUnknown) {
  Empty old(30), turing(75);
  EXPECT_FALSE(occupancy(*old.image, kernel_with(32, 0), 256));
  Kernel ptx;
  EXPECT_FALSE(occupancy(*turing.image, ptx, 256));
  EXPECT_FALSE(occupancy(*turing.image, kernel_with(32, 0), 0));
}

// An image may say any number; 2^27 registers for each of 32 lanes are 2^32.
TEST(Occupancy, MoreRegistersThanThereAre) {
  Empty hopper(90);
  for (uint32_t registers : {1u << 27, ~0u}) {
    auto found = occupancy(*hopper.image, kernel_with(registers, 0), 256);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->register_waves, 0u);
    EXPECT_EQ(found->blocks, 0u);
  }
}

TEST(Occupancy, DefaultBlockSize) {
  Kernel kernel;
  EXPECT_EQ(default_block_size(kernel), 256u);
  kernel.max_threads = 64;
  EXPECT_EQ(default_block_size(kernel), 64u);
  kernel.max_threads = 1024;
  EXPECT_EQ(default_block_size(kernel), 256u);
  kernel.required_block = {16, 4, 2};
  EXPECT_EQ(default_block_size(kernel), 128u);
}

TEST(Occupancy, WhatLimits) {
  Empty hopper(90);
  auto limit = [&](uint32_t registers, uint64_t shared, uint32_t block) {
    return occupancy(*hopper.image, kernel_with(registers, shared), block)
        ->limit.str();
  };
  EXPECT_EQ(limit(32, 0, 256), "waves");
  EXPECT_EQ(limit(128, 0, 256), "registers");
  EXPECT_EQ(limit(32, 100000, 256), "shared memory");
  EXPECT_EQ(limit(32, 0, 32), "blocks");
  EXPECT_EQ(occupancy(*hopper.image, kernel_with(255, 0), 1024)->blocks, 0u);
  EXPECT_EQ(occupancy(*hopper.image, kernel_with(32, 300000), 32)->blocks, 0u);
  // What the launch adds counts.
  EXPECT_EQ(occupancy(*hopper.image, kernel_with(32, 0), 256, 100000)->limit,
            "shared memory");
  EXPECT_EQ(
      occupancy(*hopper.image, kernel_with(32, 1), 256, UINT64_MAX)->blocks,
      0u);
}

TEST(Occupancy, EqualToCudaOccupancy) {
#ifndef HAS_CUDA_OCCUPANCY
  GTEST_SKIP() << "no CUDA toolkit on this machine";
#else
  struct {
    int number;
    int warps;
    int shared;
  } devices[] = {
#define NVIDIA_LIMITS(NUMBER, WARPS, BLOCKS, SHARED, PARTS)                    \
  {NUMBER, WARPS, SHARED},
#include "loader/image/nvidia_limits.def"
  };
  unsigned compared = 0;
  for (auto &entry : devices) {
    Empty empty(entry.number);
    cudaOccDeviceProp device;
    device.computeMajor = entry.number / 10;
    device.computeMinor = entry.number % 10;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = entry.warps * 32;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerMultiprocessor = entry.shared;
    bool ampere = entry.number >= 80;
    device.reservedSharedMemPerBlock = ampere ? 1024 : 0;
    // More than 48 KiB for a block must be asked for, which every launch is
    // assumed to do.
    device.sharedMemPerBlock = device.sharedMemPerBlockOptin =
        entry.shared - device.reservedSharedMemPerBlock;
    device.numSms = 1;
    for (int registers :
         {16, 24, 32, 33, 40, 64, 65, 72, 96, 128, 168, 200, 255})
      for (int shared : {0, 1, 100, 1024, 5000, 12288, 32000, 49152, 60000})
        for (int block :
             {1, 32, 33, 64, 100, 128, 192, 256, 384, 512, 768, 1000, 1024}) {
          cudaOccFuncAttributes function;
          function.maxThreadsPerBlock = 1024;
          function.numRegs = registers;
          function.sharedSizeBytes = shared;
          function.partitionedGCConfig = PARTITIONED_GC_OFF;
          function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
          function.maxDynamicSharedSizeBytes = 0;
          function.numBlockBarriers = 1;
          cudaOccDeviceState state;
          cudaOccResult theirs;
          if (cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &device,
                                                      &function, &state, block,
                                                      0) != CUDA_OCC_SUCCESS)
            continue;
          auto ours =
              occupancy(*empty.image, kernel_with(registers, shared), block);
          ASSERT_TRUE(ours);
          ASSERT_EQ(int(ours->blocks), theirs.activeBlocksPerMultiprocessor)
              << "sm_" << entry.number << ", " << registers << " registers, "
              << shared << " bytes, block of " << block << ": "
              << ours->limit.str();
          ++compared;
        }
  }
  EXPECT_GT(compared, 20000u);
#endif
}
