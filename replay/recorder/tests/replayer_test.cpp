//===-- replay/recorder/tests/replayer_test.cpp - Calls beside a recording ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/replayer.h"
#include "support/packed.h"
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace gpuexec;
using record::Replayer;
using rpc::Journal;
using testing::HasSubstr;

namespace {

/// Writes recordings, and makes calls of a program that is replayed.
class ReplayerTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/replayer-XXXXXX";
    const int fd = mkstemp(name);
    ASSERT_GE(fd, 0);
    close(fd);
    path = name;
    sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    auto created = RecordingWriter::create(path);
    ASSERT_TRUE(bool(created));
    writer = std::move(*created);
    writer->begin({{"threads", {"1", "1", "1"}}}, "image");
  }
  void TearDown() override {
    unlink(path.c_str());
    close(sink);
  }

  void recorded(uint32_t caller, llvm::StringRef request,
                llvm::StringRef answer) {
    writer->call({opcode, caller, 1, {}, request, answer});
  }
  /// The same in a schedule.
  void recorded_at(uint64_t step, uint64_t number, uint32_t caller,
                   llvm::StringRef request, llvm::StringRef answer) {
    writer->call({opcode, caller, 1, {}, request, answer, number, step});
  }
  /// What was recorded so far is all that there is.
  void begin_replay(bool scheduled = false,
                    const RecordedEnd &end = {"exited", 0, ""}) {
    ASSERT_FALSE(bool(writer->finish(end)));
    llvm::Expected<Recording> read = Recording::read(path);
    ASSERT_TRUE(bool(read));
    replayer = std::make_unique<Replayer>(std::move(*read), "FILE", sink, sink,
                                          scheduled);
  }
  Journal::Found call_at(uint64_t step, uint64_t number, uint32_t caller,
                         std::string request) {
    rpc::CallNotes notes;
    notes.begin(opcode, caller, 1);
    notes.number = number;
    notes.step = step;
    notes.request = std::move(request);
    answer = {};
    outcome = {rpc::Outcome::Kind::error};
    return replayer->match(notes, answer, outcome);
  }
  /// The program calls.
  Journal::Found call(uint32_t caller, std::string request) {
    rpc::CallNotes notes;
    notes.begin(opcode, caller, 1);
    notes.request = std::move(request);
    answer = {};
    outcome = {rpc::Outcome::Kind::error};
    return replayer->match(notes, answer, outcome);
  }
  /// What is said when the program ends with this status.
  std::string at_exit(int status) {
    Result result;
    result.kind = Result::Kind::exited;
    result.value = status;
    return llvm::toString(replayer->finish(result));
  }

  /// A request or an answer as it is noted.
  static std::string numbers(std::initializer_list<uint64_t> all) {
    std::string text;
    for (uint64_t number : all)
      pack_number(text, number);
    return text;
  }

  // No service has it: request and answer may be any bytes.
  uint32_t opcode = 0x63ffff00;
  std::string path;
  int sink = -1;
  std::unique_ptr<RecordingWriter> writer;
  std::unique_ptr<Replayer> replayer;
  llvm::StringRef answer;
  rpc::Outcome outcome;
};

TEST_F(ReplayerTest, GivesTheAnswersInTheirOrder) {
  recorded(1, "same", "first");
  recorded(1, "same", "second");
  begin_replay();
  EXPECT_EQ(call(1, "same"), Journal::Found::answer);
  EXPECT_EQ(answer, "first");
  EXPECT_EQ(call(1, "same"), Journal::Found::answer);
  EXPECT_EQ(answer, "second");
  EXPECT_EQ(at_exit(0), "");
}

