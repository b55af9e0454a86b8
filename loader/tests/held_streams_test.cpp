//===-- loader/tests/held_streams_test.cpp - Streams of --rerun -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/held_streams.h"
#include <gtest/gtest.h>

using namespace gpuexec;

namespace {

/// Puts pipes in place of this process's standard streams.
class HeldStreamsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(in.make() && out.make());
    ::fcntl(out.read.get(), F_SETFL, O_NONBLOCK);
    for (int fd : {0, 1, 2})
      before[fd] = UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
    ::dup2(in.read.get(), STDIN_FILENO);
    ::dup2(out.write.get(), STDOUT_FILENO);
    ::dup2(out.write.get(), STDERR_FILENO);
  }
  void TearDown() override {
    for (int fd : {0, 1, 2})
      ::dup2(before[fd].get(), fd);
  }
  /// What has come out so far.
  std::string seen() {
    std::string text(1 << 16, '\0');
    const ssize_t size = ::read(out.read.get(), text.data(), text.size());
    text.resize(size_t(std::max<ssize_t>(size, 0)));
    return text;
  }
  static std::string read_some(int fd, size_t size) {
    std::string text;
    char byte;
    while (text.size() < size && ::read(fd, &byte, 1) == 1)
      text += byte;
    return text;
  }
  Pipe in, out;
  UniqueFd before[3];
};

std::unique_ptr<HeldStreams> create(size_t most = HeldStreams::MOST_HELD) {
  llvm::Expected<std::unique_ptr<HeldStreams>> streams =
      HeldStreams::create(most);
  return streams ? std::move(*streams) : nullptr;
}

TEST_F(HeldStreamsTest, OnlyTheLastRunIsSeen) {
  std::unique_ptr<HeldStreams> streams = create();
  ASSERT_TRUE(streams);
  write_all(streams->output(), "first ");
  write_all(streams->errors(), "error ");
  ASSERT_TRUE(streams->begin_again());
  write_all(streams->output(), "second ");
  write_all(streams->errors(), "error ");
  write_all(streams->output(), "third");
  EXPECT_EQ(seen(), "");
  streams->pass_on();
  EXPECT_EQ(seen(), "second error third"); // one place: the order stays
}

TEST_F(HeldStreamsTest, TooMuchOutputIsPassedOnOnce) {
  std::unique_ptr<HeldStreams> streams = create(/*most=*/10);
  ASSERT_TRUE(streams);
  write_all(streams->output(), "more than ten bytes");
  EXPECT_FALSE(streams->begin_again());
  streams->pass_on();
  EXPECT_EQ(seen(), "more than ten bytes");
}

TEST_F(HeldStreamsTest, AProgramThatNeedsNoSecondRunIsSeenAtOnce) {
  std::unique_ptr<HeldStreams> streams = create();
  ASSERT_TRUE(streams);
  write_all(streams->output(), "a");
  streams->let_go();
  write_all(streams->output(), "b");
  EXPECT_FALSE(streams->begin_again());
  streams->pass_on();
  EXPECT_EQ(seen(), "ab");
}

TEST_F(HeldStreamsTest, InputFromAPipeIsReadAgain) {
  std::unique_ptr<HeldStreams> streams = create();
  ASSERT_TRUE(streams);
  write_all(in.write.get(), "one two");
  EXPECT_EQ(read_some(streams->input(), 4), "one ");
  in.write.close();
  ASSERT_TRUE(streams->begin_again());
  EXPECT_EQ(read_some(streams->input(), 100), "one two"); // and its end
  ASSERT_TRUE(streams->begin_again());
  EXPECT_EQ(read_some(streams->input(), 100), "one two");
}

TEST_F(HeldStreamsTest, TooMuchInputIsReadOnce) {
  std::unique_ptr<HeldStreams> streams = create(/*most=*/4);
  ASSERT_TRUE(streams);
  write_all(in.write.get(), "one two");
  EXPECT_EQ(read_some(streams->input(), 7), "one two");
  write_all(in.write.get(), " three");
  EXPECT_EQ(read_some(streams->input(), 6), " three");
  EXPECT_FALSE(streams->begin_again());
}

} // namespace
