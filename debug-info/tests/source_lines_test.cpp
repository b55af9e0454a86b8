//===-- debug-info/tests/source_lines_test.cpp - Lines of addresses -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "debug-info/parts.h"
#include "test/support/images_from_yaml.h"

#include <gmock/gmock.h>

using namespace gpuexec::debug_info;
using testing::HasSubstr;

TEST(SourceLines, LineTablesAloneNameTheLine) {
  const std::string image = image_with_lines();
  SourceLines lines = read_source_lines(
      {image}, {0x1000, 0x103f, 0x1040, 0x1100, 0x0, ~uint64_t(0)},
      Reading::line_tables_alone);
  EXPECT_EQ(lines.trouble, "");
  ASSERT_EQ(lines.frames.size(), 6u);
  for (auto [index, line] : {std::pair(0, 7u), {1, 7u}, {2, 8u}}) {
    ASSERT_EQ(lines.frames[index].size(), 1u) << index;
    EXPECT_EQ(lines.frames[index][0].file, "/home/user/list.c");
    EXPECT_EQ(lines.frames[index][0].line, line);
  }
  EXPECT_EQ(lines.frames[2][0].begin, 0x1040u);
  for (int index : {3, 4, 5})
    EXPECT_TRUE(lines.frames[index].empty()) << index;
}

TEST(PreparedLines, AreReadLater) {
  std::string image = image_with_lines();
  PreparedLines prepared(image, Reading::line_tables_alone);
  image.assign(image.size(), 'x');
  for (int i = 0; i < 2; ++i) {
    SourceLines lines = prepared.read({0x1040, 0x5000});
    EXPECT_EQ(lines.trouble, "");
    ASSERT_EQ(lines.frames.size(), 2u);
    ASSERT_EQ(lines.frames[0].size(), 1u);
    EXPECT_EQ(lines.frames[0][0].line, 8u);
    EXPECT_TRUE(lines.frames[1].empty());
  }
  SourceLines none = PreparedLines("text", Reading::inlining).read({0x1000});
  EXPECT_EQ(none.trouble, "");
  EXPECT_EQ(none.frames.size(), 1u);
}

TEST(SourceLines, WhatIsNoImageHasNone) {
  SourceLines lines = read_source_lines({"",
                                         "\x7f"
                                         "ELF",
                                         "text"},
                                        {1, 2}, Reading::inlining);
  EXPECT_EQ(lines.trouble, "");
  EXPECT_EQ(lines.frames.size(), 2u);
}

TEST(SourceLines, TheEndOfTheReaderIsTold) {
  // No memory at all to read with.
  Limits limits;
  limits.max_answer = 0;
  const std::string image = image_with_lines();
  SourceLines lines =
      read_source_lines({image}, {0x1000}, Reading::line_tables_alone, limits);
  EXPECT_THAT(lines.trouble, HasSubstr("the debug information cannot be read"));
  ASSERT_EQ(lines.frames.size(), 1u);
  EXPECT_TRUE(lines.frames[0].empty());
}

static AllFrames some_frames() {
  AllFrames frames(3);
  frames[0] = {{"f", "a.c", 1, 2, 3}, {"", "", 0, 0, 0}};
  frames[2] = {{std::string(5000, 'n'), "b.c", ~0u, ~0u, ~uint64_t(0)}};
  return frames;
}

TEST(SourceLines, PackedFramesAreUnpacked) {
  auto frames = unpack(pack(some_frames()), 3);
  ASSERT_TRUE(frames);
  EXPECT_EQ((*frames)[0].size(), 2u);
  EXPECT_EQ((*frames)[0][0].file, "a.c");
  EXPECT_EQ((*frames)[0][0].begin, 3u);
  EXPECT_TRUE((*frames)[1].empty());
  EXPECT_EQ((*frames)[2][0].function, std::string(1024, 'n'));
  EXPECT_EQ((*frames)[2][0].line, ~0u);
}

TEST(SourceLines, AnAnswerThatLiesIsNotTaken) {
  const std::string good = pack(some_frames());
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(unpack(llvm::StringRef(good).take_front(size), 3)) << size;
  EXPECT_FALSE(unpack(good + "x", 3));
  EXPECT_FALSE(unpack(good, 2));
  EXPECT_FALSE(unpack(good, 4));
  std::string many = good;
  many[0] = 65; // more frames than are kept
  EXPECT_FALSE(unpack(many, 3));
  many = good;
  many[15] = char(0x80); // a name's length
  EXPECT_FALSE(unpack(many, 3));
}
