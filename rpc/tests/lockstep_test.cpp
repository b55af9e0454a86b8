//===-- rpc/tests/lockstep_test.cpp - Calls served in turns ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/journal.h"
#include "rpc/tests/fixture.h"
#include <fcntl.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

namespace {

/// What a recording would have.
struct Notes : Journal {
  bool replays() const override { return false; }
  void served(const CallNotes &call, Turn) override {
    calls.push_back({call.number, call.step});
  }
  void halted(uint64_t step) override { halted_step = step; }
  uint64_t waited(uint64_t, uint64_t ticks) override { return ticks; }
  std::vector<std::pair<uint64_t, uint64_t>> calls; // number, step
  std::optional<uint64_t> halted_step;
};

Session::Setup in_lockstep(Notes &notes, int input = -1) {
  ServerOptions options;
  options.lockstep = true;
  options.journal = borrowed(notes);
  return {.stdin_fd = input, .options = std::move(options)};
}

struct Turns {
  Session &session;
  uint64_t step = 0, ticks = 0;
  bool turn(bool idle = false) {
    ticks = 0;
    return session.server->turn(++step, idle, ticks);
  }
};

} // namespace

TEST(Lockstep, NothingIsServedBetweenTurns) {
  Notes notes;
  Session session(in_lockstep(notes));
  Turns turns{session};
  auto port = session.open(RPC_TEST_INCREMENT, 1);
  port.send_words(41);
  usleep(5000);
  EXPECT_EQ(session.device->inbox[0], 0u);
  EXPECT_TRUE(turns.turn());
  EXPECT_EQ(session.device->inbox[0], 1u);
  EXPECT_EQ(port.recv_words()[0], 42u);
  port.close();
}

TEST(Lockstep, CallsAreServedInTheOrderOfThePorts) {
  Notes notes;
  Session session(in_lockstep(notes));
  Turns turns{session};
  WavePort second(*session.device, RPC_FEOF, 1, 3),
      first(*session.device, RPC_FEOF, 1, 1);
  second.send_words(RPC_STREAM_STDIN);
  first.send_words(RPC_STREAM_STDIN);
  EXPECT_TRUE(turns.turn());
  EXPECT_TRUE(turns.turn());
  using Calls = std::vector<std::pair<uint64_t, uint64_t>>;
  EXPECT_EQ(notes.calls, (Calls{{1, 1}, {2, 1}}));
  first.recv_words();
  second.recv_words();
}

TEST(Lockstep, WhatWaitsIsAnsweredInALaterTurn) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Notes notes;
  Session session(in_lockstep(notes, ends[0]));
  Turns turns{session};
  auto port = session.open(RPC_READ_FROM_STREAM, 1);
  port.send_words(5, RPC_STREAM_STDIN);
  EXPECT_TRUE(turns.turn());
  EXPECT_TRUE(turns.turn(true)); // waits, in vain
  EXPECT_GE(turns.ticks, 500'000u);
  EXPECT_EQ(session.device->inbox[0], 0u);
  ASSERT_EQ(write(ends[1], "hello", 5), 5);
  usleep(20000);
  EXPECT_EQ(session.device->inbox[0], 0u);
  EXPECT_TRUE(turns.turn(true));
  EXPECT_EQ(session.device->inbox[0], 1u);
  ASSERT_EQ(notes.calls.size(), 1u);
  EXPECT_EQ(notes.calls[0].second, 3u);
  session.device->dead = true;
  close(ends[0]);
  close(ends[1]);
}

TEST(Lockstep, IsHaltedInATurn) {
  Notes notes;
  Session session(in_lockstep(notes));
  Turns turns{session};
  EXPECT_TRUE(turns.turn());
  std::thread other([&] { session.server->halt(); });
  while (turns.turn())
    usleep(100);
  other.join();
  EXPECT_EQ(notes.halted_step, turns.step);
  EXPECT_FALSE(turns.turn());
}

TEST(Lockstep, AProgramThatEndsMakesNoStep) {
  Notes notes;
  Session session(in_lockstep(notes));
  Turns turns{session};
  auto port = session.open(RPC_EXIT, 1);
  port.send_words(0); // the sequence: asks first
  EXPECT_TRUE(turns.turn());
  port.recv_words();
  port.send_words(7);
  EXPECT_FALSE(turns.turn());
  ASSERT_TRUE(session.server->outcome());
  EXPECT_EQ(session.server->outcome()->status, 7);
  EXPECT_EQ(notes.halted_step, turns.step);
}
