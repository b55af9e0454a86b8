//===-- rpc/tests/system_calls_test.cpp - Calls of SYSTEM_CALL ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/tests/caller.h"
#include <sys/eventfd.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

namespace {

struct SystemCaller : Caller {
  explicit SystemCaller(Session &session) : Caller{session} {}
  uint64_t words[2] = {};
  std::string output;

  int64_t system_call(uint64_t call, const std::string &input = {},
                      uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
                      uint64_t d = 0, uint64_t e = 0) {
    auto port = session.open(RPC_SYSTEM_CALL, mask);
    port.send_n(input);
    port.send([&](unsigned, rpc_packet &p) {
      const uint64_t sent[] = {call, a, b, c, d, e};
      memcpy(p.words, sent, sizeof sent);
    });
    output = port.recv_n()[0];
    int64_t value = 0;
    port.recv([&](unsigned, rpc_packet &p) {
      value = int64_t(p.words[0]);
      words[0] = p.words[1];
      words[1] = p.words[2];
      error = int64_t(p.words[RPC_ERRNO_WORD]);
    });
    return value;
  }
};

TEST(SystemCalls, AnEventfdIsADescriptor) {
  Session session({});
  SystemCaller caller(session);
  const int64_t fd = caller.system_call(RPC_CALL_EVENTFD, "", 5);
  ASSERT_GE(fd, 3);
  const uint64_t two = 2;
  EXPECT_EQ(caller.write(fd, {reinterpret_cast<const char *>(&two), 8}), 8);
  uint64_t sum = 0;
  auto port = session.open(RPC_READ, 1);
  port.send_words(uint64_t(fd), 8, ~uint64_t(0));
  memcpy(&sum, port.recv_n()[0].data(), 8);
  EXPECT_EQ(caller.result(port), 8);
  EXPECT_EQ(sum, 7u);
}

TEST(SystemCalls, WhatTheDeviceSendsIsChecked) {
  Session session({});
  SystemCaller caller(session);
  for (uint64_t unknown : {uint64_t(0), uint64_t(4000), ~uint64_t(0)}) {
    EXPECT_EQ(caller.system_call(unknown, std::string(100, 'x'), 1, 2, 3), -1);
    EXPECT_EQ(caller.error, ENOSYS);
    EXPECT_EQ(caller.output, "");
  }
  EXPECT_EQ(caller.system_call(RPC_CALL_EVENTFD, "", uint64_t(1) << 32), -1);
  EXPECT_EQ(caller.error, EINVAL);
  EXPECT_EQ(caller.system_call(RPC_CALL_EVENTFD, "", 0, 1 << 30), -1);
  EXPECT_EQ(caller.error, EINVAL);
}

TEST(SystemCalls, SizesAndHandlesAreChecked) {
  Session session({});
  SystemCaller caller(session);
  const uint64_t timer = uint64_t(
      caller.system_call(RPC_CALL_TIMERFD_CREATE, "", CLOCK_MONOTONIC));
  EXPECT_EQ(caller.system_call(RPC_CALL_TIMERFD_TIME, "short", timer), -1);
  EXPECT_EQ(caller.error, EINVAL);
  const uint64_t epoll = uint64_t(caller.system_call(RPC_CALL_EPOLL_CREATE));
  for (uint64_t most : {uint64_t(0), uint64_t(1) << 40, ~uint64_t(0)}) {
    EXPECT_EQ(caller.system_call(RPC_CALL_EPOLL_WAIT, "", epoll, most, 1), -1);
    EXPECT_EQ(caller.error, EINVAL);
  }
  EXPECT_EQ(caller.system_call(RPC_CALL_EPOLL_WAIT, "", epoll, INT32_MAX, 1),
            0);
  EXPECT_EQ(caller.system_call(RPC_CALL_EPOLL_CONTROL, "", epoll, 1, 999), -1);
  EXPECT_EQ(caller.error, EBADF);
  for (uint64_t call : {RPC_CALL_SEMAPHORE_POST, RPC_CALL_SEMAPHORE_WAIT,
                        RPC_CALL_SEMAPHORE_VALUE, RPC_CALL_SEMAPHORE_CLOSE})
    for (uint64_t number : {uint64_t(0), uint64_t(7), uint64_t(0x6773) << 48}) {
      EXPECT_EQ(caller.system_call(call, "", number), -1);
      EXPECT_EQ(caller.error, EINVAL);
    }
  EXPECT_EQ(caller.system_call(RPC_CALL_QUEUE_RECEIVE, "", 0, 1 << 20), -1);
  EXPECT_EQ(caller.error, EBADF);
  EXPECT_EQ(
      caller.system_call(RPC_CALL_DESCRIPTOR_LIMIT, "", 1, uint64_t(1) << 40),
      -1);
  EXPECT_EQ(caller.error, EPERM);
}

TEST(SystemCalls, AWaitEndsWithItsSliceOrItsDeadline) {
  Session session({});
  SystemCaller caller(session);
  const uint64_t epoll = uint64_t(caller.system_call(RPC_CALL_EPOLL_CREATE));
  EXPECT_EQ(caller.system_call(RPC_CALL_EPOLL_WAIT, "", epoll, 1), -1);
  EXPECT_EQ(caller.error, ERESTART);
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  EXPECT_EQ(caller.system_call(RPC_CALL_EPOLL_WAIT, "", epoll, 1, 1,
                               uint64_t(now.tv_sec), uint64_t(now.tv_nsec)),
            0);
  for (uint64_t ns : {~uint64_t(0), uint64_t(1000000000)}) {
    EXPECT_EQ(caller.system_call(RPC_CALL_EPOLL_WAIT, "", epoll, 1, 1, 5, ns),
              -1);
    EXPECT_EQ(caller.error, EINVAL);
  }
  EXPECT_EQ(caller.system_call(RPC_CALL_EPOLL_WAIT, "", epoll, 1, 1,
                               uint64_t(INT64_MAX), 0),
            -1);
  EXPECT_EQ(caller.error, ERESTART);
}

TEST(SystemCalls, ASandboxReachesNoOtherProcess) {
  ServerOptions options;
  options.sandbox = true;
  Session session({.options = options});
  SystemCaller caller(session);
  for (uint64_t call : {RPC_CALL_QUEUE_OPEN, RPC_CALL_QUEUE_UNLINK,
                        RPC_CALL_SEMAPHORE_OPEN, RPC_CALL_SEMAPHORE_UNLINK,
                        RPC_CALL_INOTIFY_INIT, RPC_CALL_INOTIFY_ADD}) {
    EXPECT_EQ(caller.system_call(call, "/name", O_CREAT | O_RDWR, 0600), -1);
    EXPECT_EQ(caller.error, EPERM);
  }
  EXPECT_EQ(caller.system_call(RPC_CALL_SCHEDULER, "", 1), -1);
  EXPECT_EQ(caller.error, ESRCH);
  EXPECT_EQ(caller.system_call(RPC_CALL_SET_SCHEDULER, "", 0, 1, 1), -1);
  EXPECT_EQ(caller.error, EPERM);
  EXPECT_GE(caller.system_call(RPC_CALL_EVENTFD), 0);
}

} // namespace