TEST_F(ReplayerTest, AnotherRequestIsNamedWithItsFirstByte) {
  recorded(1, "abc", "x");
  begin_replay();
  EXPECT_EQ(call(1, "abd"), Journal::Found::none);
  EXPECT_THAT(outcome.message, HasSubstr("FILE: call 1 differs"));
  EXPECT_THAT(outcome.message, HasSubstr("expected \"abc\", found \"abd\""));
  EXPECT_THAT(outcome.message, HasSubstr("byte 2 is the first that differs"));
  EXPECT_EQ(at_exit(0), "") << "it is said once";
}

TEST_F(ReplayerTest, ACallThatNeverComesIsNamed) {
  recorded(1, "made", "x");
  recorded(1, "missing", "y");
  begin_replay();
  EXPECT_EQ(call(1, "made"), Journal::Found::answer);
  EXPECT_THAT(at_exit(0), HasSubstr("FILE: the program ended without call 2"));
}

TEST_F(ReplayerTest, ACallTooManyIsNamed) {
  recorded(1, "made", "x");
  begin_replay();
  EXPECT_EQ(call(1, "made"), Journal::Found::answer);
  EXPECT_EQ(call(1, "extra"), Journal::Found::none);
  EXPECT_THAT(outcome.message,
              HasSubstr("FILE: after 1 calls the recording ends; the program "
                        "goes on with"));
}

TEST_F(ReplayerTest, AnotherStatusIsNamed) {
  recorded(1, "made", "x");
  begin_replay();
  EXPECT_EQ(call(1, "made"), Journal::Found::answer);
  EXPECT_EQ(at_exit(3), "FILE: the program exited with 3; when it was recorded "
                        "it exited with 0");
}

TEST_F(ReplayerTest, WavesGetTheirOwnAnswersInAnyOrder) {
  opcode = RPC_FEOF;
  recorded(1, numbers({5}), numbers({1, 0}));
  recorded(2, numbers({5}), numbers({2, 0}));
  begin_replay();
  EXPECT_EQ(call(2, numbers({5})), Journal::Found::answer);
  EXPECT_EQ(answer, numbers({2, 0}));
  EXPECT_EQ(call(1, numbers({5})), Journal::Found::answer);
  EXPECT_EQ(answer, numbers({1, 0}));
  EXPECT_EQ(at_exit(0), "");
}

TEST_F(ReplayerTest, WavesFlushWhatTheyShareAsOftenAsTheyLike) {
  opcode = RPC_FFLUSH;
  recorded(1, numbers({RPC_STREAM_STDOUT}), numbers({0, 0}));
  recorded(2, numbers({RPC_STREAM_STDOUT}), numbers({0, 0}));
  opcode = RPC_FEOF;
  recorded(2, numbers({5}), numbers({1, 0}));
  begin_replay();
  EXPECT_EQ(call(2, numbers({5})), Journal::Found::answer);
  opcode = RPC_FFLUSH;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(call(1, numbers({RPC_STREAM_STDOUT})), Journal::Found::answer);
    EXPECT_EQ(answer, numbers({0, 0}));
  }
  EXPECT_EQ(at_exit(0), "");
}

TEST_F(ReplayerTest, LanesOfAnNvidiaWaveComeApart) {
  for (const char *format : {"cubin", "amdgpu"}) {
    writer.reset();
    writer = llvm::cantFail(RecordingWriter::create(path));
    writer->begin({{"threads", {"32", "1", "1"}}, {"image format", {format}}},
                  "image");
    writer->call({RPC_FEOF, 1, 3, {}, numbers({5, 6}), numbers({1, 0, 0, 0})});
    begin_replay();
    rpc::CallNotes notes;
    notes.begin(RPC_FEOF, 1, 2);
    notes.request = numbers({6});
    const Journal::Found found = replayer->match(notes, answer, outcome);
    if (format != std::string("cubin")) {
      EXPECT_EQ(found, Journal::Found::none) << format;
      continue;
    }
    EXPECT_EQ(found, Journal::Found::answer);
    EXPECT_EQ(answer, numbers({0, 0}));
    opcode = RPC_FEOF;
    EXPECT_EQ(call(1, numbers({5})), Journal::Found::answer);
    EXPECT_EQ(answer, numbers({1, 0}));
    EXPECT_EQ(at_exit(0), "");
  }
}

