//===-- rpc/tests/journal_test.cpp - Calls in the order of their callers --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/journal.h"
#include "rpc/tests/caller.h"
#include "support/packed.h"

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

namespace {

constexpr unsigned WAVES = 16, CALLS = 100;

/// Each wave is a lane, and counts its calls in their offset.
class SlowJournal : public Journal {
public:
  bool replays() const override { return false; }
  Turn take_turn() override { return Turn(mutex); }
  void served(const CallNotes &call, Turn turn) override {
    EXPECT_TRUE(turn);
    usleep(50); // time for the next call to be served elsewhere
    gpuexec::PackedReader request(call.request), answer(call.answer);
    EXPECT_EQ(request.number(), 0u); // the descriptor
    uint64_t &wanted = next[llvm::countr_zero(call.mask)];
    EXPECT_EQ(request.number(), wanted);
    EXPECT_EQ(answer.number(), wanted);
    ++wanted;
  }
  uint64_t next[WAVES] = {};

private:
  std::mutex mutex;
};

// An answer is sent before its call is reported. Several threads serve ports,
// and a wave takes another port for its next call.
TEST(Journal, SeesTheCallsOfAWaveInTheirOrder) {
  SlowJournal journal;
  ServerOptions options;
  options.journal = borrowed(journal);
  options.max_threads = 4;
  Session session(
      {.input = std::string(CALLS, 'x'), .options = std::move(options)});
  for (unsigned wave = 0; wave < WAVES; ++wave)
    session.wave([&, wave] {
      for (uint64_t i = 0; i < CALLS; ++i) {
        WavePort port(*session.device, RPC_LSEEK, uint64_t(1) << wave,
                      unsigned(wave + i * WAVES));
        port.send_words(0, i, SEEK_SET);
        port.recv_words();
      }
    });
  for (std::thread &wave : session.waves)
    wave.join();
  session.waves.clear();
  session.server->stop();
  for (unsigned wave = 0; wave < WAVES; ++wave)
    EXPECT_EQ(journal.next[wave], CALLS) << "wave " << wave;
}

/// Has no answer before all waves have ended, or none at all.
class LateJournal : public Journal {
public:
  explicit LateJournal(bool ever) : ever(ever) {}
  bool replays() const override { return true; }
  Found match(const CallNotes &call, llvm::StringRef &, Outcome &) override {
    ++asked;
    return ever && call.is_last ? Found::answer : Found::later;
  }
  std::atomic<unsigned> asked = 0;

private:
  const bool ever;
};

std::optional<Outcome> outcome_of_exit(bool ever) {
  LateJournal journal(ever);
  ServerOptions options;
  options.journal = borrowed(journal);
  Session session({.options = std::move(options)});
  session.wave([&session] { // which does not wait for its end
    auto port = session.open(RPC_EXIT, 1);
    port.send_words();
    port.recv_words();
    port.send_words(5);
  });
  session.waves.front().join();
  session.waves.clear();
  while (journal.asked < 3)
    usleep(100);
  session.server->stop();
  return session.server->outcome();
}

// Other waves made calls before it: when all have ended there are no others.
TEST(Journal, AnExitThatWaitsForOtherCallsComesWhenAllWavesHaveEnded) {
  auto outcome = outcome_of_exit(true);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Outcome::Kind::exit);
  EXPECT_EQ(outcome->status, 5);
}

TEST(Journal, ACallThatIsNotAnsweredDoesNotKeepTheServer) {
  EXPECT_FALSE(outcome_of_exit(false));
}

} // namespace
