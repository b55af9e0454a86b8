// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the hotness profiler has LLVM compile, and when.
#include "emulator/amdgpu/tiers/hot_heads.h"

#include <gtest/gtest.h>

using namespace gpuexec::emulator::amdgpu;
using namespace gpuexec::emulator::amdgpu::jit;
using std::chrono::milliseconds;

namespace {

constexpr i64 SLICE = HotHeads::SAMPLED_SLICE;
constexpr bool WITH_BASELINE = true, WITHOUT_BASELINE = false;

class HotHeadsTest : public testing::Test {
protected:
  std::optional<Tier> wanted(const Inst *at, bool has_baseline,
                             milliseconds after = milliseconds(0)) {
    return heads.wanted(at, has_baseline, began + after);
  }
  /// Code of a region that is entered at `entries`.
  static Result region(std::vector<const Inst *> entries,
                       std::vector<const Inst *> left_for = {}) {
    Result result;
    result.code.bytes.resize(16);
    for (const Inst *entry : entries)
      result.entries.push_back({entry, ONE});
    result.covered = entries;
    result.left_for = left_for;
    return result;
  }
  void compiled(const Inst *at, Tier tier, const Result &result) {
    heads.compiled(at, tier, result, passes);
  }
  /// Samples one by one, each followed by a doubt.
  void sample_and_doubt(const Inst *at, unsigned samples) {
    for (unsigned k = 0; k < samples; ++k) {
      heads.sampled(at, 1);
      heads.doubt_region(at, 1, passes);
    }
  }

