//===-- support/tests/child_process_test.cpp - Children of ours -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a child has and has not. Each child says so with its exit status.
//===----------------------------------------------------------------------===//
#include "support/child_process.h"
#include "support/descriptor.h"
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace gpuexec;

namespace {

/// The exit status of a child that does `work`, or -1.
int run(const ChildSettings &settings, const std::function<int()> &work) {
  const pid_t child = fork_child(settings);
  if (child == 0)
    ::_exit(work());
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

bool is_same_file(int fd, const struct stat &file) {
  struct stat found {};
  return ::fstat(fd, &found) == 0 && found.st_ino == file.st_ino &&
         found.st_dev == file.st_dev;
}

TEST(ChildProcess, DescriptorsThatChangePlacesAreNotLost) {
  Pipe first, second;
  ASSERT_TRUE(first.make() && second.make());
  const int one = first.read.get(), other = second.read.get();
  struct stat one_file {
  }, other_file{};
  ASSERT_EQ(::fstat(one, &one_file), 0);
  ASSERT_EQ(::fstat(other, &other_file), 0);
  const ChildDescriptor places[] = {{one, other}, {other, one}, {-1, 0}};
  ChildSettings settings;
  settings.descriptors = places;
  EXPECT_EQ(run(settings,
                [&] {
                  return is_same_file(one, other_file) &&
                                 is_same_file(other, one_file)
                             ? 7
                             : 1;
                }),
            7);
}

TEST(ChildProcess, NothingElseIsOpenAndItStaysOpenAcrossExec) {
  UniqueFd high(::fcntl(0, F_DUPFD_CLOEXEC, 200)), file(::open("/dev/null", 0));
  ASSERT_TRUE(high && file);
  const ChildDescriptor places[] = {{file.get(), 9}};
  ChildSettings settings;
  settings.descriptors = places;
  EXPECT_EQ(run(settings,
                [&] {
                  for (int fd = 0; fd < 300; ++fd)
                    if (is_open(fd) != (fd == 9))
                      return 1 + fd % 100;
                  return ::fcntl(9, F_GETFD) & FD_CLOEXEC ? 120 : 0;
                }),
            0);
  settings.closes_others = false;
  EXPECT_EQ(
      run(settings, [&] { return is_open(9) && is_open(high.get()) ? 0 : 1; }),
      0);
}

TEST(ChildProcess, SignalsAndSessionAreAsAsked) {
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  ::signal(SIGUSR2, SIG_IGN);
  const int defaults[] = {SIGUSR2}, ignored[] = {SIGUSR1};
  ChildSettings settings;
  settings.closes_others = false;
  settings.leaves_session = true;
  settings.default_signals = defaults;
  settings.ignored_signals = ignored;
  EXPECT_EQ(run(settings,
                [] {
                  sigset_t now;
                  ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
                  return ::getsid(0) == ::getpid() &&
                                 !::sigismember(&now, SIGUSR1) &&
                                 ::signal(SIGUSR1, SIG_DFL) == SIG_IGN &&
                                 ::signal(SIGUSR2, SIG_DFL) == SIG_DFL
                             ? 0
                             : 1;
                }),
            0);
  ::signal(SIGUSR2, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
}

TEST(ChildProcess, ADescriptorThatIsNotThereIsAnError) {
  const ChildDescriptor places[] = {{999, 3}};
  ChildSettings settings;
  settings.descriptors = places;
  EXPECT_EQ(run(settings, [] { return 0; }), CHILD_FAILED);
}

} // namespace
