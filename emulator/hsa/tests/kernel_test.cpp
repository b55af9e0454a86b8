// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues: packets and what they start, with kernels compiled for gfx942.
#include "emulator/hsa/tests/hsa_test.h"

#include <chrono>
#include <thread>

using testing::HasSubstr;

TEST_F(HsaKernels, RunsAGrid) {
  load_kernels();
  constexpr uint32_t THREADS = 200, BLOCKS = 50;
  uint32_t *data = allocate<uint32_t>(coarse, THREADS * BLOCKS);
  EXPECT_EQ(run("fill", THREADS, BLOCKS, {bits(data), 1000}), 0);
  for (uint32_t i = 0; i < THREADS * BLOCKS; ++i)
    ASSERT_EQ(data[i], 1000 + i);
  EXPECT_TRUE(failures().empty());
}

TEST_F(HsaKernels, BarriersAndTheGroupSegment) {
  load_kernels();
  constexpr uint32_t THREADS = 256, BLOCKS = 20;
  uint32_t *data = allocate<uint32_t>(coarse, THREADS * BLOCKS);
  for (uint32_t i = 0; i < THREADS * BLOCKS; ++i)
    data[i] = i;
  EXPECT_EQ(run("reverse", THREADS, BLOCKS, {bits(data)}), 0);
  for (uint32_t i = 0; i < THREADS * BLOCKS; ++i)
    ASSERT_EQ(data[i], i / THREADS * THREADS + (THREADS - 1 - i % THREADS));
}

TEST_F(HsaKernels, AMillionBlocks) {
  load_kernels();
  uint64_t *count = allocate<uint64_t>(coarse);
  EXPECT_EQ(run("count_up", 1, 1'000'000, {bits(count)}), 0);
  EXPECT_EQ(*count, 1'000'000u);
}

// Every block waits for one with a higher number, in a loop without a pause.
TEST_F(HsaKernels, BlocksWaitForLaterBlocks) {
  load_kernels();
  uint32_t *turn = allocate<uint32_t>(fine);
  *turn = 100;
  EXPECT_EQ(run("chain", 1, 100, {bits(turn)}), 0);
  EXPECT_EQ(*turn, 0u);
}

TEST_F(HsaKernels, KernelAndHostWaitForEachOther) {
  load_kernels();
  auto *flag = allocate<uint32_t>(fine, 2);
  hsa_signal_t done;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  submit(packet("wait_for_host", 64, 3, {bits(flag)}, done),
         HSA_PACKET_TYPE_KERNEL_DISPATCH);
  while (__atomic_load_n(&flag[1], __ATOMIC_SEQ_CST) != 3 * 64)
    std::this_thread::yield();
  // Where are they? In the kernel's loop.
  std::string text(gpuexec_emulator_where(nullptr, 0) + 1, 0);
  gpuexec_emulator_where(text.data(), text.size());
  EXPECT_THAT(text, HasSubstr("kernel wait_for_host, block ("));
  EXPECT_THAT(text, HasSubstr("in wait_for_host"));
  EXPECT_THAT(text, HasSubstr("kernels.c:"));
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1);
  __atomic_store_n(&flag[0], 1, __ATOMIC_SEQ_CST);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  hsa_signal_destroy(done);
}

