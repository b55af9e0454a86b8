// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves that sleep until somebody has done something: another block, the host.
#include "emulator/machine/tests/toy.h"

#include <gtest/gtest.h>

using namespace gpuexec::emulator;
using namespace gpuexec::emulator::toy;

// What they wait for comes from a block that is resident only after they have
// been found to wait.
TEST(Scheduler, SleepingWavesDoNotStarveLaterBlocks) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  constexpr uint32_t BLOCKS = 500;
  std::atomic<uint32_t> arrived{0};
  ToyRun run(
      [&](ToyWave &wave) {
        if (wave.phase++ == 0)
          ++arrived;
        return arrived == BLOCKS * 2 ? Stop::ended : Stop::sleep;
      },
      128, BLOCKS);
  ASSERT_TRUE(run.run(scheduler));
}

// Waves that call the host, which always answers before they look.
static Step calls_that_are_answered(int calls) {
  constexpr int INSTRUCTIONS = 200; // from one call to the next
  return [=](ToyWave &wave) {
    if (++wave.phase == INSTRUCTIONS * calls)
      return Stop::ended;
    return wave.phase % INSTRUCTIONS ? Stop::budget : Stop::sleep;
  };
}

// Each of their slices ends as the one before did, after as long a way. That is
// what waves do that wait in vain; but none of these waits.
TEST(Scheduler, AWaveWhoseCallsAreAlwaysAnsweredIsNoSleeper) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  ToyRun run(calls_that_are_answered(500), 64, 16);
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_EQ(scheduler.idle_yields(), 0u);
}

// They are not too little to do either, for which further blocks would be
// needed.
TEST(Scheduler, FewWavesTakeTurnsWhenTheHostAnswers) {
  AddressSpace memory;
  Scheduler::Options options;
  options.threads = 2;
  Scheduler scheduler(memory, options);
  ToyRun run(calls_that_are_answered(100), 256, 500);
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_LT(scheduler.peak_resident_waves(), 256u);
}

// A program with threads has as many waves as the device holds: those that have
// nothing to do must not take most of the time of the one that has.
TEST(Scheduler, PollingWavesDoNotTakeTheTimeOfOneThatWorks) {
  AddressSpace memory;
  Scheduler::Options options;
  options.threads = 1;
  options.slice = 100;
  Scheduler scheduler(memory, options);
  constexpr uint64_t WAVES = 256, SLICES = 400;
  std::atomic<uint64_t> polls{0};
  std::atomic<bool> over{false};
  ToyRun run(
      [&](ToyWave &wave) {
        if (wave.index == 0) {
          over = wave.steps + 1 == SLICES * options.slice;
          return over ? Stop::ended : Stop::budget;
        }
        if (over)
          return Stop::ended;
        ++polls;
        return Stop::sleep;
      },
      64 * WAVES, 1);
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_LT(polls, SLICES * WAVES / 4);
}

TEST(Scheduler, IdleYieldsAreCounted) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  std::atomic<bool> answer{false};
  ToyRun run([&](ToyWave &) { return answer ? Stop::ended : Stop::sleep; }, 64,
             1);
  scheduler.launch(run.launch);
  while (!scheduler.idle_yields())
    std::this_thread::yield();
  answer = true;
  ASSERT_TRUE(run.wait());
}

// A slice that ended early, after which a poll was short, must not make all
// later polls look like progress: workers would never yield.
TEST(Scheduler, AShortPollIsNoMeasureForLaterOnes) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  constexpr int SHORT = 1, POLL = 10; // instructions
  std::atomic<bool> answer{false};
  ToyRun run(
      [&](ToyWave &wave) {
        if (answer)
          return Stop::ended;
        const bool polled = wave.steps < SHORT || ++wave.phase % POLL == 0;
        return polled ? Stop::sleep : Stop::budget;
      },
      64, 1);
  scheduler.launch(run.launch);
  while (!scheduler.idle_yields())
    std::this_thread::yield();
  answer = true;
  ASSERT_TRUE(run.wait());
}

// A wave polls for something that a host thread does later: both must get time,
// also with one worker.
TEST(Scheduler, HostThreadsGetTime) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  std::atomic<int> request{0}, answer{0};
  constexpr int ROUNDS = 500;
  std::thread server([&] {
    while (answer < ROUNDS) {
      if (request > answer)
        answer = request.load();
      else
        std::this_thread::yield();
    }
  });
  ToyRun run(
      [&](ToyWave &wave) {
        if (wave.phase == 0) {
          ++request;
          wave.phase = 1;
        }
        if (answer < request)
          return Stop::sleep;
        wave.phase = 0;
        return request == ROUNDS ? Stop::ended : Stop::budget;
      },
      64, 1);
  EXPECT_TRUE(run.run(scheduler));
  server.join();
}

// A client that serves calls only when a worker asks it to: no other thread
// answers.
namespace {
struct Client {
  std::atomic<int> request{0}, answer{0}, inside{0};
  HostCalls calls;

  static int serve(void *context) {
    auto &client = *static_cast<Client *>(context);
    EXPECT_EQ(client.inside++, 0); // one thread at a time
    const bool asked = client.request > client.answer;
    client.answer = client.request.load();
    --client.inside;
    return asked;
  }
};
} // namespace

TEST(Scheduler, WorkersServeTheHostsCallsWhenAllWavesWait) {
  AddressSpace memory;
  Client client;
  client.calls.set(Client::serve, &client);
  Scheduler::Options options;
  options.threads = 2;
  options.host_calls = &client.calls;
  Scheduler scheduler(memory, options);
  constexpr int CALLS = 300, WAVES = 4;
  ToyRun run(
      [&](ToyWave &wave) {
        if (wave.phase % 2 == 0) {
          ++client.request;
          ++wave.phase;
          return Stop::sleep;
        }
        if (client.answer < client.request)
          return Stop::sleep;
        return ++wave.phase == 2 * CALLS ? Stop::ended : Stop::budget;
      },
      64 * WAVES, 1);
  EXPECT_TRUE(run.run(scheduler));
  EXPECT_EQ(client.request, CALLS * WAVES);
}

// When set() has returned, no worker is in the function of before.
TEST(Scheduler, HostCallsThatAreTakenBackAreOver) {
  struct Slow {
    std::atomic<bool> begun{false}, over{false};
    static int serve(void *context) {
      auto &slow = *static_cast<Slow *>(context);
      slow.begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      slow.over = true;
      return 0;
    }
  } slow;
  HostCalls calls;
  EXPECT_FALSE(calls.serve());
  calls.set(Slow::serve, &slow);
  std::thread worker([&] { EXPECT_FALSE(calls.serve()); });
  while (!slow.begun)
    std::this_thread::yield();
  EXPECT_FALSE(calls.serve()); // another thread is in it
  calls.set(nullptr, nullptr);
  EXPECT_TRUE(slow.over);
  EXPECT_FALSE(calls.serve());
  worker.join();
}
