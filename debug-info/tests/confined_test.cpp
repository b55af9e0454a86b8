//===-- debug-info/tests/confined_test.cpp - Work that may crash ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The child answers, or the error says how it ended; it reaches nothing.
//===----------------------------------------------------------------------===//
#include "debug-info/confined.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gpuexec::debug_info;
using testing::HasSubstr;

static std::string error_of(llvm::Expected<std::string> answer) {
  if (answer)
    return "no error, but " + *answer;
  return llvm::toString(answer.takeError());
}

TEST(Confined, AnswersWithWhatTheParentKnows) {
  std::string known(100000, 'x');
  auto answer = run_confined([&] { return known + "!"; });
  ASSERT_TRUE(bool(answer)) << llvm::toString(answer.takeError());
  EXPECT_EQ(*answer, known + "!");
}

TEST(Confined, ACrashIsAnError) {
  EXPECT_THAT(error_of(run_confined([]() -> std::string { abort(); })),
              HasSubstr("ended by signal"));
  EXPECT_THAT(error_of(run_confined([]() -> std::string { _exit(0); })),
              HasSubstr("no answer"));
}

TEST(Confined, ChangesNothingHere) {
  int value = 1;
  auto answer = run_confined([&] { return std::to_string(++value); });
  ASSERT_TRUE(bool(answer)) << llvm::toString(answer.takeError());
  EXPECT_EQ(*answer, "2");
  EXPECT_EQ(value, 1);
}

TEST(Confined, ALoopEnds) {
  auto begin = std::chrono::steady_clock::now();
  Limits limits;
  limits.seconds = 1;
  volatile bool forever = true;
  EXPECT_THAT(error_of(run_confined(
                  [&]() -> std::string {
                    while (forever)
                      ;
                    return "";
                  },
                  limits)),
              testing::AnyOf(HasSubstr("more than 1 s"), HasSubstr("signal")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Confined, ALongAnswerIsNotTaken) {
  Limits limits;
  limits.max_answer = 1000;
  EXPECT_THAT(
      error_of(run_confined([] { return std::string(1001, 'x'); }, limits)),
      HasSubstr("more than 1000 bytes"));
  EXPECT_TRUE(
      bool(run_confined([] { return std::string(1000, 'x'); }, limits)));
}

TEST(Confined, WorksInAThreadWhileOthersAllocate) {
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop)
      free(malloc(size_t(1) << 20));
  });
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(bool(run_confined([] { return std::string(5000, 'y'); })));
  stop = true;
  other.join();
}

TEST(Confined, LeavesNoChildAndNoDescriptor) {
  int before = dup(0);
  close(before);
  for (int i = 0; i < 3; ++i)
    (void)error_of(run_confined([]() -> std::string { abort(); }));
  int after = dup(0);
  close(after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Confined, HasNoDescriptors) {
  auto answer = run_confined([] {
    return std::to_string(write(1, "to stdout\n", 10)) +
           std::to_string(write(2, "to stderr\n", 10));
  });
  ASSERT_TRUE(bool(answer)) << llvm::toString(answer.takeError());
  EXPECT_EQ(*answer, "-1-1");
}

TEST(ConfinedServer, AnswersRequestsUntilItEnds) {
  std::string known = "known";
  auto server = ConfinedServer::start([&](llvm::StringRef request) {
    if (request == "end")
      abort();
    return known + request.str();
  });
  ASSERT_TRUE(bool(server)) << llvm::toString(server.takeError());
  known = "changed since";
  for (std::string request :
       {std::string("1"), std::string(), std::string(300000, 'x')}) {
    auto answer = server->ask(request);
    ASSERT_TRUE(bool(answer)) << llvm::toString(answer.takeError());
    EXPECT_EQ(*answer, "known" + request);
  }
  EXPECT_THAT(error_of(server->ask("end")), HasSubstr("its process has ended"));
  EXPECT_THAT(error_of(server->ask("1")), HasSubstr("its process has ended"));
}

TEST(ConfinedServer, TakesNoLongAnswerAndDoesNotWaitForEver) {
  Limits limits;
  limits.max_answer = 1000;
  limits.seconds = 1;
  auto echo = [](llvm::StringRef request) { return request.str(); };
  auto server = ConfinedServer::start(echo, limits);
  ASSERT_TRUE(bool(server)) << llvm::toString(server.takeError());
  EXPECT_THAT(error_of(server->ask(std::string(1001, 'x'))),
              HasSubstr("more than 1000 bytes"));
  volatile bool forever = true;
  auto loop = ConfinedServer::start(
      [&](llvm::StringRef) -> std::string {
        while (forever)
          ;
        return "";
      },
      limits);
  ASSERT_TRUE(bool(loop)) << llvm::toString(loop.takeError());
  EXPECT_THAT(error_of(loop->ask("1")),
              testing::AnyOf(HasSubstr("more than 1 s"), HasSubstr("ended")));
}

TEST(ConfinedServer, LeavesNoChild) {
  {
    auto server =
        ConfinedServer::start([](llvm::StringRef) { return std::string(); });
    ASSERT_TRUE(bool(server)) << llvm::toString(server.takeError());
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST(Confined, MemoryIsLimited) {
  Limits limits;
  limits.memory = size_t(64) << 20;
  auto answer = run_confined(
      [] {
        void *small = mmap(nullptr, size_t(16) << 20, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        void *large = mmap(nullptr, size_t(128) << 20, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return std::string(small != MAP_FAILED ? "small " : "") +
               (large != MAP_FAILED ? "large" : "");
      },
      limits);
  ASSERT_TRUE(bool(answer)) << llvm::toString(answer.takeError());
  EXPECT_EQ(*answer, "small ");
}

TEST(Confined, TheKernelRefusesAllButComputing) {
  auto answer = run_confined([] {
    std::string done;
    if (open("/dev/null", O_RDONLY) >= 0)
      done += "open ";
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
      done += "socket ";
    if (fork() >= 0)
      done += "fork ";
    if (kill(getppid(), 0) == 0)
      done += "kill ";
    if (mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
             -1, 0) != MAP_FAILED)
      done += "mmap ";
    void *page =
        mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0)
      done += "mprotect ";
    execl("/bin/true", "true", nullptr);
    return done + "that was all";
  });
  ASSERT_TRUE(bool(answer)) << llvm::toString(answer.takeError());
  EXPECT_EQ(*answer, "that was all");
}
#endif
