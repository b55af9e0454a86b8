//===-- emulator/machine/tests/lockstep_test.cpp --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/tests/toy.h"

#include <gtest/gtest.h>

#include <thread>

using namespace gpuexec::emulator;
using namespace gpuexec::emulator::toy;

namespace {

struct Host {
  std::function<bool(uint64_t step, bool idle, uint64_t &ticks)> turn;
  static int call(void *context, uint64_t step, int idle, uint64_t *ticks) {
    return static_cast<Host *>(context)->turn(step, idle != 0, *ticks);
  }
};

Scheduler::Options options_with(uint64_t seed, Host *host = nullptr) {
  Scheduler::Options options;
  options.threads = 1;
  options.lockstep = {seed, host ? Host::call : nullptr, host};
  return options;
}

/// The order in which the waves of a grid make their steps.
std::string order_of(uint64_t seed) {
  AddressSpace memory;
  Scheduler scheduler(memory, options_with(seed));
  std::string order;
  ToyRun run(
      [&](ToyWave &wave) {
        order += char('a' + wave.block->id[0] * 2 + wave.index);
        return wave.steps == 99 ? Stop::ended : Stop::budget;
      },
      128, 6);
  EXPECT_TRUE(run.run(scheduler));
  return order;
}

} // namespace

TEST(Lockstep, ASeedDecidesTheOrder) {
  const std::string order = order_of(1);
  EXPECT_EQ(order.size(), 1200u);
  EXPECT_EQ(order, order_of(1));
  EXPECT_NE(order, order_of(2));
}

TEST(Lockstep, TheHostHasItsTurnWhileNoWaveRuns) {
  AddressSpace memory;
  std::atomic<int> running = 0, answers = 0;
  uint64_t last_step = 0, turns = 0;
  Host host{[&](uint64_t step, bool idle, uint64_t &ticks) {
    EXPECT_EQ(running, 0);
    EXPECT_GT(step, last_step);
    last_step = step;
    ++turns;
    if (idle)
      ++answers;
    return true;
  }};
  Scheduler scheduler(memory, options_with(1, &host));
  ToyRun run(
      [&](ToyWave &) {
        ++running;
        const Stop stop = answers ? Stop::ended : Stop::sleep;
        --running;
        return stop;
      },
      64, 3);
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_EQ(answers, 1); // asked for only when all have looked in vain
  EXPECT_GE(turns, 4u);
}

TEST(Lockstep, AHaltedDeviceMakesNoStep) {
  AddressSpace memory;
  std::atomic<uint64_t> steps = 0;
  std::atomic<bool> halted = false;
  Host host{[&](uint64_t step, bool, uint64_t &) {
    halted = step >= 100;
    return !halted;
  }};
  Scheduler scheduler(memory, options_with(3, &host));
  ToyRun run(
      [&](ToyWave &) {
        ++steps;
        return Stop::budget;
      },
      64, 3);
  scheduler.launch(run.launch);
  while (!halted)
    std::this_thread::yield();
  const uint64_t then = steps;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(steps, then);
  scheduler.stop(*run.launch);
  EXPECT_TRUE(run.wait());
}

TEST(Lockstep, TheClockGoesOnWithStepsAndByWhatTheHostSays) {
  AddressSpace memory;
  uint64_t seen[2] = {};
  Host host{[&](uint64_t, bool idle, uint64_t &ticks) {
    ticks = idle ? 5'000'000 : 0;
    return true;
  }};
  for (uint64_t &last : seen) {
    Scheduler scheduler(memory, options_with(1, &host));
    ToyRun run(
        [&](ToyWave &wave) {
          const uint64_t now = wave.block->dispatch->clock->read();
          EXPECT_GT(now, last);
          last = now;
          return now < 20'000'000 ? Stop::sleep : Stop::ended;
        },
        64, 1);
    ASSERT_TRUE(run.run(scheduler));
  }
  EXPECT_EQ(seen[0], seen[1]);
}
