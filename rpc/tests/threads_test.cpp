//===-- rpc/tests/threads_test.cpp - No more threads to be had ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user may have used up their threads, or may be allowed none: the server
// goes on with those it has, and says so when it has none at all.
//===----------------------------------------------------------------------===//
#include "rpc/tests/fixture.h"
#include "test/support/no_threads.h"
#include <sys/mman.h>

using namespace gpuexec::rpc;
using gpuexec::test::in_child;
using gpuexec::test::NoThreads;
using namespace gpuexec::rpc::test;

namespace {

int without_any() {
  NoThreads none;
  Session session({});
  auto outcome = session.wait_outcome();
  bool good =
      outcome && outcome->kind == Outcome::Kind::error &&
      outcome->message == "test: no thread to be had for the calls of the host";
  return good ? 0 : 1;
}

// Waits for a pipe and slow services need threads of their own, if there are
// any.
int with_one() {
  int ends[2], output = memfd_create("output", MFD_CLOEXEC);
  if (pipe2(ends, O_CLOEXEC) || output < 0)
    return 1;
  const uint64_t size = 5 << 20;
  Session session({.stdin_fd = ends[0], .stdout_fd = output});
  std::atomic<bool> go = false;
  int failures = 0;
  session.wave([&] {
    while (!go)
      usleep(1000);
    auto reading = session.open(RPC_BULK_READ_STREAM, 1);
    uint64_t memory = session.memory.allocate(size, 16).value;
    reading.send([&](unsigned, rpc_packet &p) {
      p.words[0] = RPC_STREAM_STDIN, p.words[1] = memory, p.words[2] = 5;
    });
    usleep(20000); // it waits by now
    failures += write(ends[1], "hello", 5) != 5;
    failures += reading.recv_words()[0] != 5;
    failures += memcmp((void *)memory, "hello", 5) != 0;
    memset((void *)memory, 'x', size);
    auto writing = session.open(RPC_BULK_WRITE_STREAM, 1);
    writing.send([&](unsigned, rpc_packet &p) {
      p.words[0] = RPC_STREAM_STDOUT, p.words[1] = memory, p.words[2] = size;
    });
    failures += writing.recv_words()[0] != size;
    session.memory.free(gpuexec::DeviceAddress(memory));
  });
  NoThreads none;
  go = true;
  session.waves.front().join();
  session.waves.clear();
  session.server->stop();
  std::string text(size + 1, 0);
  failures += pread(output, text.data(), text.size(), 0) != ssize_t(size);
  failures += text.find_first_not_of('x') != size;
  failures += bool(session.server->outcome());
  return failures;
}

TEST(Threads, NoneAtAll) { EXPECT_EQ(in_child(without_any), 0); }
TEST(Threads, NoMoreThanOne) { EXPECT_EQ(in_child(with_one), 0); }

} // namespace

// A thread of the device serves beside the server's own.
TEST(Threads, AGuestServes) {
  constexpr unsigned CALLS = 2000;
  Session session({});
  std::atomic<bool> done = false;
  unsigned wrong = 0;
  session.wave([&] {
    for (unsigned i = 0; i < CALLS; ++i) {
      auto port = session.open(RPC_BULK_WRITE_STREAM, 1);
      port.send([&](unsigned, rpc_packet &p) {
        p.words[0] = RPC_STREAM_STDOUT, p.words[1] = 0, p.words[2] = 0;
      });
      wrong += port.recv_words()[0] != 0;
    }
    done = true;
  });
  unsigned served = 0;
  while (!done)
    served += session.server->serve_here();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(served, 0u);
  session.server->stop();
  EXPECT_FALSE(session.server->serve_here());
}
