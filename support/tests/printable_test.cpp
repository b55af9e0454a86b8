//===-- support/tests/printable_test.cpp - Strangers' text ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/printable.h"

#include <gtest/gtest.h>

using gpuexec::printable;

TEST(Printable, LeavesTextAlone) {
  for (const char *text : {"", "main", "a b\\c 'd'", "Grüße", "数学", "😀",
                           "std::vector<int>::push_back(int&&)"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlsAreShown) {
  EXPECT_EQ(printable("a\x1b[31mred"), "a\\x1b[31mred");
  EXPECT_EQ(printable("\r\n\t\a\b"), "\\x0d\\x0a\\x09\\x07\\x08");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, ControlsBeyondAsciiAreShown) {
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m"); // CSI in one character
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae"); // right to left
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8"); // line separator
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");
}

TEST(Printable, WhatIsNotUtf8IsShown) {
  EXPECT_EQ(printable("\x9b"), "\\x9b"); // CSI in Latin-1
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\\xffb");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xc1\x9b"), "\\xc1\\x9b");          // overlong
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b"); // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, LinesStayLines) {
  using gpuexec::printable_lines;
  EXPECT_EQ(printable_lines("a\x1b\n\n b\r\n"), "a\\x1b\n\n b\\x0d\n");
  EXPECT_EQ(printable_lines("a\t"), "a\\x09");
  EXPECT_EQ(printable_lines(""), "");
}

TEST(Printable, TwiceIsOnce) {
  std::string once = printable("\x1b\xff");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, JsonKeepsItsMeaning) {
  using gpuexec::printable_json;
  EXPECT_EQ(printable_json("{\n  \"a\": \"b\\u001b\"\n}\n"),
            "{\n  \"a\": \"b\\u001b\"\n}\n");
  EXPECT_EQ(printable_json("\"\xc2\x9b\x7f\""), "\"\\u009b\\u007f\"");
  EXPECT_EQ(printable_json("\"\xe2\x80\xae\""), "\"\\u202e\"");
  EXPECT_EQ(printable_json("\"\xf3\xa0\x80\x81\""), "\"\\udb40\\udc01\"");
  EXPECT_EQ(printable_json("\"ü😀\""), "\"ü😀\"");
}
