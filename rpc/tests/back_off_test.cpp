//===-- rpc/tests/back_off_test.cpp - How long an idle server sleeps ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The policy in numbers; what comes of it on a machine is bench/rpc's.
//===----------------------------------------------------------------------===//
#include "rpc/server/back_off.h"
#include "gtest/gtest.h"

using namespace gpuexec::rpc;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

TEST(BackOff, LooksThenYieldsThenSleeps) {
  const Pauses none;
  EXPECT_EQ(idle_step(0us, none), Idle::look);
  EXPECT_EQ(idle_step(49us, none), Idle::look);
  EXPECT_EQ(idle_step(50us, none), Idle::yield);
  EXPECT_EQ(idle_step(299us, none), Idle::yield);
  EXPECT_EQ(idle_step(300us, none), Idle::sleep);
  EXPECT_EQ(idle_step(1min, none), Idle::sleep);
}

TEST(BackOff, DoesNotYieldInAProgramThatPausesForLong) {
  Pauses pauses;
  for (int i = 0; i < 7; ++i)
    pauses.ended(1ms);
  EXPECT_EQ(idle_step(50us, pauses), Idle::yield);
  pauses.ended(1ms);
  EXPECT_EQ(idle_step(49us, pauses), Idle::look);
  EXPECT_EQ(idle_step(50us, pauses), Idle::sleep);
  pauses.ended(300us); // one that yielding would have met
  EXPECT_EQ(idle_step(50us, pauses), Idle::yield);
}

TEST(BackOff, SleepsAFiveHundredthOfTheQuiet) {
  // Where a wake-up costs 2, 4, 12 and 20 us.
  struct {
    nanoseconds quiet, lengths[4];
  } expected[] = {
      {50us, {20us, 20us, 20us, 20us}},
      {300us, {20us, 20us, 20us, 20us}},
      {800us, {20us, 20us, 50us, 50us}},
      {1'600us, {20us, 20us, 60us, 100us}},
      {10'240us, {20us, 20us, 60us, 100us}},
      {25'600us, {50us, 50us, 60us, 100us}},
      {51'200us, {100us, 100us, 100us, 100us}},
      {102'400us, {200us, 200us, 200us, 200us}},
      {256ms, {250us, 250us, 500us, 500us}},
      {1s, {250us, 250us, 600us, 1ms}},
      {1min, {250us, 250us, 600us, 1ms}},
  };
  const nanoseconds costs[] = {2us, 4us, 12us, 20us};
  for (const auto &[quiet, lengths] : expected)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(sleep_length(quiet, costs[i]), lengths[i])
          << "after " << quiet.count() << " ns at " << costs[i].count();
  EXPECT_EQ(sleep_length(1h, 0us), 250us);
  EXPECT_EQ(sleep_length(1h, 1s), 1ms);
}

// Wherever a wake-up takes up to 20 us.
TEST(BackOff, TakesLittleOfAProcessor) {
  for (nanoseconds cost = 1us; cost <= 20us; cost += 1us) {
    nanoseconds used = 0us, at = YIELD_UNTIL;
    auto sleep_until = [&](nanoseconds end) {
      for (used = 0us; at < end; used += cost)
        at += sleep_length(at, cost) + cost;
      return used;
    };
    // A pause of any length costs no more than this, whatever follows.
    EXPECT_LE(sleep_until(500ms), 32ms);
    // And an idle minute next to nothing.
    EXPECT_LE(sleep_until(1min), 59'500ms / 50);
  }
}

TEST(BackOff, IsLateByAThousandthOfThePause) {
  for (nanoseconds pause = 52ms; pause < 128ms; pause += 1ms)
    for (nanoseconds cost = 1us; cost <= 20us; cost += 1us)
      EXPECT_LE(sleep_length(pause, cost) / 2, pause / 1000);
}

TEST(WakeCost, IsWhatTheLastSleepsTook) {
  WakeCost cost;
  EXPECT_EQ(cost.each(), 10us); // a guess
  cost.add(32, 64us);
  EXPECT_EQ(cost.each(), 2us);
  cost.add(32, 640us);
  EXPECT_EQ(cost.each(), 11us);
  // A clock that moves 10 ms at a time.
  for (int i = 0; i < 4000; ++i)
    cost.add(32, i % 25 ? 0ms : 10ms);
  EXPECT_GT(cost.each(), 11us);
  EXPECT_LT(cost.each(), 14us);
  // Another machine by now.
  for (int i = 0; i < 4000; ++i)
    cost.add(32, 96us);
  EXPECT_LT(cost.each(), 3100ns);
}

} // namespace
