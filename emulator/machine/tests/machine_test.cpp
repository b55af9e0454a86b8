// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every API gets from the machine: options, allocations, statistics,
// reports. The instruction set is the toy.
#include "emulator/machine/machine.h"
#include "emulator/machine/tests/toy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

using namespace gpuexec::emulator;
using namespace gpuexec::emulator::toy;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

static constexpr uint64_t NO_LIMIT = uint64_t(1) << 40;

TEST(Options, KnowTheirNamesAndValues) {
  Options options;
  EXPECT_TRUE(options.set("check", "uninit"));
  EXPECT_TRUE(options.set("stats", "on"));
  EXPECT_TRUE(options.set("lines", "prepared"));
  EXPECT_FALSE(options.code_cache); // as the environment says
  EXPECT_TRUE(options.set("jit-cache", "/x"));
  EXPECT_EQ(options.code_cache->folder, "/x");
  EXPECT_TRUE(options.code_cache->is_named);
  EXPECT_TRUE(options.set("jit-cache", "off"));
  EXPECT_EQ(options.code_cache->folder, "");
  EXPECT_TRUE(options.set("threads", "3"));
  EXPECT_TRUE(options.check_uninitialized);
  EXPECT_TRUE(options.statistics);
  EXPECT_TRUE(options.prepare_lines);
  EXPECT_EQ(options.threads, 3u);
  EXPECT_TRUE(options.set("check", "none"));
  EXPECT_FALSE(options.check_uninitialized);
}

TEST(Options, RefuseOthersAndStayAsTheyWere) {
  Options options;
  options.statistics = true;
  EXPECT_FALSE(options.set("stats", "yes"));
  EXPECT_FALSE(options.set("jit-cache", ""));
  EXPECT_FALSE(options.set("threads", "0"));
  EXPECT_FALSE(options.set("threads", "4x"));
  EXPECT_FALSE(options.set("colour", "on"));
  EXPECT_TRUE(options.statistics);
  EXPECT_EQ(options.threads, 0u);
}

TEST(Allocations, AreBoundedByTheirLimitTogether) {
  Options options;
  Machine machine(options);
  void *first =
      machine.allocations.allocate(4096, MemoryKind::device, 8192, nullptr);
  ASSERT_TRUE(first);
  EXPECT_FALSE(
      machine.allocations.allocate(4097, MemoryKind::device, 8192, nullptr));
  EXPECT_TRUE(machine.allocations.free(first));
  EXPECT_FALSE(machine.allocations.free(first));
  EXPECT_TRUE(
      machine.allocations.allocate(4097, MemoryKind::device, 8192, nullptr));
}

TEST(Allocations, AreFoundByAnyAddressInside) {
  Options options;
  Machine machine(options);
  int owner = 0;
  char *memory = static_cast<char *>(machine.allocations.allocate(
      100, MemoryKind::fine_host, NO_LIMIT, &owner));
  ASSERT_TRUE(memory);
  EXPECT_TRUE(machine.allocations.set_user_data(memory, &owner));
  auto found = machine.allocations.find(memory + 99);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->owner, &owner);
  EXPECT_EQ(found->user_data, &owner);
  EXPECT_EQ(found->kind, MemoryKind::fine_host);
  EXPECT_FALSE(machine.allocations.find(memory + 100));
}

TEST(Allocations, OverlappingLocksGoOneByOne) {
  Options options;
  Machine machine(options);
  alignas(64) static char own[256];
  EXPECT_TRUE(machine.allocations.lock(own, 128));
  EXPECT_TRUE(machine.allocations.lock(own + 64, 128));
  EXPECT_TRUE(machine.allocations.unlock(own));
  EXPECT_FALSE(machine.allocations.unlock(own));
  EXPECT_FALSE(machine.allocations.find(own));
  auto found = machine.allocations.find(own + 64);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, MemoryKind::locked_host);
  EXPECT_TRUE(machine.memory.find(reinterpret_cast<uint64_t>(own) + 100));
}

TEST(Allocations, CopyAndFillStayInside) {
  Options options;
  Machine machine(options);
  char *memory = static_cast<char *>(machine.allocations.allocate(
      4096, MemoryKind::device, NO_LIMIT, nullptr));
  ASSERT_TRUE(memory);
  char text[] = "text";
  EXPECT_TRUE(machine.allocations.copy(memory, text, sizeof(text)));
  EXPECT_STREQ(memory, "text");
  EXPECT_FALSE(machine.allocations.copy(memory + 4095, text, 2));
  EXPECT_TRUE(machine.allocations.fill(memory, 0x01010101, 1024));
  EXPECT_EQ(memory[4095], 1);
  EXPECT_FALSE(machine.allocations.fill(memory, 0, 1025));
  EXPECT_FALSE(machine.allocations.fill(memory + 1, 0, 1));
}

