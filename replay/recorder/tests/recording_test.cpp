//===-- replay/recorder/tests/recording_test.cpp --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/recording.h"
#include "test/support/no_threads.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace gpuexec;

namespace {

class RecordingTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/recording-XXXXXX";
    const int fd = mkstemp(name);
    ASSERT_GE(fd, 0);
    close(fd);
    path = name;
  }
  void TearDown() override { unlink(path.c_str()); }

  static const RecordedFacts &facts() {
    static const RecordedFacts all = {{"arguments", {"a", "", "b c"}},
                                      {"none", {}},
                                      {"program", {"/bin/hello"}}};
    return all;
  }
  static std::string image() {
    std::string bytes("\x7f"
                      "ELF",
                      4);
    for (int i = 0; i < 5000; ++i)
      bytes += char(i * i >> 3);
    return bytes;
  }
  std::unique_ptr<RecordingWriter> writer() {
    auto created = RecordingWriter::create(path);
    EXPECT_TRUE(bool(created));
    (*created)->begin(facts(), image());
    return std::move(*created);
  }
  /// A file with two calls and some output.
  std::string whole_file() {
    auto writing = writer();
    const uint64_t addresses[] = {4096, ~uint64_t(0)};
    writing->output(1, "before");
    writing->call({0x63000006, 1, 3, addresses, "request", "answer"});
    writing->output(2, "oops");
    writing->call({1, 0, ~uint64_t(0), {}, "", ""});
    writing->output(1, "after");
    EXPECT_FALSE(bool(writing->finish({"exited", 3, "", 0, 0, 0})));
    return content();
  }
  std::string content() const {
    std::ifstream file(path, std::ios::binary);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
  }
  static std::string error_of(llvm::StringRef bytes) {
    auto recording = Recording::parse({bytes, "FILE"});
    return recording ? "" : llvm::toString(recording.takeError());
  }
  std::string path;
};

// A thread that reports calls waits for the writer's own while much is queued.
TEST_F(RecordingTest, WithoutAThreadNothingIsQueued) {
  static std::string file, why;
  file = path;
  why = path + ": the recording has no calls: the system starts no more "
               "threads (see ulimit -u)";
  EXPECT_EQ(test::in_child([] {
              auto writing = RecordingWriter::create(file);
              test::NoThreads none;
              (*writing)->begin({}, "image");
              const std::string large(1 << 20, 'x');
              for (int i = 0; i < 100; ++i)
                (*writing)->call({1, 1, 1, {}, large, ""});
              const RecordedEnd end = {"exited", 0, "", 0, 0, 0};
              return llvm::toString((*writing)->finish(end)) == why ? 0 : 1;
            }),
            0);
}

TEST_F(RecordingTest, AScheduleIsReturned) {
  auto writing = writer();
  writing->call({1, 1, 1, {}, "first", "", 1, 10});
  writing->waited({12, 34567});
  writing->call({1, 2, 1, {}, "third", "", 3, 12});
  writing->call({1, 1, 1, {}, "second", "", 2, 400});
  writing->halted(401);
  EXPECT_FALSE(bool(writing->finish({"timed out", 0, "", 0, 0, 0})));
  auto recording = Recording::read(path);
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  ASSERT_EQ(recording->calls().size(), 3u);
  const uint64_t expected[][2] = {{1, 10}, {3, 12}, {2, 400}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(recording->calls()[i].number, expected[i][0]) << i;
    EXPECT_EQ(recording->calls()[i].step, expected[i][1]) << i;
  }
  ASSERT_EQ(recording->waits().size(), 1u);
  EXPECT_EQ(recording->waits()[0].step, 12u);
  EXPECT_EQ(recording->waits()[0].ticks, 34567u);
  EXPECT_EQ(recording->halted_step(), 401u);
}

