// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/kernel_statistics.h"
#include "emulator/machine/tests/toy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

using namespace gpuexec::emulator;
using namespace gpuexec::emulator::toy;

TEST(Scheduler, RunsEveryThreadOfEveryBlockOnce) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  std::mutex lock;
  std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> seen;
  ToyRun run(
      [&](ToyWave &wave) {
        std::lock_guard guard(lock);
        EXPECT_TRUE(seen.emplace(wave.block->id[0], wave.block->id[1],
                                 wave.block->id[2], wave.index)
                        .second);
        return Stop::ended;
      },
      200, 1);
  uint32_t grid[3] = {450, 6, 2}; // the last block in x is partial
  std::copy_n(grid, 3, run.launch->dispatch.grid);
  run.launch->dispatch.block[1] = 2;
  ASSERT_TRUE(run.run(scheduler));
  // x: blocks of 200, 200, 50 threads; times 2 in y.
  EXPECT_EQ(seen.size(), size_t((7 + 7 + 2) * 3 * 2));
  EXPECT_FALSE(run.launch->dispatch.stop);
  EXPECT_FALSE(run.launch->report);
}

TEST(Scheduler, MillionsOfBlocksInBoundedMemory) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  std::atomic<uint64_t> count{0};
  constexpr uint32_t BLOCKS = 1'000'000;
  ToyRun run(
      [&](ToyWave &) {
        count.fetch_add(1, std::memory_order_relaxed);
        return Stop::ended;
      },
      64, BLOCKS);
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_EQ(count.load(), BLOCKS);
  EXPECT_LT(scheduler.peak_resident_waves(), 256u);
}

// One block waits, without ever sleeping, for a flag that only the last of many
// blocks sets.
TEST(Scheduler, ASpinningWaveDoesNotStarveLaterBlocks) {
  AddressSpace memory;
  Scheduler::Options options;
  options.slice = 100; // there will be thousands of slices
  Scheduler scheduler(memory, options);
  constexpr uint32_t BLOCKS = 200;
  std::atomic<bool> flag{false};
  ToyRun run(
      [&](ToyWave &wave) {
        if (wave.block->id[0] == BLOCKS - 1) {
          flag = true;
          return Stop::ended;
        }
        return flag ? Stop::ended : Stop::budget;
      },
      64, BLOCKS);
  ASSERT_TRUE(run.run(scheduler));
}

TEST(Scheduler, ASleepingWaveDoesNotStarveOthers) {
  AddressSpace memory;
  Scheduler::Options options;
  options.threads = 1;
  Scheduler scheduler(memory, options);
  std::atomic<int> turn{0};
  constexpr int WAVES = 16;
  // Waves of one block take turns, last one first.
  ToyRun run(
      [&](ToyWave &wave) {
        if (turn != WAVES - 1 - int(wave.index))
          return Stop::sleep;
        ++turn;
        return Stop::ended;
      },
      64 * WAVES, 1);
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_EQ(turn.load(), WAVES);
}

TEST(Scheduler, BarriersHoldTheWholeBlock) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  constexpr uint32_t WAVES = 8, BLOCKS = 50;
  constexpr int ROUNDS = 20;
  std::vector<std::atomic<int>> arrived(BLOCKS * ROUNDS);
  ToyRun run(
      [&](ToyWave &wave) {
        if (wave.phase == 2 * ROUNDS)
          return Stop::ended;
        std::atomic<int> &mark =
            arrived[wave.block->id[0] * ROUNDS + wave.phase / 2];
        if (wave.phase++ % 2 == 0) {
          ++mark;
          return Stop::barrier;
        }
        EXPECT_EQ(mark.load(), int(WAVES));
        return Stop::budget;
      },
      64 * WAVES, BLOCKS);
  ASSERT_TRUE(run.run(scheduler));
}

