// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code writes, or a packet names, is never believed: queues and the
// signals of cautious clients can only be read by it, everything else is looked
// up.
#include "emulator/hsa/tests/hsa_test.h"

#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>

using testing::HasSubstr;

namespace {

class HsaForged : public HsaKernels {
protected:
  void SetUp() override {
    HsaKernels::SetUp();
    hsa_amd_register_system_event_handler(
        [](const hsa_amd_event_t *, void *) { return HSA_STATUS_SUCCESS; },
        nullptr);
    load_kernels();
  }
  void TearDown() override {
    EXPECT_EQ(gpuexec_emulator_set_option("signals", "any"),
              GPUEXEC_EMULATOR_DONE);
    HsaKernels::TearDown();
  }
  void expect_failure(hsa_status_t status, const char *text) {
    for (int i = 0; i < 1000 && failures().empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_THAT(failures(), testing::ElementsAre(status)) << text;
    EXPECT_THAT(report(), HasSubstr(text));
    errors.clear();
    ASSERT_HSA(hsa_queue_destroy(queue));
    make_queue();
  }
  /// A kernel writes to `address`, and that is a fault.
  void expect_read_only(uint64_t address, const char *what) {
    EXPECT_EQ(run("store", 64, 1, {address, 3}), 1) << what;
    EXPECT_THAT(report(), HasSubstr(what));
    uint32_t after;
    memcpy(&after, reinterpret_cast<void *>(address), 4);
    EXPECT_NE(after, 7u) << what; // what the kernel stores
    expect_failure(hsa_status_t(HSA_STATUS_ERROR_MEMORY_FAULT),
                   "write to read-only memory");
  }
};

} // namespace

TEST_F(HsaForged, AQueueIsReadOnlyForTheDevice) {
  for (size_t offset : {offsetof(amd_queue_t, hsa_queue.base_address),
                        offsetof(amd_queue_t, hsa_queue.size),
                        offsetof(amd_queue_t, write_dispatch_id),
                        offsetof(amd_queue_t, read_dispatch_id),
                        offsetof(amd_queue_t, queue_inactive_signal)})
    expect_read_only(bits(queue) + offset, "queue)");
  expect_read_only(bits(queue->base_address) + 64 * 5, "queue)");
}

TEST_F(HsaForged, ADoorbellIsReadOnlyForTheDevice) {
  expect_read_only(queue->doorbell_signal.handle +
                       offsetof(amd_signal_t, value),
                   "signals)");
  auto *state = reinterpret_cast<amd_queue_t *>(queue);
  expect_read_only(state->queue_inactive_signal.handle +
                       offsetof(amd_signal_t, value),
                   "signals)");
}

TEST_F(HsaForged, SignalsAreTheDevicesUnlessTheClientSaysOtherwise) {
  hsa_signal_t shared, own;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &shared));
  ASSERT_EQ(gpuexec_emulator_set_option("signals", "host"),
            GPUEXEC_EMULATOR_DONE);
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &own));
  EXPECT_EQ(
      run("store", 64, 1, {shared.handle + offsetof(amd_signal_t, value), 3}),
      0);
  EXPECT_EQ(hsa_signal_load_relaxed(shared), 7);
  expect_read_only(own.handle + offsetof(amd_signal_t, value), "signals)");
  EXPECT_EQ(hsa_signal_load_relaxed(own), 1);
  EXPECT_HSA(hsa_signal_destroy(shared));
  EXPECT_HSA(hsa_signal_destroy(own));
  EXPECT_EQ(hsa_signal_destroy(own), HSA_STATUS_ERROR_INVALID_SIGNAL);
}

// The structure that a client sees is a copy: nothing is read back from it.
TEST_F(HsaForged, AQueueDoesNotReadWhatItPublished) {
  auto *state = reinterpret_cast<amd_queue_t *>(queue);
  void *ring = queue->base_address;
  hsa_signal_t doorbell = queue->doorbell_signal;
  uint32_t *data = allocate<uint32_t>(fine, 64);
  hsa_signal_t done;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  hsa_kernel_dispatch_packet_t first =
      packet("fill", 64, 1, {bits(data), 5}, done);
  state->queue_inactive_signal = {0x4141414141414100};
  state->read_dispatch_id = 0x7fffffff0;
  queue->size = 0;
  queue->base_address = reinterpret_cast<void *>(0x414141410000);
  queue->doorbell_signal = {0x4242424242424240};
  char *slot = static_cast<char *>(ring);
  memcpy(slot + 4, reinterpret_cast<char *>(&first) + 4, 60);
  __atomic_store_n(reinterpret_cast<uint32_t *>(slot),
                   uint32_t(HSA_PACKET_TYPE_KERNEL_DISPATCH) | 1u << 16,
                   __ATOMIC_RELEASE);
  state->write_dispatch_id = 1;
  hsa_signal_store_screlease(doorbell, 0);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  EXPECT_EQ(data[63], 68u);
  EXPECT_EQ(state->read_dispatch_id, 1u);
  // An error is told, through the signal that the queue was made with.
  first.setup = 0;
  memcpy(slot + 68, reinterpret_cast<char *>(&first) + 4, 60);
  __atomic_store_n(reinterpret_cast<uint32_t *>(slot + 64),
                   uint32_t(HSA_PACKET_TYPE_KERNEL_DISPATCH), __ATOMIC_RELEASE);
  state->write_dispatch_id = 2;
  hsa_signal_store_screlease(doorbell, 1);
  expect_failure(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "no dimensions");
  EXPECT_HSA(hsa_signal_destroy(done));
}

TEST_F(HsaForged, WhatAPacketNamesMustExist) {
  auto good = packet("fill", 64, 1, {0, 0}, {0});
  auto bad = good;
  for (uint64_t handle : {uint64_t(64), uint64_t(0x4141414141414100),
                          queue->doorbell_signal.handle + 1}) {
    bad.completion_signal = {handle};
    submit(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH);
    expect_failure(HSA_STATUS_ERROR_INVALID_SIGNAL,
                   "its completion signal is none");
  }
  hsa_barrier_and_packet_t barrier = {};
  barrier.completion_signal = queue->doorbell_signal; // no end of a packet
  submit(barrier, HSA_PACKET_TYPE_BARRIER_AND);
  expect_failure(HSA_STATUS_ERROR_INVALID_SIGNAL,
                 "its completion signal is none");
  bad = good;
  uint64_t end = bits(good.kernarg_address) + 4096;
  for (uint64_t address : {uint64_t(16), bits(this), end - 8, UINT64_MAX - 7}) {
    bad.kernarg_address = reinterpret_cast<void *>(address);
    submit(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH);
    expect_failure(HSA_STATUS_ERROR_INVALID_ARGUMENT,
                   "bytes of kernel arguments are not in memory");
  }
  bad = good;
  bad.private_segment_size = UINT32_MAX;
  submit(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  expect_failure(HSA_STATUS_ERROR_OUT_OF_RESOURCES,
                 "4294967295 bytes of private segment per thread, at most");
}