TEST_F(RecordingTest, ReturnsWhatWasWritten) {
  whole_file();
  auto recording = Recording::read(path);
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  EXPECT_EQ(recording->facts(), facts());
  EXPECT_EQ(recording->fact("program"), "/bin/hello");
  EXPECT_EQ(recording->fact("none"), "");
  EXPECT_EQ(recording->fact("unheard of"), "");
  EXPECT_EQ(recording->image(), image());
  EXPECT_EQ(*recording->image().end(), 0);
  ASSERT_EQ(recording->calls().size(), 2u);
  const RecordedCall &call = recording->calls()[0];
  EXPECT_EQ(call.opcode, 0x63000006u);
  EXPECT_EQ(call.caller, 1u);
  EXPECT_EQ(call.mask, 3u);
  ASSERT_EQ(call.addresses.size(), 2u);
  EXPECT_EQ(call.addresses[1], ~uint64_t(0));
  EXPECT_EQ(call.request, "request");
  EXPECT_EQ(call.answer, "answer");
  EXPECT_EQ(recording->calls()[1].mask, ~uint64_t(0));
  ASSERT_EQ(recording->outputs().size(), 3u);
  EXPECT_EQ(recording->outputs()[0].calls_before, 0u);
  EXPECT_EQ(recording->outputs()[1].calls_before, 1u);
  EXPECT_EQ(recording->outputs()[1].stream, 2);
  EXPECT_EQ(recording->outputs()[2].bytes, "after");
  EXPECT_FALSE(recording->is_cut());
  EXPECT_EQ(recording->end()->kind, "exited");
  EXPECT_EQ(recording->end()->value, 3);
  EXPECT_EQ(recording->end()->calls, 2u);
  EXPECT_NE(recording->end()->output_digest, recording->end()->error_digest);
}

