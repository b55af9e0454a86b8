//===-- loader/tests/job_compiler_test.cpp - Jobs and the JIT's thread ----===//
// A job may end while the emulator's compiler works for it. The thread goes on
// without the job's memory and ends by itself.
#include "loader/job/job.h"
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

using namespace gpuexec;

namespace {

size_t threads() {
  std::filesystem::directory_iterator entries("/proc/self/task"), end;
  return size_t(std::distance(entries, end));
}

void run_hot_job() {
  Job job;
  job.image = TEST_IMAGES "/job";
  llvm::Expected<DeviceRequest> device = DeviceRequest::parse("emulator");
  ASSERT_TRUE(bool(device));
  job.device = *device;
  job.arguments = {"c"};
  const Result result = run(std::move(job));
  EXPECT_EQ(result.kind, Result::Kind::exited) << result.message;
  EXPECT_EQ(result.value, 2);
}

TEST(JobCompiler, JobsEndWhileItCompiles) {
  std::thread([] {
  }).join(); // a sanitizer may start a thread of its own with it
  const size_t before = threads();
  size_t most = before;
  for (int turn = 0; turn < 8; ++turn) {
    run_hot_job();
    most = std::max(most, threads());
  }
  EXPECT_GT(most, before) << "no job ended during a compilation";
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (threads() > before && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(threads(), before) << "a compiling thread did not end";
}

} // namespace