TEST_F(ReplayerTest, AScheduleHoldsAnswersBack) {
  recorded_at(5, 2, 2, "b", "B"); // the first that was answered
  recorded_at(9, 1, 1, "a", "A");
  begin_replay(true);
  EXPECT_EQ(call_at(4, 1, 1, "a"), Journal::Found::later);
  EXPECT_EQ(call_at(5, 2, 2, "b"), Journal::Found::answer);
  EXPECT_EQ(answer, "B");
  EXPECT_EQ(call_at(9, 1, 1, "a"), Journal::Found::answer);
  EXPECT_EQ(answer, "A");
  EXPECT_EQ(at_exit(0), "");
}

TEST_F(ReplayerTest, AScheduleIsStrict) {
  recorded_at(5, 1, 1, "a", "A");
  recorded_at(6, 2, 2, "b", "B");
  begin_replay(true);
  EXPECT_EQ(call_at(5, 1, 2, "a"), Journal::Found::none);
  EXPECT_THAT(outcome.message, HasSubstr("call 1 (wave 1, lanes 0x1) differs: "
                                         "expected from wave 0, lanes 0x1"));
  EXPECT_EQ(call_at(5, 1, 1, "b"), Journal::Found::none);
  EXPECT_THAT(outcome.message, HasSubstr("call 1 (wave 0, lanes 0x1) differs"));
  EXPECT_EQ(call_at(7, 2, 2, "b"), Journal::Found::none);
  EXPECT_THAT(outcome.message, HasSubstr("was answered at step 6 of the "
                                         "schedule, and comes at step 7"));
  EXPECT_EQ(call_at(8, 3, 1, "c"), Journal::Found::none);
  EXPECT_THAT(outcome.message, HasSubstr("the program goes on with"));
}

TEST_F(ReplayerTest, AScheduleEndsWhereTheDeviceWasHalted) {
  recorded_at(5, 1, 1, "a", "A");
  writer->waited({6, 777});
  writer->halted(8);
  begin_replay(true, {"timed out", 0, "PROGRAM: timed out"});
  bool told = false;
  replayer->set_timed_out([&] { told = true; });
  EXPECT_EQ(call_at(5, 1, 1, "a"), Journal::Found::answer);
  EXPECT_EQ(call_at(6, 2, 2, "unanswered"), Journal::Found::later);
  EXPECT_EQ(replayer->waited(5, 1), 0u);
  EXPECT_EQ(replayer->waited(6, 1), 777u);
  std::optional<rpc::Outcome> end;
  EXPECT_FALSE(replayer->halts(7, end));
  EXPECT_FALSE(told);
  EXPECT_TRUE(replayer->halts(8, end));
  EXPECT_TRUE(told);
  EXPECT_FALSE(end);
}

TEST_F(ReplayerTest, AWaveMayMakeAnothersCall) {
  opcode = RPC_FEOF;
  recorded(1, numbers({5}), numbers({1, 0}));
  recorded(2, numbers({6}), numbers({2, 0}));
  begin_replay();
  EXPECT_EQ(call(1, numbers({6})), Journal::Found::answer);
  EXPECT_EQ(answer, numbers({2, 0}));
  EXPECT_EQ(call(2, numbers({5})), Journal::Found::answer);
  EXPECT_EQ(answer, numbers({1, 0}));
  EXPECT_EQ(at_exit(0), "");
}