TEST_F(HsaKernels, BarrierPacketsWaitForTheirSignals) {
  load_kernels();
  hsa_signal_t gates[2], done;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &gates[0]));
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &gates[1]));
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  uint32_t *data = allocate<uint32_t>(fine, 64);
  hsa_barrier_and_packet_t barrier = {};
  barrier.dep_signal[0] = gates[0];
  barrier.dep_signal[3] = gates[1];
  submit(barrier, HSA_PACKET_TYPE_BARRIER_AND);
  submit(packet("fill", 64, 1, {bits(data), 5}, done),
         HSA_PACKET_TYPE_KERNEL_DISPATCH);
  hsa_signal_store_relaxed(gates[1], 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1);
  hsa_signal_store_relaxed(gates[0], 0);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  EXPECT_EQ(data[63], 68u);
  // OR: one is enough.
  hsa_signal_store_relaxed(gates[0], 1);
  hsa_signal_store_relaxed(gates[1], 1);
  hsa_signal_store_relaxed(done, 1);
  hsa_barrier_or_packet_t either = {};
  either.dep_signal[0] = gates[0];
  either.dep_signal[1] = gates[1];
  either.completion_signal = done;
  submit(either, HSA_PACKET_TYPE_BARRIER_OR);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1);
  hsa_signal_store_relaxed(gates[1], 0);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  hsa_signal_destroy(gates[0]);
  hsa_signal_destroy(gates[1]);
  hsa_signal_destroy(done);
}

TEST_F(HsaKernels, TheQueueWrapsAndKeepsOrder) {
  load_kernels();
  uint32_t *data = allocate<uint32_t>(fine, 64);
  hsa_signal_t done;
  constexpr int PACKETS = 300; // of 64 slots
  ASSERT_HSA(hsa_signal_create(PACKETS, 0, nullptr, &done));
  for (int i = 0; i < PACKETS; ++i)
    submit(packet("fill", 64, 1, {bits(data), uint64_t(i)}, done),
           HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  EXPECT_EQ(data[0], uint32_t(PACKETS - 1)); // barrier bits: the last one won
  EXPECT_EQ(hsa_queue_load_read_index_scacquire(queue), uint64_t(PACKETS));
  hsa_signal_destroy(done);
}

TEST_F(HsaKernels, BadPacketsAreErrors) {
  load_kernels();
  auto good = packet("fill", 64, 1, {0, 0}, {0});
  auto expect = [&](auto body, hsa_packet_type_t type, hsa_status_t status,
                    const char *why) {
    submit(body, type);
    for (int i = 0; i < 1000 && failures().empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_THAT(failures(), testing::ElementsAre(status)) << why;
    EXPECT_THAT(report(), HasSubstr(why));
    errors.clear();
    ASSERT_HSA(hsa_queue_destroy(queue));
    make_queue();
  };
  auto bad = good;
  bad.kernel_object = bits(this);
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "kernel object is no kernel");
  bad = good;
  bad.workgroup_size_x = 2000;
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_INVALID_ARGUMENT, "a block of 2000 threads");
  bad = good;
  bad.grid_size_x = 0;
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_INVALID_ARGUMENT, "a grid or block size is zero");
  bad = good;
  bad.setup = 0;
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "no dimensions");
  bad = good;
  bad.group_segment_size = 65537;
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_OUT_OF_RESOURCES, "65537 bytes of group segment");
  expect(good, hsa_packet_type_t(9), HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
         "unknown packet type 9");
}

TEST_F(HsaKernels, EndlessKernelsEndWithTheirQueue) {
  load_kernels();
  hsa_signal_t done;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  submit(packet("endless", 64, 100, {}, done), HSA_PACKET_TYPE_KERNEL_DISPATCH);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_HSA(hsa_queue_destroy(queue));
  queue = nullptr;
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1); // it did not complete
  hsa_signal_destroy(done);
}

TEST_F(HsaKernels, ShutDownEndsWhatRuns) {
  load_kernels();
  submit(packet("endless", 64, 100, {}, {0}), HSA_PACKET_TYPE_KERNEL_DISPATCH);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  queue = nullptr; // TearDown shuts down with all of it open
  executable = {0};
}

// A process may end with a kernel running, from any thread.
TEST_F(HsaKernels, ExitWhileAKernelRuns) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto begin = [&] {
    load_kernels();
    submit(packet("endless", 64, 100, {}, {0}),
           HSA_PACKET_TYPE_KERNEL_DISPATCH);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  EXPECT_EXIT(
      {
        begin();
        exit(7);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        begin();
        std::thread([] { exit(8); }).join();
      },
      testing::ExitedWithCode(8), "");
}
