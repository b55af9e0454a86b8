// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is told of kernels: their faults and their statistics.
#include "emulator/hsa/tests/hsa_test.h"

using testing::HasSubstr;

static unsigned line_of(const char *mark) {
  std::ifstream file(TEST_KERNELS_SOURCE);
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number)
    if (line.find(std::string("// ") + mark) != std::string::npos)
      return number;
  return 0;
}

TEST_F(HsaKernels, AFaultSaysEverything) {
  load_kernels();
  struct Seen {
    int count = 0;
    uint64_t address = 0;
  };
  static Seen seen;
  seen = {};
  ASSERT_HSA(hsa_amd_register_system_event_handler(
      [](const hsa_amd_event_t *event, void *) {
        EXPECT_EQ(event->event_type, HSA_AMD_GPU_MEMORY_FAULT_EVENT);
        ++seen.count;
        seen.address = event->memory_fault.virtual_address;
        return HSA_STATUS_SUCCESS;
      },
      nullptr));
  int *memory = allocate<int>(coarse, 10);
  EXPECT_EQ(run("store", 64, 4, {bits(memory + 12), 130}), 1);
  for (int i = 0; i < 1000 && failures().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_THAT(failures(), testing::ElementsAre(HSA_STATUS_ERROR_MEMORY_FAULT));
  EXPECT_EQ(seen.count, 1);
  EXPECT_EQ(seen.address, bits(memory + 12));
  std::string where = "kernels.c:" + std::to_string(line_of("fault_line"));
  EXPECT_THAT(report(),
              testing::AllOf(HasSubstr("write of 4 bytes: unmapped memory"),
                             HasSubstr("8 bytes past the end of allocation"),
                             HasSubstr("(40 bytes of device memory"),
                             HasSubstr("kernel store, block (2,0,0), wave 0, "
                                       "thread (2,0,0)"),
                             HasSubstr("_store_dword"), HasSubstr("store_deep"),
                             HasSubstr(where)));
}

TEST_F(HsaKernels, FaultsOfAllKinds) {
  load_kernels();
  int *freed = allocate<int>(coarse, 1024);
  ASSERT_HSA(hsa_amd_memory_pool_free(freed));
  hsa_amd_register_system_event_handler(
      [](const hsa_amd_event_t *, void *) { return HSA_STATUS_SUCCESS; },
      nullptr);
  auto expect = [&](const char *kernel, std::vector<uint64_t> arguments,
                    int status, const char *text) {
    EXPECT_EQ(run(kernel, 64, 1, std::move(arguments)), 1);
    for (int i = 0; i < 1000 && failures().empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_THAT(failures(), testing::ElementsAre(hsa_status_t(status)));
    EXPECT_THAT(report(), HasSubstr(text));
    errors.clear();
    ASSERT_HSA(hsa_queue_destroy(queue));
    make_queue();
  };
  expect("store", {bits(freed + 5), 0}, HSA_STATUS_ERROR_MEMORY_FAULT,
         "it was byte 20 of allocation");
  expect("store", {0, 3}, HSA_STATUS_ERROR_MEMORY_FAULT, "null page");
  expect("store", {bits(this), 3}, HSA_STATUS_ERROR_MEMORY_FAULT, "unmapped");
  uint64_t descriptor =
      info<uint64_t>("store.kd", HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
  expect("store", {descriptor, 3}, HSA_STATUS_ERROR_MEMORY_FAULT,
         "write to read-only memory");
  expect("trap", {}, HSA_STATUS_ERROR_EXCEPTION, "trap");
  // The next queue works.
  uint32_t *data = allocate<uint32_t>(fine, 64);
  EXPECT_EQ(run("fill", 64, 1, {bits(data), 1}), 0);
}

TEST_F(HsaKernels, WhatDependsOnNeverWrittenMemoryIsToldWhenAsked) {
  ASSERT_EQ(gpuexec_emulator_set_option("check", "uninit"),
            GPUEXEC_EMULATOR_DONE);
  load_kernels();
  hsa_amd_register_system_event_handler(
      [](const hsa_amd_event_t *, void *) { return HSA_STATUS_SUCCESS; },
      nullptr);
  uint32_t *data = allocate<uint32_t>(coarse, 128);
  uint32_t *out = allocate<uint32_t>(fine);
  EXPECT_EQ(run("fill", 64, 1, {bits(data), 1}), 0);
  EXPECT_EQ(run("sum", 1, 1, {bits(data), 64, bits(out)}), 0);
  EXPECT_EQ(*out, 64u * 65 / 2);
  std::vector<uint32_t> host(16, 1);
  ASSERT_HSA(hsa_memory_copy(data + 64, host.data(), 64));
  EXPECT_EQ(run("sum", 1, 1, {bits(data), 80, bits(out)}), 0);
  EXPECT_EQ(run("sum", 1, 1, {bits(data), 81, bits(out)}), 1);
  EXPECT_THAT(report(),
              HasSubstr("use of an undefined value: it is handed to the host"));
  EXPECT_EQ(gpuexec_emulator_set_option("check", "none"),
            GPUEXEC_EMULATOR_DONE);
}

TEST_F(HsaKernels, CountsWhatRan) {
  ASSERT_EQ(gpuexec_emulator_set_option("stats", "on"), GPUEXEC_EMULATOR_DONE);
  load_kernels();
  uint32_t *data = allocate<uint32_t>(coarse, 6400);
  EXPECT_EQ(run("fill", 64, 100, {bits(data), 1}), 0);
  EXPECT_EQ(run("reverse", 128, 50, {bits(data)}), 0);
  std::string text(gpuexec_emulator_stats(nullptr, 0, 1) + 1, 0);
  gpuexec_emulator_stats(text.data(), text.size(), 1);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("\"kernel\": \"fill\""),
                                   HasSubstr("\"threads\": 6400"),
                                   HasSubstr("\"bytes_written\": 25600"),
                                   HasSubstr("\"active_lane_ratio\": 1"),
                                   HasSubstr("\"barriers\": 100")));
  EXPECT_EQ(gpuexec_emulator_set_option("stats", "off"), GPUEXEC_EMULATOR_DONE);
}
