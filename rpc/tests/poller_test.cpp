//===-- rpc/tests/poller_test.cpp - Many waits at once --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/poller.h"
#include <atomic>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <thread>

using namespace gpuexec;
using namespace gpuexec::rpc;
using namespace std::chrono_literals;

namespace {

/// While it lives, poll() takes at most `most` entries.
class FewFiles {
public:
  explicit FewFiles(rlim_t most) {
    getrlimit(RLIMIT_NOFILE, &before);
    rlimit few = {most, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewFiles() { setrlimit(RLIMIT_NOFILE, &before); }

private:
  rlimit before;
};

class PollerTest : public testing::Test {
protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    read_end = UniqueFd(ends[0]), write_end = UniqueFd(ends[1]);
  }
  bool wait_for(unsigned count) {
    for (int i = 0; i < 5000 && reports < count; ++i)
      std::this_thread::sleep_for(1ms);
    return reports >= count;
  }
  static Poller::Clock::time_point in(std::chrono::milliseconds time) {
    return Poller::Clock::now() + time;
  }

  UniqueFd read_end, write_end;
  std::atomic<unsigned> reports{0};
  Poller poller{[this](void *) { ++reports; }};
  static constexpr auto NEVER = Poller::Clock::time_point::max();
};

} // namespace

TEST_F(PollerTest, ManySleepersEndInTime) {
  FewFiles few(64);
  for (int i = 0; i < 100; ++i)
    poller.add(-1, 0, in(20ms), nullptr);
  EXPECT_TRUE(wait_for(100)) << reports << " of 100";
}

TEST_F(PollerTest, ManyWaitForOneFile) {
  FewFiles few(64);
  for (int i = 0; i < 100; ++i)
    poller.add(read_end.get(), POLLIN, NEVER, nullptr);
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(reports, 0u);
  ASSERT_EQ(write(write_end.get(), "x", 1), 1);
  EXPECT_TRUE(wait_for(100)) << reports << " of 100";
}

TEST_F(PollerTest, OneFileMayBeAwaitedForDifferentEvents) {
  poller.add(write_end.get(), POLLIN, NEVER, nullptr); // never
  poller.add(write_end.get(), POLLOUT, NEVER, nullptr);
  EXPECT_TRUE(wait_for(1));
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(reports, 1u);
}

// The limit may be lowered while more files are open.
TEST_F(PollerTest, FilesThatPollRefusesAreReported) {
  std::vector<UniqueFd> files;
  for (int i = 0; i < 32; ++i)
    files.emplace_back(fcntl(read_end.get(), F_DUPFD_CLOEXEC, 0));
  poller.add(-1, 0, in(1ms), nullptr); // starts the thread
  ASSERT_TRUE(wait_for(1));
  FewFiles few(16);
  poller.add(-1, 0, in(20ms), nullptr);
  for (const UniqueFd &file : files)
    poller.add(file.get(), POLLIN, NEVER, nullptr);
  EXPECT_TRUE(wait_for(18)) << reports << " of 18 or more";
}
