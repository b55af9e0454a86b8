//===-- loader/tests/supervisor_test.cpp - Waiting for the end ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/supervisor.h"
#include "support/failure.h"
#include <csignal>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace gpuexec;

namespace {

using Clock = Supervisor::Clock;

Supervisor create(int signal_fd = -1) {
  llvm::Expected<Supervisor> made = Supervisor::create(signal_fd);
  EXPECT_TRUE(bool(made));
  return std::move(*made);
}

void start(Supervisor &supervisor, std::function<void()> work) {
  EXPECT_FALSE(llvm::errorToBool(supervisor.start(std::move(work))));
}

/// How many descriptors the process has open.
int descriptors() {
  int open = 0;
  for (int fd = 0; fd < 256; ++fd)
    open += ::lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF;
  return open;
}

TEST(Supervisor, TellsOfTheWorksEndAfterWhatItPosted) {
  Supervisor supervisor = create();
  start(supervisor, supervisor.notifier(Event::confined));
  EXPECT_EQ(supervisor.wait(std::nullopt), Event::confined);
  EXPECT_EQ(supervisor.wait(std::nullopt), Event::finished);
  supervisor.join();
}

TEST(Supervisor, TellsOfASignalOnce) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Supervisor supervisor = create(ends[0]);
  std::promise<void> go;
  start(supervisor, [&go] { go.get_future().wait(); });
  int number = SIGINT;
  ASSERT_EQ(::write(ends[1], &number, sizeof(number)), ssize_t(sizeof(number)));
  EXPECT_EQ(supervisor.wait(std::nullopt), Event::signal);
  EXPECT_EQ(supervisor.signal(), SIGINT);
  EXPECT_EQ(supervisor.wait(Clock::now() + std::chrono::milliseconds(20)),
            Event::timed_out);
  go.set_value();
  EXPECT_EQ(supervisor.wait(std::nullopt), Event::finished);
  supervisor.join();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Supervisor, TellsOfEachQuestion) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Supervisor supervisor = create(ends[0]);
  const int numbers[] = {SIGQUIT, SIGQUIT, SIGTERM};
  ASSERT_EQ(::write(ends[1], numbers, sizeof(numbers)),
            ssize_t(sizeof(numbers)));
  EXPECT_EQ(supervisor.wait(std::nullopt), Event::asked);
  EXPECT_EQ(supervisor.wait(std::nullopt), Event::asked);
  EXPECT_EQ(supervisor.wait(std::nullopt), Event::signal);
  EXPECT_EQ(supervisor.signal(), SIGTERM);
  ::close(ends[0]);
  ::close(ends[1]);
}

/// The pipe's descriptors belong to the stuck thread then, and to nobody else:
/// what it says at last goes to no file that was opened meanwhile.
TEST(Supervisor, StuckWorkOutlivesIt) {
  int before = descriptors();
  auto go = std::make_shared<std::promise<void>>();
  {
    Supervisor supervisor = create();
    start(supervisor, [go, told = supervisor.notifier(Event::confined)] {
      go->get_future().wait();
      told();
    });
    EXPECT_EQ(supervisor.wait(Clock::now()), Event::timed_out);
  }
  EXPECT_EQ(descriptors(), before + 2);
  go->set_value();
  for (int i = 0; i < 10000 && descriptors() != before; ++i)
    ::usleep(1000);
  EXPECT_EQ(descriptors(), before);
}

TEST(Supervisor, SaysThatThereAreNoDescriptors) {
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &old), 0);
  rlimit none = old;
  none.rlim_cur = 1;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  llvm::Expected<Supervisor> made = Supervisor::create(-1);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &old), 0);
  ASSERT_FALSE(bool(made));
  llvm::handleAllErrors(made.takeError(), [](const Failure &failure) {
    EXPECT_EQ(failure.reason(), Reason::failed);
    EXPECT_EQ(failure.message(), "cannot create a pipe: Too many open files");
  });
}

} // namespace
