//===-- emulator/amdgpu/tests/inline_cache_test.cpp -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an inline cache of compiled code holds after a miss.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/jit/inline_cache.h"

#include <gtest/gtest.h>

#include <memory>

namespace gpuexec::emulator::amdgpu::jit {
namespace {

constexpr u64 BASE = 0x100000, PAGE = AddressSpace::PAGE_SIZE;

/// A wave's state, and memory that nothing is read from.
class InlineCaches : public testing::Test {
protected:
  void SetUp() override {
    dispatch.memory = &memory;
    state->dispatch = &dispatch;
    state->regions = &regions;
  }
  void add(u64 first_page, u64 pages, bool writable = true) {
    Region region;
    region.begin = BASE + first_page * PAGE;
    region.end = region.begin + pages * PAGE;
    region.writable = writable;
    ASSERT_NE(memory.add(region), nullptr);
  }
  /// Cache 0, for accesses of 4 bytes, after a miss at `offset` from BASE.
  bool miss(u64 offset, bool write) {
    return fill_inline_cache(*state, 0, BASE + offset, 4 * 2 + write, false);
  }
  bool holds(u64 offset) const {
    const State::InlineCache &cache = state->inline_caches[0];
    return BASE + offset - cache.begin < cache.length;
  }

  AddressSpace memory;
  Dispatch dispatch;
  RegionCache regions{memory};
  std::unique_ptr<State> state = std::make_unique<State>();
};

TEST(InlineCacheClass, EveryAccessHasOne) {
  unsigned looked_up = 0;
  for (unsigned id = 0; id < OPERATIONS; ++id) {
    const Operation &op = operation(OperationId(id));
    if (!has_inline_cache(op.memory))
      continue;
    ++looked_up;
    for (bool write : {false, true})
      EXPECT_LT(inline_cache_class(op.memory.bytes, write),
                State::CACHE_CLASSES)
          << op.name;
  }
  EXPECT_GT(looked_up, 100u);
  const Operation &permute = operation(OperationId::ds_bpermute_b32);
  EXPECT_EQ(permute.form, Form::memory);
  EXPECT_FALSE(has_inline_cache(permute.memory)) << "it accesses no memory";
}

TEST_F(InlineCaches, WritableRegionsThatFollowEachOtherAreOneEntry) {
  add(0, 1);
  add(1, 2);
  add(4, 1); // behind a gap
  ASSERT_TRUE(miss(PAGE, true));
  EXPECT_TRUE(holds(0));
  EXPECT_TRUE(holds(3 * PAGE - 4));
  EXPECT_FALSE(holds(3 * PAGE - 3)) << "the access ends behind the regions";
  EXPECT_FALSE(holds(4 * PAGE));
}

TEST_F(InlineCaches, CachesOfGlobalMemory) {
  add(0, 1);
  add(2, 1, /*writable=*/false);
  auto miss_8 = [&](u64 offset, bool write) {
    return fill_global_cache(*state, 5, BASE + offset, 8 * 2 + write);
  };
  ASSERT_TRUE(miss_8(8, true));
  const State::GlobalCache &cache = state->global_caches[5];
  EXPECT_EQ(cache.begin, BASE);
  EXPECT_EQ(cache.length, PAGE - 7)
      << "the last access of 8 bytes begins there";
  EXPECT_FALSE(miss_8(PAGE - 4, false)) << "ends behind the region";
  EXPECT_FALSE(miss_8(2 * PAGE, true)) << "writes to read-only memory";
  EXPECT_EQ(cache.begin, BASE) << "what is refused is not kept";
  EXPECT_TRUE(miss_8(2 * PAGE, false));
  EXPECT_EQ(cache.begin, BASE + 2 * PAGE);
  EXPECT_FALSE(fill_global_cache(*state, 5, PRIVATE_APERTURE, 8 * 2))
      << "an address of the stack";
  forget_inline_caches(*state);
  EXPECT_EQ(cache.length, 0u);
}

TEST_F(InlineCaches, ReadOnlyRegionsStayApart) {
  add(0, 1);
  add(1, 1, /*writable=*/false);
  ASSERT_TRUE(miss(0, true));
  EXPECT_FALSE(holds(PAGE));
  EXPECT_FALSE(miss(PAGE, true)) << "writes to read-only memory";
  ASSERT_TRUE(miss(PAGE, false));
  EXPECT_TRUE(holds(2 * PAGE - 4));
  EXPECT_FALSE(holds(0));
}

TEST_F(InlineCaches, MoreRegionsThanAreRemembered) {
  constexpr u64 COUNT = 2 * State::RECENT_REGIONS;
  for (u64 k = 0; k < COUNT; ++k)
    add(2 * k, 1, /*writable=*/k % 2);
  for (unsigned round = 0; round < 2; ++round)
    for (u64 k = 0; k < COUNT; ++k) {
      ASSERT_TRUE(miss(2 * k * PAGE, false)) << "region " << k;
      EXPECT_TRUE(holds(2 * k * PAGE)) << "region " << k;
      EXPECT_FALSE(holds((2 * k + 1) * PAGE)) << "region " << k;
      EXPECT_EQ(miss(2 * k * PAGE, true), k % 2 == 1) << "region " << k;
      EXPECT_FALSE(miss((2 * k + 1) * PAGE - 3, false))
          << "region " << k << ": the access ends behind it";
    }
}

TEST_F(InlineCaches, ARemovedRegionIsInNoEntry) {
  add(0, 1);
  add(1, 1);
  ASSERT_TRUE(miss(0, true));
  ASSERT_TRUE(memory.remove(BASE + PAGE));
  EXPECT_FALSE(miss(PAGE, false));
  ASSERT_TRUE(miss(0, true));
  EXPECT_TRUE(holds(0));
  EXPECT_FALSE(holds(PAGE));
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::jit
