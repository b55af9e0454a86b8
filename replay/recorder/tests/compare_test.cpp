//===-- replay/recorder/tests/compare_test.cpp - Two recordings side by side ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/compare.h"
#include "replay/recorder/recording.h"
#include "rpc/protocol/protocol.h"
#include "support/packed.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace gpuexec;
using record::compare;
using record::Comparison;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string numbers(std::initializer_list<uint64_t> all) {
  std::string text;
  for (uint64_t number : all)
    pack_number(text, number);
  return text;
}

/// A recording under construction. Its grid is one wave, unless `threads` is
/// more.
class Made {
public:
  explicit Made(RecordedFacts facts = {{"image target", {"gfx942"}}},
                const char *threads = "1") {
    const int fd = mkstemp(path.data());
    EXPECT_GE(fd, 0);
    close(fd);
    auto created = RecordingWriter::create(path);
    EXPECT_TRUE(bool(created));
    writer = std::move(*created);
    facts.insert({"threads", {threads, "1", "1"}});
    writer->begin(facts, "image");
  }
  ~Made() { unlink(path.c_str()); }
  Made(const Made &) = delete;

  Made &call(uint32_t opcode, uint32_t caller, uint64_t mask,
             const std::string &request, const std::string &answer,
             llvm::ArrayRef<uint64_t> addresses = {}) {
    writer->call({opcode, caller, mask, addresses, request, answer});
    return *this;
  }
  Recording end(int64_t status = 0) {
    EXPECT_FALSE(bool(writer->finish({"exited", status, ""})));
    llvm::Expected<Recording> read = Recording::read(path);
    EXPECT_TRUE(bool(read));
    return std::move(*read);
  }

private:
  std::string path = "/tmp/compare-XXXXXX";
  std::unique_ptr<RecordingWriter> writer;
};

std::vector<std::string> texts(const Comparison &found) {
  std::vector<std::string> all;
  for (const record::Difference &difference : found.differences)
    all.push_back(difference.what);
  return all;
}

TEST(Compare, AnAnswerThatDiffersDoesNotHideTheCall) {
  Made a, b;
  Recording then =
      a.call(RPC_CLOCK_GETTIME, 1, 1, numbers({0}), numbers({0, 5, 6, 0}))
          .call(RPC_UMASK, 1, 1, numbers({18}), numbers({0, 0}))
          .end();
  Recording now =
      b.call(RPC_CLOCK_GETTIME, 1, 1, numbers({0}), numbers({0, 5, 7, 0}))
          .call(RPC_UMASK, 1, 1, numbers({19}), numbers({0, 0}))
          .end();
  Comparison found = compare(then, now);
  EXPECT_THAT(texts(found),
              ElementsAre("CLOCK_GETTIME: answer: lane 0: ns: expected 6, "
                          "found 7",
                          "UMASK: lane 0: mask: expected 18, found 19"));
  EXPECT_EQ(found.differences[1].first, 1u);
  EXPECT_EQ(found.differences[1].second, 1u);
}

TEST(Compare, AnAddressIsAPlaceInABlockOfMemory) {
  auto make = [](Made &made, uint64_t block, uint64_t place) {
    return made.call(RPC_ALLOCATE, 1, 1, numbers({100, 8}), numbers({block, 0}))
        .call(RPC_BULK_READ, 1, 1, numbers({0, 5, uint64_t(-1)}),
              std::string("\0", 1) + numbers({0, 1, 0}), {place})
        .end();
  };
  Made a, b, c;
  Recording then = make(a, 0x1000, 0x1010), now = make(b, 0x7000, 0x7010),
            elsewhere = make(c, 0x7000, 0x7018);
  EXPECT_THAT(texts(compare(then, now)), IsEmpty());
  EXPECT_THAT(texts(compare(then, elsewhere)),
              ElementsAre(HasSubstr("another address of the device")));
}

TEST(Compare, DescriptorsAreWhatTheyWereGivenFor) {
  auto make = [](Made &made, uint64_t x, uint64_t y, uint64_t used) {
    const std::string opening =
        std::string("\2x\0", 3) + numbers({0, 0}); // path, flags, mode
    return made.call(RPC_OPEN, 1, 1, opening, numbers({x, 0}))
        .call(RPC_OPEN, 2, 1, opening, numbers({y, 0}))
        .call(RPC_FSYNC, 2, 1, numbers({used}), numbers({0, 0}))
        .end();
  };
  const RecordedFacts facts = {{"image target", {"gfx942"}}};
  Made a(facts, "256"), b(facts, "256"), c(facts, "256");
  Recording then = make(a, 3, 4, 4), now = make(b, 4, 3, 3),
            other = make(c, 4, 3, 4);
  EXPECT_THAT(texts(compare(then, now)), IsEmpty());
  EXPECT_THAT(texts(compare(then, other)),
              ElementsAre("wave 1, lanes 0x1: FSYNC: lane 0: descriptor: "
                          "expected 4, found 3"));
}

TEST(Compare, LanesThatComeTogetherOtherwiseAreTheSame) {
  Made a, b;
  Recording then =
      a.call(RPC_UMASK, 1, 3, numbers({1, 2}), numbers({7, 0, 7, 0})).end();
  Recording now = b.call(RPC_UMASK, 1, 2, numbers({2}), numbers({7, 0}))
                      .call(RPC_UMASK, 1, 1, numbers({1}), numbers({7, 0}))
                      .end();
  Comparison found = compare(then, now);
  EXPECT_THAT(texts(found), IsEmpty());
  EXPECT_THAT(found.notes,
              ElementsAre(HasSubstr("lanes come together otherwise")));
}

TEST(Compare, AThreadIsTheSameInWavesOfAnotherSize) {
  Made wide({{"image target", {"gfx942"}}}, "256"),
      narrow({{"image target", {"gfx1100"}}}, "256");
  // Thread 40 of the second block.
  Recording then =
      wide.call(RPC_UMASK, 5, uint64_t(1) << 40, numbers({1}), numbers({7, 0}))
          .call(RPC_UMASK, 1, 1, numbers({2}), numbers({7, 0}))
          .end();
  Recording now =
      narrow.call(RPC_UMASK, 1, 1, numbers({2}), numbers({7, 0}))
          .call(RPC_UMASK, 10, 1 << 8, numbers({3}), numbers({7, 0}))
          .end();
  EXPECT_THAT(texts(compare(then, now)),
              ElementsAre("wave 4, lanes 0x10000000000: UMASK: lane 40: mask: "
                          "expected 1, found 3"));
}

TEST(Compare, AnotherStatusIsTheEnd) {
  Made a, b;
  Recording then = a.end(0), now = b.end(3);
  EXPECT_THAT(texts(compare(then, now)),
              ElementsAre("end: expected exited with 0, found exited with 3"));
}

} // namespace
