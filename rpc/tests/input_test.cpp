//===-- rpc/tests/input_test.cpp - Reading, processes, memory, time ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/tests/caller.h"
#include "gmock/gmock.h"
#include <signal.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

TEST(Read, StandardInputByBytesLinesAndAll) {
  Session session({.input = std::string("ab\nsecond line\n\0binary\xff", 23) +
                            std::string(300000, 'q')});
  Caller c{session};
  EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 1), "a");
  EXPECT_EQ(c.call(RPC_UNGETC, 'A', RPC_STREAM_STDIN), 'A');
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 100), std::string("Ab\n\0", 4));
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 4), std::string("sec\0", 4));
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 0), "");
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 1), std::string("\0", 1));
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 100), std::string("ond line\n\0", 10));
  EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 7), std::string("\0binary", 7));
  EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 1), "\xff");
  EXPECT_EQ(c.call(RPC_FEOF, RPC_STREAM_STDIN), 0);
  EXPECT_TRUE(c.fread(RPC_STREAM_STDIN, ~uint64_t(0)) ==
              std::string(300000, 'q'));
  EXPECT_EQ(c.call(RPC_FEOF, RPC_STREAM_STDIN), 1);
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 100), "");
  EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 5), "");
  // The tag counts, the rest of the word is the device's.
  EXPECT_EQ(c.call(RPC_FEOF, 0x7f0012340000 | RPC_STREAM_STDIN), 1);
  c.call(RPC_CLEARERR, RPC_STREAM_STDIN);
  EXPECT_EQ(c.call(RPC_FEOF, RPC_STREAM_STDIN), 0);
}

TEST(Read, LanesTakeTurns) {
  Session session({.lanes = 64, .input = "0123456789abcdef"});
  auto port = session.open(RPC_READ_FROM_STREAM, 0xF0F);
  port.send_words(2, RPC_STREAM_STDIN);
  auto texts = port.recv_n();
  auto counts = port.recv_words();
  EXPECT_EQ(texts[0] + texts[1] + texts[2] + texts[3] + texts[8] + texts[11],
            "0123456789ef");
  EXPECT_EQ(counts[11], 2u);
}

TEST(Read, WaitingForAPipeHoldsUpNobody) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Session session({.stdin_fd = ends[0]});
  Caller c{session};
  {
    auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
    port.send_n(std::string("prompt> "));
    port.recv_words();
  }
  EXPECT_EQ(session.output(), "");
  std::string got[3];
  for (int i = 0; i < 3; ++i)
    session.wave(
        [&, i] { got[i] = Caller{session}.fgets(RPC_STREAM_STDIN, 99); });
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(c.call(RPC_TEST_INCREMENT, uint64_t(i)), i + 1);
  for (int i = 0; i < 2000 && session.output().empty(); ++i)
    usleep(1000);
  EXPECT_EQ(session.output(), "prompt> ");
  for (const char *line : {"one\n", "two\n", "three\n"})
    ASSERT_GT(::write(ends[1], line, strlen(line)), 0);
  for (auto &wave : session.waves)
    wave.join();
  session.waves.clear();
  std::set<std::string> lines(got, got + 3);
  EXPECT_EQ(lines, (std::set<std::string>{std::string("one\n\0", 5),
                                          std::string("two\n\0", 5),
                                          std::string("three\n\0", 7)}));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Read, KernelThatDiesWhileItReadsIsForgotten) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Session session({.stdin_fd = ends[0]});
  auto port = session.open(RPC_READ_FROM_STREAM, 1);
  port.send_words(10, RPC_STREAM_STDIN);
  auto half = session.open(RPC_WRITE_TO_STDOUT, 1); // dies in the middle
  half.send([](unsigned, rpc_packet &p) { p.words[0] = 1000; });
  usleep(20000);
  session.server->drain();
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
  EXPECT_EQ(session.output(), "");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Process, SystemAndPopen) {
  Session session({.input = "line for cat\n"});
  Caller c{session};
  auto system = [&](const std::string &command) {
    auto port = session.open(RPC_SYSTEM, 1);
    port.send_path(command);
    return c.result(port);
  };
  EXPECT_EQ(system("exit 3"), 3 << 8);
  EXPECT_EQ(system("kill -9 $$"), 9);
  {
    auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
    port.send_n(std::string("first "));
    port.recv_words();
  }
  EXPECT_EQ(system("echo second"), 0);
  EXPECT_EQ(session.output(), "first second\n"); // in order
  auto popen = [&](const std::string &command, const std::string &mode) {
    auto port = session.open(RPC_STREAM_POPEN, 1);
    port.send_path(command);
    port.send([&](unsigned, rpc_packet &p) {
      memcpy(p.bytes, mode.c_str(), mode.size() + 1);
    });
    return uint64_t(c.result(port));
  };
  uint64_t reader = popen("echo from child; exit 5", "r");
  ASSERT_NE(reader, 0u);
  EXPECT_EQ(c.fread(reader, 100), "from child\n");
  EXPECT_EQ(c.call(RPC_STREAM_PCLOSE, reader), 5 << 8);
  uint64_t writer = popen("cat > " + (session.directory / "copy"), "w");
  EXPECT_EQ(c.fwrite(writer, "to child"), 8);
  EXPECT_EQ(c.call(RPC_STREAM_PCLOSE, writer), 0);
  EXPECT_EQ(read_file(session.directory / "copy"), "to child");
}