TEST_F(RecordingTest, IsForItsUserAlone) {
  unlink(path.c_str());
  writer();
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

// Each byte of a file is under a checksum or has one value only.
TEST_F(RecordingTest, NoticesEachChangedByte) {
  const std::string good = whole_file();
  ASSERT_EQ(error_of(good), "");
  for (size_t at = 0; at < good.size(); ++at)
    for (int change : {1, 0x80, 0xff}) {
      std::string bad = good;
      bad[at] = char(bad[at] ^ change);
      const std::string error = error_of(bad);
      EXPECT_EQ(error.find("FILE: "), 0u) << "byte " << at;
    }
}

// Cut anywhere it is an error, or good up to there and known to be cut.
TEST_F(RecordingTest, IsGoodUpToWhereItWasCut) {
  const std::string good = whole_file();
  size_t usable = 0;
  for (size_t size = 0; size < good.size(); ++size) {
    llvm::StringRef cut = llvm::StringRef(good).take_front(size);
    auto recording = Recording::parse({cut, "FILE"});
    if (!recording) {
      EXPECT_EQ(llvm::toString(recording.takeError()),
                size < 16 ? "FILE: not a recording of gpuexec --record"
                          : "FILE: cut off before the program began");
      EXPECT_EQ(usable, 0u) << size;
      continue;
    }
    ++usable;
    EXPECT_TRUE(recording->is_cut()) << size;
    EXPECT_EQ(recording->image(), image());
    EXPECT_EQ(recording->facts(), facts());
  }
  EXPECT_GT(usable, 0u);
}

TEST_F(RecordingTest, RefusesANewerVersion) {
  std::string newer = whole_file();
  newer[8] = char(RECORDING_VERSION + 1);
  newer[12] = char(~(RECORDING_VERSION + 1));
  EXPECT_EQ(error_of(newer), "FILE: a recording of version 2; this gpuexec "
                             "knows version 1");
}

TEST_F(RecordingTest, RefusesWhatIsBehindTheEnd) {
  EXPECT_EQ(error_of(whole_file() + "x"),
            "FILE: damaged: 1 bytes behind its end");
}

// What was said is in the file soon, whatever becomes of the process.
TEST_F(RecordingTest, HasTheCallsOfAWriterThatWasKilled) {
  auto writing = writer();
  writing->call({1, 1, 1, {}, "one", ""});
  std::optional<Recording> found;
  for (int tries = 0; tries < 500; ++tries) {
    auto recording = Recording::read(path); // of a file that is being written
    if (recording && !recording->calls().empty()) {
      found.emplace(std::move(*recording));
      break;
    }
    llvm::consumeError(recording.takeError());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->is_cut());
  EXPECT_EQ(found->calls()[0].request, "one");
}

// More than a chunk holds, from several threads; compressed.
TEST_F(RecordingTest, TakesManyCallsFromManyThreads) {
  const std::string large(3000, 'x');
  {
    auto writing = writer();
    std::vector<std::thread> threads;
    for (uint32_t thread = 1; thread <= 4; ++thread)
      threads.emplace_back([&, thread] {
        for (uint32_t i = 0; i < 1000; ++i)
          writing->call({i, thread, 1, {}, large, ""});
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_FALSE(bool(writing->finish({"exited", 0, "", 0, 0, 0})));
    writing->call({1, 1, 1, {}, "", ""}); // too late: dropped
  }
  auto recording = Recording::read(path);
  ASSERT_TRUE(bool(recording));
  ASSERT_EQ(recording->calls().size(), 4000u);
  uint32_t next[5] = {};
  for (const RecordedCall &call : recording->calls()) {
    EXPECT_EQ(call.opcode, next[call.caller]++);
    EXPECT_EQ(call.request.size(), large.size());
  }
  EXPECT_LT(content().size(), 1000000u);
}

// Small calls are written by who reports them, large ones by the writer's
// thread, both at once: they stay in the order in which they were reported.
TEST_F(RecordingTest, KeepsTheOrderOfSmallAndLargeCalls) {
  const std::string small(100, 's'), large(20000, 'l');
  constexpr uint32_t COUNT = 20000;
  auto writing = writer();
  std::vector<std::thread> threads;
  for (uint32_t thread = 1; thread <= 3; ++thread)
    threads.emplace_back([&, thread] {
      for (uint32_t i = 0; i < COUNT; ++i)
        writing->call({i, thread, 1, {}, i % 64 ? small : large, ""});
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(bool(writing->finish({"exited", 0, "", 0, 0, 0})));
  auto recording = Recording::read(path);
  ASSERT_TRUE(bool(recording));
  ASSERT_EQ(recording->calls().size(), 3 * COUNT);
  uint32_t next[4] = {};
  for (const RecordedCall &call : recording->calls()) {
    ASSERT_EQ(call.opcode, next[call.caller]++);
    ASSERT_EQ(call.request, call.opcode % 64 ? small : large);
  }
}

// A writer's thread that is woken up for them would displace another one.
TEST_F(RecordingTest, WritesManySmallCallsAtOnce) {
  auto writing = writer();
  const std::string text(100, 's');
  for (uint32_t i = 0; i < 5000; ++i)
    writing->call({i, 1, 1, {}, text, ""});
  auto recording = Recording::read(path); // of a file that is being written
  ASSERT_TRUE(bool(recording));
  EXPECT_GT(recording->calls().size(), 2000u);
}

/// Zeros and empty events pack to nearly nothing: some of them are written as
/// they are, or a reader would not grant the memory that they need.
TEST_F(RecordingTest, CanBeReadHoweverSmallItPacks) {
  auto writing = writer();
  const std::string zeros(size_t(8) << 20, 0);
  constexpr size_t LARGE = 20, EMPTY = 500000;
  for (size_t i = 0; i < LARGE; ++i)
    writing->output(1, zeros);
  for (size_t i = 0; i < EMPTY; ++i)
    writing->call({1, 0, 1, {}, "", ""});
  ASSERT_FALSE(bool(writing->finish({"exited", 0, "", 0, 0, 0})));
  llvm::Expected<Recording> recording = Recording::read(path);
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  EXPECT_EQ(recording->outputs().size(), LARGE);
  EXPECT_EQ(recording->calls().size(), EMPTY);
}

TEST_F(RecordingTest, NamesAFileThatCannotBeWritten) {
  auto none = RecordingWriter::create("/nonexistent/file");
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError()),
            "/nonexistent/file: No such file or directory");
  auto full = RecordingWriter::create("/dev/full");
  ASSERT_FALSE(bool(full));
  EXPECT_EQ(llvm::toString(full.takeError()),
            "/dev/full: No space left on device");
}

TEST_F(RecordingTest, TakesAFileOfOthersForItsUserAlone) {
  struct stat status;
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  auto first = RecordingWriter::create(path);
  ASSERT_TRUE(bool(first));
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, mode_t(0600));
  const std::string begun = content();
  auto second = RecordingWriter::create(path);
  ASSERT_FALSE(bool(second));
  EXPECT_EQ(llvm::toString(second.takeError()),
            path + ": another run is being recorded into it");
  EXPECT_EQ(content(), begun);
}

TEST_F(RecordingTest, LeavesAFifoItsMode) {
  struct stat status;
  const std::string fifo = path + ".fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0644), 0);
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  auto writing = RecordingWriter::create(fifo, "executable");
  EXPECT_TRUE(bool(writing));
  EXPECT_EQ(stat(fifo.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, mode_t(0644));
  close(reader);
  unlink(fifo.c_str());
}

TEST_F(RecordingTest, ReadsNoMoreOfADeviceThanItsBeginning) {
  auto endless = Recording::read("/dev/zero");
  ASSERT_FALSE(bool(endless));
  EXPECT_EQ(llvm::toString(endless.takeError()),
            "/dev/zero: not a recording of gpuexec --record");
}

} // namespace