// A block's waves run on one worker while other workers have other blocks. The
// waves of the last block must not.
TEST(Scheduler, AllWorkersRunTheWavesOfTheLastBlock) {
  AddressSpace memory;
  Scheduler::Options options;
  options.threads = 2;
  options.slice = 100;
  Scheduler scheduler(memory, options);
  std::mutex lock;
  std::set<std::thread::id> workers;
  ToyRun run(
      [&](ToyWave &wave) {
        std::lock_guard guard(lock);
        workers.insert(std::this_thread::get_id());
        return workers.size() == 2 ? Stop::ended : Stop::budget;
      },
      64 * 4, 1);
  ASSERT_TRUE(run.run(scheduler));
}

// Waves of one block wait for each other without a barrier, and do not sleep.
TEST(Scheduler, NoWaveOfABlockStarves) {
  AddressSpace memory;
  Scheduler::Options options;
  options.threads = 1;
  options.slice = 100;
  Scheduler scheduler(memory, options);
  std::atomic<int> turn{0};
  constexpr int WAVES = 16;
  ToyRun run(
      [&](ToyWave &wave) {
        if (turn % WAVES != WAVES - 1 - int(wave.index))
          return Stop::budget;
        ++turn;
        return Stop::ended;
      },
      64 * WAVES, 10);
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_EQ(turn.load(), 10 * WAVES);
}

// Some waves of a block wait at a barrier, others sleep first.
TEST(Scheduler, BarriersHoldWavesThatSleep) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  constexpr uint32_t WAVES = 8, BLOCKS = 50;
  constexpr int ROUNDS = 9;
  std::vector<std::atomic<int>> arrived(BLOCKS * ROUNDS);
  ToyRun run(
      [&](ToyWave &wave) {
        const int round = wave.phase / 3;
        if (round == ROUNDS)
          return Stop::ended;
        std::atomic<int> &mark = arrived[wave.block->id[0] * ROUNDS + round];
        switch (wave.phase++ % 3) {
        case 0:
          return int(wave.index) == round ? Stop::sleep : Stop::budget;
        case 1:
          ++mark;
          return Stop::barrier;
        default:
          EXPECT_EQ(mark.load(), int(WAVES)) << "round " << round;
          return Stop::budget;
        }
      },
      64 * WAVES, BLOCKS);
  ASSERT_TRUE(run.run(scheduler));
}

TEST(Scheduler, ABarrierDoesNotWaitForWavesThatEnded) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  ToyRun run(
      [&](ToyWave &wave) {
        if (wave.index % 2)
          return Stop::ended;
        return wave.phase++ < 3 ? Stop::barrier : Stop::ended;
      },
      64 * 7, 20);
  ASSERT_TRUE(run.run(scheduler));
}

TEST(Scheduler, SharedMemoryAndStacksBelongToTheBlock) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  KernelCode::Sizes sizes;
  sizes.shared_size = 256;
  sizes.stack_size = 48;
  ToyRun run(
      [&](ToyWave &wave) {
        uint32_t *own =
            reinterpret_cast<uint32_t *>(wave.block->shared) + wave.index;
        std::byte *stack = wave.block->stack_of(wave.index);
        uint32_t mark = wave.block->id[0] * 100 + wave.index;
        if (wave.phase++ == 0) {
          EXPECT_EQ(wave.block->shared_size, 256u);
          *own = mark;
          memset(stack, int(mark & 0xff), 64 * 48);
          return Stop::barrier;
        }
        for (uint32_t i = 0; i < wave.block->waves; ++i)
          EXPECT_EQ(reinterpret_cast<uint32_t *>(wave.block->shared)[i],
                    wave.block->id[0] * 100 + i);
        for (int i = 0; i < 64 * 48; ++i)
          EXPECT_EQ(stack[i], std::byte(mark & 0xff));
        return Stop::ended;
      },
      256, 30, sizes);
  ASSERT_TRUE(run.run(scheduler));
}