  /// After so many samples of an entry the profiler doubts its region.
  static constexpr unsigned DOUBT = 4000;
  const HotHeads::Clock::time_point began = HotHeads::Clock::now();
  HotHeads heads{began};
  Inst code[4];
  const Inst *head = code, *other = code + 1, *cold = code + 2;
  u64 cold_passes = 0;
  unsigned asked = 0;
  std::function<u64(const std::vector<const Inst *> &)> passes =
      [this](const std::vector<const Inst *> &places) {
        ++asked;
        return places.empty() ? 0 : cold_passes;
      };
};

TEST_F(HotHeadsTest, LongSlicesAreSeveralSamples) {
  EXPECT_EQ(HotHeads::samples_of(1), 1u);
  EXPECT_EQ(HotHeads::samples_of(SLICE), 1u);
  EXPECT_EQ(HotHeads::samples_of(2 * SLICE - 1), 1u);
  EXPECT_EQ(HotHeads::samples_of(8 * SLICE), 8u);
}

TEST_F(HotHeadsTest, TheOptimiserComesBehindThreeHundredSamples) {
  heads.sampled(head, 299);
  EXPECT_FALSE(wanted(head, WITH_BASELINE));
  heads.sampled(other, 1000);
  EXPECT_FALSE(wanted(head, WITH_BASELINE)) << "another head's samples";
  heads.sampled(head, 1);
  EXPECT_EQ(wanted(head, WITH_BASELINE), Tier::optimised);
}

TEST_F(HotHeadsTest, TheQuickTierIsForWhatTheBaselineCompilerCannotServe) {
  heads.sampled(head, 2);
  EXPECT_FALSE(wanted(head, WITHOUT_BASELINE));
  heads.sampled(head, 1);
  EXPECT_EQ(wanted(head, WITHOUT_BASELINE), Tier::quick);
  EXPECT_FALSE(wanted(head, WITH_BASELINE));
  compiled(head, Tier::quick, region({head}));
  heads.sampled(head, 299);
  EXPECT_FALSE(wanted(head, WITHOUT_BASELINE));
  heads.sampled(head, 1);
  EXPECT_EQ(wanted(head, WITHOUT_BASELINE), Tier::optimised);
}

TEST_F(HotHeadsTest, AJobIsInTheQueueOnce) {
  heads.sampled(head, 1000);
  heads.set_queued(head, true);
  EXPECT_TRUE(heads.is_queued(head));
  EXPECT_FALSE(wanted(head, WITH_BASELINE));
  heads.set_queued(head, false);
  EXPECT_EQ(wanted(head, WITH_BASELINE), Tier::optimised);
}

TEST_F(HotHeadsTest, WaitsUntilTheProcessHasRunForLongEnough) {
  heads.sampled(head, 5000);
  EXPECT_EQ(heads.worth(Tier::optimised, began), 0u);
  EXPECT_EQ(heads.worth(Tier::optimised, began + milliseconds(50)), 400u);
  EXPECT_EQ(heads.worth(Tier::quick, began + milliseconds(50)), 5000u);
  heads.postpone(head, Tier::optimised, 800);
  EXPECT_FALSE(wanted(head, WITH_BASELINE, milliseconds(50)));
  EXPECT_FALSE(wanted(head, WITH_BASELINE, milliseconds(100)));
  EXPECT_EQ(wanted(head, WITH_BASELINE, milliseconds(101)), Tier::optimised);
  EXPECT_GE(heads.worth(Tier::optimised, began + milliseconds(101)), 800u);
}

TEST_F(HotHeadsTest, AnOptimisedRegionsEntriesAreSettled) {
  heads.sampled(head, 1000);
  compiled(head, Tier::optimised, region({head, other}));
  for (const Inst *entry : {head, other}) {
    EXPECT_TRUE(heads.is_settled(entry)) << entry - code;
    EXPECT_EQ(heads.samples(entry), 0u) << entry - code;
    heads.sampled(entry, 5000);
    EXPECT_FALSE(wanted(entry, WITH_BASELINE)) << entry - code;
  }
  EXPECT_FALSE(heads.is_settled(cold));
  compiled(cold, Tier::quick, region({cold}));
  EXPECT_FALSE(heads.is_settled(cold)) << "the optimiser may come yet";
}

// Control that comes to the inside of a region past its entries finds other
// code: that becomes hot by itself.
TEST_F(HotHeadsTest, TheInsideOfARegionMayGetHotOnceMore) {
  Result result = region({head});
  result.covered.push_back(other);
  heads.sampled(other, 200);
  compiled(head, Tier::optimised, result);
  heads.sampled(other, 299);
  EXPECT_FALSE(wanted(other, WITH_BASELINE));
  heads.sampled(other, 1);
  EXPECT_EQ(wanted(other, WITH_BASELINE), Tier::optimised);
}

TEST_F(HotHeadsTest, WhatIsNotWorthItIsNotCompiledAgain) {
  heads.sampled(head, 1000);
  compiled(head, Tier::optimised, Result());
  cold_passes = 1000000;
  sample_and_doubt(head, 3 * DOUBT);
  EXPECT_EQ(asked, 0u) << "nothing was left out";
  EXPECT_FALSE(wanted(head, WITH_BASELINE));
}

TEST_F(HotHeadsTest, ARegionThatIsLeftOftenIsCompiledAgain) {
  compiled(head, Tier::optimised, region({head}, {cold}));
  asked = 0;
  cold_passes = 4 * DOUBT;
  sample_and_doubt(head, DOUBT - 1);
  EXPECT_EQ(asked, 0u);
  sample_and_doubt(head, 1);
  EXPECT_EQ(asked, 1u);
  EXPECT_FALSE(wanted(head, WITH_BASELINE)) << "four times for each sample";
  cold_passes += 4 * DOUBT + 1;
  sample_and_doubt(head, DOUBT);
  EXPECT_EQ(wanted(head, WITH_BASELINE), Tier::optimised);
}

// Then there is nothing left to doubt: the region is not worth
// it with what was cold.
TEST_F(HotHeadsTest, ADoubtedRegionThatIsNotWorthItStays) {
  compiled(head, Tier::optimised, region({head}, {cold}));
  cold_passes = 4 * DOUBT + 1;
  sample_and_doubt(head, DOUBT);
  ASSERT_EQ(wanted(head, WITH_BASELINE), Tier::optimised);
  compiled(head, Tier::optimised, Result());
  asked = 0;
  cold_passes = 1000000;
  sample_and_doubt(head, 3 * DOUBT);
  EXPECT_EQ(asked, 0u);
  EXPECT_FALSE(wanted(head, WITH_BASELINE));
}

TEST_F(HotHeadsTest, ARegionIsCompiledTwiceAtMost) {
  unsigned times = 0;
  for (unsigned turn = 0; turn < 10; ++turn) {
    if (!heads.is_settled(head)) {
      compiled(head, Tier::optimised, region({head}, {cold}));
      ++times;
    }
    cold_passes += 10 * DOUBT;
    sample_and_doubt(head, DOUBT);
  }
  EXPECT_EQ(times, 2u);
}

// A slice in settled code is several samples: none of the doubts is missed.
TEST_F(HotHeadsTest, LongSlicesMissNoDoubt) {
  compiled(head, Tier::optimised, region({head}, {cold}));
  asked = 0;
  for (unsigned k = 0; k < 3 * DOUBT / 7 + 1; ++k) {
    heads.sampled(head, 7);
    heads.doubt_region(head, 7, passes);
  }
  EXPECT_EQ(asked, 3u);
}

TEST_F(HotHeadsTest, TheQuickTierIsServedFirstThenWhatWasSampledMost) {
  heads.sampled(head, 5);
  heads.sampled(other, 9);
  Request quick, few, many;
  quick.tier = Tier::quick;
  few.tier = many.tier = Tier::optimised;
  quick.head = cold;
  few.head = head;
  many.head = other;
  EXPECT_TRUE(heads.is_more_urgent(quick, many));
  EXPECT_TRUE(heads.is_more_urgent(many, few));
  EXPECT_FALSE(heads.is_more_urgent(few, many));
  EXPECT_FALSE(heads.is_more_urgent(many, quick));
}

TEST_F(HotHeadsTest, CodeOnDiskIsSettledIfItIsTheOptimisers) {
  heads.found_on_disk(head, {Tier::optimised});
  EXPECT_TRUE(heads.is_settled(head));
  heads.sampled(head, 5000);
  EXPECT_FALSE(wanted(head, WITHOUT_BASELINE));
  heads.found_on_disk(other, {Tier::quick});
  EXPECT_FALSE(heads.is_settled(other));
  heads.sampled(other, 5000);
  EXPECT_EQ(wanted(other, WITHOUT_BASELINE), Tier::optimised);
  EXPECT_FALSE(heads.is_known(head));
  heads.set_known(head);
  EXPECT_TRUE(heads.is_known(head));
  EXPECT_FALSE(heads.is_known(other));
}

TEST_F(HotHeadsTest, EagerIsEverySample) {
  heads.be_eager();
  EXPECT_FALSE(wanted(head, WITHOUT_BASELINE));
  heads.sampled(head, 1);
  EXPECT_EQ(wanted(head, WITHOUT_BASELINE), Tier::quick);
  compiled(head, Tier::quick, region({}));
  heads.sampled(head, 1);
  EXPECT_EQ(wanted(head, WITHOUT_BASELINE), Tier::optimised);
  EXPECT_EQ(heads.worth(Tier::optimised, began), ~0u);
}

} // namespace
