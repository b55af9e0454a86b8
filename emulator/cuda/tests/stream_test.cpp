//===-- emulator/cuda/tests/stream_test.cpp - Order of a stream's work ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/context.h"
#include "gtest/gtest.h"

using namespace gpuexec::cuda;

namespace {

/// A context of a device that is never used.
struct StreamTest : testing::Test {
  std::shared_ptr<Stream> stream(unsigned flags) {
    return context.make_stream(flags, 0);
  }
  /// Work that waits until the gate is opened.
  Stream::Work gate() {
    return [this](Dispatcher &) {
      while (!open)
        sched_yield();
      return CUDA_SUCCESS;
    };
  }
  /// Work that says a number.
  Stream::Work say(int number) {
    return [this, number](Dispatcher &) {
      std::lock_guard guard(mutex);
      said.push_back(number);
      return CUDA_SUCCESS;
    };
  }
  ~StreamTest() override { open = true; }

  Hsa hsa{};
  Memory memory{hsa};
  std::atomic<bool> open{false};
  std::mutex mutex;
  std::vector<int> said;
  Context context{hsa, memory, 0, 1};
};

TEST_F(StreamTest, DoesItsWorkInOrder) {
  auto one = stream(0);
  for (int i = 0; i < 100; ++i)
    context.submit(*one, say(i));
  one->wait();
  ASSERT_EQ(said.size(), 100U);
  EXPECT_TRUE(std::is_sorted(said.begin(), said.end()));
}

TEST_F(StreamTest, StreamsOverlap) {
  auto waits = stream(0), runs = stream(0);
  const uint64_t number = context.submit(*waits, gate());
  context.submit(*runs, say(1));
  runs->wait();
  EXPECT_FALSE(waits->reached(number));
  open = true;
  waits->wait();
}

TEST_F(StreamTest, TheLegacyStreamWaitsForBlockingOnes) {
  auto blocking = stream(0), free = stream(CU_STREAM_NON_BLOCKING);
  context.submit(*blocking, gate());
  const uint64_t legacy = context.submit(*context.legacy(), say(1));
  context.submit(*free, say(2));
  free->wait();
  EXPECT_FALSE(context.legacy()->reached(legacy));
  open = true;
  context.legacy()->wait();
  EXPECT_EQ(said, (std::vector{2, 1}));
}

TEST_F(StreamTest, BlockingStreamsWaitForTheLegacyOne) {
  auto blocking = stream(0);
  context.submit(*context.legacy(), gate());
  const uint64_t number = context.submit(*blocking, say(1));
  EXPECT_FALSE(blocking->reached(number));
  open = true;
  blocking->wait();
}

TEST_F(StreamTest, TheFirstErrorStaysAndEndsLaterWork) {
  auto one = stream(0);
  EXPECT_EQ(context.run(
                *one, [](Dispatcher &) { return CUDA_ERROR_ILLEGAL_ADDRESS; }),
            CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(context.run(*one, say(1)), CUDA_ERROR_ILLEGAL_ADDRESS);
  context.submit(*one, say(2), {}, Stream::When::always);
  EXPECT_EQ(context.synchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(said, std::vector{2});
}

} // namespace