TEST(Scheduler, AFaultStopsTheLaunchAndIsReported) {
  AddressSpace memory;
  Region region;
  region.begin = 0x100000;
  region.end = 0x100020;
  memory.add(region);
  Scheduler scheduler(memory);
  ToyRun run(
      [&](ToyWave &wave) {
        if (wave.block->id[0] != 7 || wave.steps < 10)
          return Stop::budget; // all others run for ever
        wave.why.kind = Fault::Kind::unmapped;
        wave.why.address = 0x100024;
        wave.why.size = 4;
        wave.why.write = true;
        wave.why.lanes = 0x30;
        return Stop::fault;
      },
      64, 1000);
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_TRUE(run.launch->dispatch.stop);
  ASSERT_TRUE(run.launch->report);
  EXPECT_THAT(
      run.launch->report->text,
      testing::AllOf(
          testing::HasSubstr(
              "write of 4 bytes: unmapped memory at address 0x100024"),
          testing::HasSubstr("4 bytes past the end of allocation 1 (32 bytes"),
          testing::HasSubstr(
              "kernel toy, block (7,0,0), wave 0, threads (4,0,0) to (5,0,0)"),
          testing::HasSubstr("pc 0x1000: step")));
}

TEST(Scheduler, HandsOnThePayloadOfTheInstructionSet) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  struct Payload {
    std::atomic<uint32_t> waves{0};
  } payload;
  ToyRun run(
      [](ToyWave &wave) {
        auto *own = static_cast<const Payload *>(wave.block->dispatch->payload);
        ++const_cast<Payload *>(own)->waves;
        return Stop::ended;
      },
      128, 10);
  run.launch->dispatch.payload = &payload;
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_EQ(payload.waves, 20u);
}

TEST(Scheduler, ReportsWhereAnUndefinedValueWasLoadedFrom) {
  for (auto [space, text] :
       {std::pair{Fault::Space::thread, "byte 24 of the thread's stack"},
        {Fault::Space::block, "byte 24 of the block's shared memory"},
        {Fault::Space::global, "address 0x18, which is"}}) {
    AddressSpace memory;
    Scheduler scheduler(memory);
    ToyRun run(
        [space = space](ToyWave &wave) {
          wave.why.kind = Fault::Kind::uninitialized;
          wave.why.space = space;
          wave.why.address = 24;
          return Stop::fault;
        },
        1, 1);
    ASSERT_TRUE(run.run(scheduler));
    ASSERT_TRUE(run.launch->report);
    EXPECT_THAT(run.launch->report->text,
                testing::HasSubstr(std::string("it was loaded from ") + text));
  }
}

/// What --stats prints and reports say is in the words of the device's vendor.
TEST(Scheduler, UsesTheWordsOfTheDevice) {
  static DeviceWords words = PLAIN_WORDS;
  words.instruction_classes[size_t(InstructionClass::lane_arithmetic)] = "vops";
  words.outside_shared_memory = "outside the pool";
  AddressSpace memory;
  Scheduler scheduler(memory);
  ToyRun run(
      [](ToyWave &wave) {
        ++wave.counts.instructions[size_t(InstructionClass::lane_arithmetic)];
        wave.why.kind = Fault::Kind::out_of_shared;
        return Stop::fault;
      },
      1, 1);
  static_cast<ToyKernel &>(*run.launch->kernel).device_words = &words;
  run.launch->dispatch.count = true;
  ASSERT_TRUE(run.run(scheduler));
  ASSERT_TRUE(run.launch->report);
  EXPECT_THAT(run.launch->report->text, testing::HasSubstr("outside the pool"));
  KernelStatistics statistics;
  statistics.add(*run.launch);
  EXPECT_THAT(statistics.text(false), testing::HasSubstr("  vops "));
  EXPECT_THAT(statistics.text(true), testing::HasSubstr("\"vops\": 1"));
}

TEST(Scheduler, StopsAnEndlessKernel) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  ToyRun run(
      [](ToyWave &wave) {
        return wave.index == 1   ? Stop::barrier
               : wave.index == 2 ? Stop::sleep
                                 : Stop::budget;
      },
      256, 40);
  scheduler.launch(run.launch);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(run.done);
  scheduler.stop(*run.launch);
  ASSERT_TRUE(run.wait());
  EXPECT_TRUE(run.launch->dispatch.stop);
  EXPECT_FALSE(run.launch->report);
  ToyRun after([](ToyWave &) { return Stop::ended; }, 64, 10);
  EXPECT_TRUE(after.run(scheduler));
}