TEST(Process, AbandonKillsChildren) {
  Session session({});
  std::string file = session.directory / "pid";
  session.wave([&] {
    auto port = session.open(RPC_SYSTEM, 1);
    port.send_path("echo $$ > " + file + "; exec sleep 1000");
    port.recv_words();
  });
  std::string text;
  for (int i = 0; i < 5000 && (text = read_file(file)).empty(); ++i)
    usleep(1000);
  session.device->dead = true;
  session.server->abandon();
  EXPECT_NE(kill(atoi(text.c_str()), 0), 0);
}

TEST(Memory, AlignedDistinctAndReleased) {
  Session session({.lanes = 64});
  auto port = session.open(RPC_MALLOC);
  port.send([](unsigned lane, rpc_packet &p) { p.words[0] = lane * 100000; });
  auto addresses = port.recv_words();
  std::set<uint64_t> unique;
  for (uint64_t address : addresses) {
    EXPECT_NE(address, 0u);
    EXPECT_EQ(address % (2 << 20), 0u);
    unique.insert(address);
  }
  EXPECT_EQ(unique.size(), 64u);
  EXPECT_EQ(session.memory.allocations, 1u); // one for the wave
  auto free = session.open(RPC_FREE, ~uint64_t(1));
  free.send(
      [&](unsigned lane, rpc_packet &p) { p.words[0] = addresses[lane]; });
  session.server->drain();
  EXPECT_EQ(session.memory.blocks.size(), 1u); // a lane still uses it
}

TEST(Memory, WhatCannotBeServedIsNull) {
  Session session({.lanes = 32});
  session.memory.limit = 100 << 20;
  for (uint64_t size : {~uint64_t(0), uint64_t(1) << 62, uint64_t(200) << 20}) {
    Caller c{session};
    EXPECT_EQ(c.call(RPC_MALLOC, size), 0);
    EXPECT_EQ(c.error, ENOMEM);
  }
  auto port = session.open(RPC_MALLOC); // 32 * 30 MiB: for three there is room
  port.send([](unsigned, rpc_packet &p) { p.words[0] = 30 << 20; });
  auto addresses = port.recv_words();
  EXPECT_EQ(std::count_if(addresses.begin(), addresses.end(),
                          [](uint64_t a) { return a != 0; }),
            3);
  Caller c{session};
  EXPECT_NE(c.call(RPC_ALLOCATE, 100, 64), 0);
  EXPECT_EQ(c.call(RPC_ALLOCATE, 100, 3), 0);
  c.call(RPC_TEST_INCREMENT, 0);
}

TEST(Memory, FreeOfNonsenseEndsTheProgram) {
  Session session({});
  auto port = session.open(RPC_FREE, 1);
  port.send_words(0x1234);
  auto outcome = session.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_THAT(outcome->message, testing::HasSubstr("free of 0x1234"));
}

TEST(Clock, TimeAndIds) {
  Session session({});
  Caller c{session};
  uint64_t seconds = 0;
  EXPECT_EQ(c.call(RPC_CLOCK_GETTIME, 0, 0, 0, 0, &seconds), 0);
  EXPECT_NEAR(double(seconds), double(time(nullptr)), 2);
  EXPECT_EQ(c.call(RPC_CLOCK_GETTIME, 9), -1);
  EXPECT_EQ(c.error, EINVAL);
  uint64_t pid = 0;
  EXPECT_EQ(c.call(RPC_GETPID, 0, 0, 0, 0, &pid), 0);
  EXPECT_EQ(pid, uint64_t(getpid()));
}