TEST(Allocations, WhatTheHostWritesIsDefined) {
  Options options;
  options.check_uninitialized = true;
  Machine machine(options);
  char *memory = static_cast<char *>(
      machine.allocations.allocate(64, MemoryKind::device, NO_LIMIT, nullptr));
  ASSERT_TRUE(memory);
  const Region *region = machine.memory.find(uint64_t(memory));
  ASSERT_TRUE(region && region->shadow);
  EXPECT_EQ(region->shadow[0], 0); // undefined
  EXPECT_TRUE(machine.allocations.copy(memory, "ab", 2));
  machine.allocations.written(memory + 2, 1);
  EXPECT_EQ(region->shadow[1], 0xff);
  EXPECT_EQ(region->shadow[2], 0xff);
  EXPECT_EQ(region->shadow[3], 0);
}

TEST(KernelStatistics, SumTheLaunchesOfAKernel) {
  Options options;
  Machine machine(options);
  for (int i = 0; i < 2; ++i) {
    ToyRun run(
        [](ToyWave &wave) {
          wave.counts.instructions[0] = 5;
          wave.counts.lane_instructions = 320;
          wave.inexact = {"sine"};
          return Stop::ended;
        },
        64, 3);
    run.launch->dispatch.count = true;
    ASSERT_TRUE(run.run(machine.scheduler()));
    machine.statistics.add(*run.launch);
  }
  EXPECT_THAT(machine.statistics.text(/*json=*/false),
              HasSubstr("kernel toy: 2 launches, 384 threads, "));
  EXPECT_THAT(machine.statistics.text(/*json=*/true),
              HasSubstr("\"instructions\": 30"));
  EXPECT_THAT(machine.statistics.text(/*json=*/true),
              HasSubstr("\"lane_instructions\": 1920"));
  EXPECT_THAT(machine.statistics.text(/*json=*/true),
              HasSubstr("\"approximate_instructions\": [\n        \"sine\""));
  EXPECT_THAT(machine.statistics.text(/*json=*/false),
              HasSubstr("fidelity                   approximate: sine\n"));
}

TEST(KernelStatistics, NameKernelsOfCppReadably) {
  Options options;
  Machine machine(options);
  ToyRun run([](ToyWave &) { return Stop::ended; }, 64, 1);
  static_cast<ToyKernel &>(*run.launch->kernel).kernel_name = "_Z3addPii";
  ASSERT_TRUE(run.run(machine.scheduler()));
  machine.statistics.add(*run.launch);
  EXPECT_THAT(machine.statistics.text(/*json=*/false),
              HasSubstr("kernel add(int*, int): 1 launch, "));
  EXPECT_THAT(machine.statistics.text(/*json=*/true),
              AllOf(HasSubstr("\"kernel\": \"_Z3addPii\""),
                    HasSubstr("\"demangled\": \"add(int*, int)\"")));
}

TEST(FaultReports, NameKernelsOfCppReadably) {
  WaveSite site;
  site.kernel = "_Z3addPii";
  EXPECT_THAT(describe(site), StartsWith("kernel add(int*, int), block "));
}

TEST(FaultReports, KeepTheLastAndMakeItPrintable) {
  FaultReports reports;
  EXPECT_FALSE(reports.last());
  reports.add("first\n");
  const char *first = reports.last();
  for (int i = 0; i < 15; ++i)
    reports.add("line one\nline \033[2J two\n");
  EXPECT_STREQ(first, "first\n"); // still in place
  EXPECT_THAT(reports.last(), HasSubstr("line one\n"));
  EXPECT_THAT(reports.last(), Not(HasSubstr("\033")));
}

TEST(FaultReports, PrintWhenTheEnvironmentAsksForIt) {
  testing::internal::CaptureStderr();
  FaultReports().add("silent\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  setenv("GPUEXEC_EMULATOR_REPORTS", "stderr", 1);
  testing::internal::CaptureStderr();
  FaultReports().add("spoken\n");
  unsetenv("GPUEXEC_EMULATOR_REPORTS");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "spoken\n");
}

TEST(Machine, TellsWhereWavesAre) {
  Options options;
  Machine machine(options);
  EXPECT_EQ(machine.where(), "");
  std::atomic<bool> go_on{true};
  ToyRun run([&](ToyWave &) { return go_on ? Stop::budget : Stop::ended; }, 64,
             40);
  machine.scheduler().launch(run.launch);
  std::string where; // nothing until a thread has taken the first block
  while ((where = machine.where()).empty())
    std::this_thread::yield();
  EXPECT_THAT(where, HasSubstr("kernel toy, block ("));
  go_on = false;
  EXPECT_TRUE(run.wait());
}