TEST(Scheduler, MayBeDestroyedWhileKernelsRun) {
  AddressSpace memory;
  ToyRun first([](ToyWave &) { return Stop::budget; }, 64, 10);
  ToyRun second([](ToyWave &) { return Stop::sleep; }, 64, 10);
  {
    Scheduler scheduler(memory);
    scheduler.launch(first.launch);
    scheduler.launch(second.launch);
  }
  EXPECT_TRUE(first.done);
  EXPECT_TRUE(second.done);
}

TEST(Scheduler, TellsWhereWavesAre) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  EXPECT_TRUE(scheduler.where(10).empty());
  ToyRun run(
      [](ToyWave &wave) { return wave.index ? Stop::barrier : Stop::budget; },
      128, 2);
  scheduler.launch(run.launch);
  std::vector<WaveSite> sites;
  for (int i = 0; i < 100 && sites.size() < 4; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    sites = scheduler.where(10);
  }
  ASSERT_EQ(sites.size(), 4u);
  int waiting = 0;
  for (const WaveSite &site : sites) {
    EXPECT_EQ(site.kernel, "toy");
    waiting += std::string(site.state) == "waiting at a barrier";
  }
  EXPECT_EQ(waiting, 2);
  EXPECT_EQ(scheduler.where(3).size(), 3u);
  scheduler.stop(*run.launch);
  EXPECT_TRUE(run.wait());
}

TEST(Scheduler, SumsCounters) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  ToyRun run(
      [](ToyWave &wave) {
        ++wave.counts.instructions[size_t(InstructionClass::lane_arithmetic)];
        wave.counts.active_lanes += 3;
        return wave.counts.active_lanes == 30 ? Stop::ended : Stop::budget;
      },
      256, 25);
  run.launch->dispatch.count = true;
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_EQ(run.launch->counters.total(), 1000u);
  EXPECT_EQ(run.launch->counters.active_lanes, 3000u);
}

TEST(Scheduler, ManyLaunchesFromManyThreads) {
  AddressSpace memory;
  Scheduler scheduler(memory);
  std::atomic<uint64_t> waves{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      for (int j = 0; j < 200; ++j) {
        ToyRun run(
            [&](ToyWave &wave) {
              if (wave.phase++ == 0)
                return Stop::barrier;
              ++waves;
              return Stop::ended;
            },
            128, 3);
        EXPECT_TRUE(run.run(scheduler));
      }
    });
  for (std::thread &client : clients)
    client.join();
  EXPECT_EQ(waves.load(), 4u * 200 * 6);
}

TEST(Scheduler, SumsRegionsOfInterestByName) {
  AddressSpace memory;
  // A name that ends, the same one elsewhere, and one that runs into the end
  // of its memory.
  static const char names[] = "inner\0inner\0open";
  Region region;
  region.begin = reinterpret_cast<uint64_t>(names);
  region.end = region.begin + 16;
  ASSERT_TRUE(memory.add(region));
  Scheduler scheduler(memory);
  ToyRun run(
      [&](ToyWave &wave) {
        Counters inside;
        inside.barriers = 1;
        wave.regions = {{region.begin, inside},
                        {region.begin + 6, inside},
                        {region.begin + 12, inside},
                        {0x10, inside}};
        return Stop::ended;
      },
      64, 10);
  run.launch->dispatch.count = true;
  ASSERT_TRUE(run.run(scheduler));
  EXPECT_EQ(run.launch->regions["inner"].barriers, 20u);
  EXPECT_EQ(run.launch->regions["open"].barriers, 10u);
  EXPECT_EQ(run.launch->regions["?"].barriers, 10u);
  EXPECT_EQ(run.launch->regions.size(), 3u);
}

TEST(Scheduler, ParkedWavesStayWhereTheyAre) {
  AddressSpace memory;
  std::atomic<uint64_t> steps{0};
  ToyRun run(
      [&](ToyWave &) {
        ++steps;
        return Stop::budget;
      },
      64, 10);
  {
    Scheduler scheduler(memory);
    scheduler.launch(run.launch);
    while (!steps)
      std::this_thread::yield();
    scheduler.park();
    uint64_t then = steps;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(steps, then);
    EXPECT_FALSE(run.done);
  } // and may be destroyed all the same
  EXPECT_TRUE(run.done);
}