// A thread that runs on another wave this time: its descriptor is a number that
// the wave's own thread was given, too.
TEST_F(ReplayerTest, WhoMakesAnothersCallGoesOnWithItsCalls) {
  opcode = RPC_FEOF;
  recorded(1, numbers({100}), numbers({5, 0})); // opens
  recorded(1, numbers({5}), numbers({1, 0}));   // reads
  recorded(2, numbers({200}), numbers({5, 0}));
  recorded(2, numbers({5}), numbers({2, 0}));
  begin_replay();
  EXPECT_EQ(call(2, numbers({100})), Journal::Found::answer);
  EXPECT_EQ(call(1, numbers({200})), Journal::Found::answer);
  EXPECT_EQ(call(1, numbers({5})), Journal::Found::answer);
  EXPECT_EQ(answer, numbers({2, 0}));
  EXPECT_EQ(call(2, numbers({5})), Journal::Found::answer);
  EXPECT_EQ(answer, numbers({1, 0}));
  EXPECT_EQ(at_exit(0), "");
}

TEST_F(ReplayerTest, WhoMakesAnothersCallMayReturnToItsOwn) {
  opcode = RPC_FEOF;
  recorded(1, numbers({100}), numbers({5, 0}));
  recorded(1, numbers({5}), numbers({1, 0}));
  recorded(2, numbers({200}), numbers({2, 0}));
  begin_replay();
  EXPECT_EQ(call(2, numbers({100})), Journal::Found::answer);
  EXPECT_EQ(call(2, numbers({200})), Journal::Found::answer);
  EXPECT_EQ(answer, numbers({2, 0}));
  EXPECT_EQ(call(1, numbers({5})), Journal::Found::answer);
  EXPECT_EQ(answer, numbers({1, 0}));
  EXPECT_EQ(at_exit(0), "");
}

TEST_F(ReplayerTest, AnAlarmEndsItAfterTheLastCall) {
  recorded(1, "alarm", "set");
  recorded(1, "last", "before it computes for ever");
  begin_replay(false, {"exited", 128 + SIGALRM, ""});
  EXPECT_EQ(call(1, "alarm"), Journal::Found::answer);
  EXPECT_EQ(call(1, "last"), Journal::Found::none);
  EXPECT_EQ(outcome.kind, rpc::Outcome::Kind::exit);
  EXPECT_EQ(outcome.status, 128 + SIGALRM);
  EXPECT_EQ(at_exit(128 + SIGALRM), "");
}

TEST_F(ReplayerTest, APipeThatNobodyReadsEndsItAfterTheLastCall) {
  recorded(1, "write", "EPIPE");
  begin_replay(false, {"signalled", SIGPIPE, ""});
  EXPECT_EQ(call(1, "write"), Journal::Found::none);
  EXPECT_EQ(outcome.kind, rpc::Outcome::Kind::closed_pipe);
}

// What another wave does between its last recorded call and the alarm.
TEST_F(ReplayerTest, BeforeAnAlarmFurtherCallsWait) {
  opcode = RPC_FEOF;
  recorded(1, numbers({5}), numbers({1, 0}));
  recorded(2, numbers({6}), numbers({2, 0}));
  begin_replay(false, {"exited", 128 + SIGALRM, ""});
  EXPECT_EQ(call(1, numbers({5})), Journal::Found::answer);
  EXPECT_EQ(call(1, numbers({7})), Journal::Found::later);
  EXPECT_EQ(call(2, numbers({6})), Journal::Found::none);
  EXPECT_EQ(outcome.kind, rpc::Outcome::Kind::exit);
}

// A wave has ended without the call that it was to make before.
TEST_F(ReplayerTest, AnExitDoesNotWaitWhenNoWaveRuns) {
  opcode = RPC_FEOF;
  recorded(1, numbers({5}), numbers({1, 0}));
  opcode = RPC_EXIT;
  recorded(2, numbers({0}), "");
  begin_replay();
  EXPECT_EQ(call(2, numbers({0})), Journal::Found::later);
  rpc::CallNotes notes;
  notes.begin(opcode, 2, 1);
  notes.request = numbers({0});
  notes.is_last = true;
  EXPECT_EQ(replayer->match(notes, answer, outcome), Journal::Found::answer);
  EXPECT_THAT(at_exit(0), HasSubstr("ended without call 1"));
}

} // namespace
