// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/fat_binary.h"
#include "toolchain/cuda/fatbin/fatbin.h"
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

namespace gpuexec {
namespace {

template <typename T> T at(const std::string &bytes, size_t offset) {
  T value;
  memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(Fatbin, HeaderHasTheSizeOfTheEntries) {
  const std::string made = make_fatbin({{FatbinEntry::PTX, 80, "text"}});
  EXPECT_EQ(at<uint32_t>(made, 0), 0xba55ed50u);
  EXPECT_EQ(at<uint16_t>(made, 4), 1);
  EXPECT_EQ(at<uint16_t>(made, 6), 16);
  EXPECT_EQ(at<uint64_t>(made, 8), made.size() - 16);
}

TEST(Fatbin, PtxEndsWithAZeroByteEvenWhereItFillsAWord) {
  const std::string made = make_fatbin({{FatbinEntry::PTX, 80, "12345678"}});
  EXPECT_EQ(at<uint64_t>(made, 16 + 8), 16u);
  EXPECT_STREQ(made.c_str() + 16 + 80, "12345678");
}

TEST(Fatbin, EntryNamesProcessorAndPtxVersion) {
  const std::string made =
      make_fatbin({{FatbinEntry::PTX, 75, "//\n.version 8.4\n"}});
  EXPECT_EQ(at<uint16_t>(made, 16), 1);
  EXPECT_EQ(at<uint16_t>(made, 16 + 24), 4);
  EXPECT_EQ(at<uint16_t>(made, 16 + 26), 8);
  EXPECT_EQ(at<uint32_t>(made, 16 + 28), 75u);
  EXPECT_EQ(at<uint64_t>(made, 16 + 40), 0x11u);
}

// NVIDIA's driver follows the offset without a look.
TEST(Fatbin, PtxHasOptionsAndACubinHasNone) {
  const std::string ptx = make_fatbin({{FatbinEntry::PTX, 80, "text"}});
  const auto options = at<uint32_t>(ptx, 16 + 20);
  EXPECT_EQ(options, 64u);
  EXPECT_EQ(at<uint32_t>(ptx, 16 + 4), 80u);
  EXPECT_EQ(at<uint32_t>(ptx, 16 + options), 72u);
  EXPECT_EQ(at<uint32_t>(ptx, 16 + options + 4), 0u);
  const std::string cubin = make_fatbin({{FatbinEntry::CUBIN, 80, "code"}});
  EXPECT_EQ(at<uint32_t>(cubin, 16 + 4), 64u);
  EXPECT_EQ(at<uint32_t>(cubin, 16 + 20), 0u);
}

TEST(Fatbin, RelocatableCodeHasAMark) {
  for (const bool relocatable : {false, true}) {
    const std::string made =
        make_fatbin({{FatbinEntry::PTX, 80, "text", relocatable}});
    EXPECT_EQ((at<uint64_t>(made, 16 + 40) & FAT_BINARY_RELOCATABLE) != 0,
              relocatable);
  }
}

TEST(Fatbin, EntriesFollowEachOther) {
  const std::string made = make_fatbin(
      {{FatbinEntry::CUBIN, 86, "cubin"}, {FatbinEntry::PTX, 86, "ptx"}});
  EXPECT_EQ(at<uint16_t>(made, 16), 2);
  const size_t second = 16 + 64 + at<uint64_t>(made, 16 + 8);
  EXPECT_EQ(at<uint16_t>(made, second), 1);
  EXPECT_EQ(second + 80 + at<uint64_t>(made, second + 8), made.size());
}

TEST(Fatbin, WhatOtherFilesHaveIsUndefined) {
  const std::string text =
      ".extern .func  (.param .b32 func_retval0) _Z5otheri\n"
      "(\n\t.param .b32 _Z5otheri_param_0\n)\n;\n"
      ".extern .func plain\n()\n;\n"
      ".extern .func  (.param .b32 r) vprintf\n(\n)\n;\n"
      ".extern .shared .align 4 .b8 dynamic[];\n"
      ".extern .global .align 4 .u32 counter;\n"
      ".extern .const .align 4 .b8 table[];\n"
      ".visible .func defined()\n{\n}\n";
  EXPECT_EQ(undefined_in(text), (std::vector<std::string>{"other(int)", "plain",
                                                          "counter", "table"}));
  EXPECT_TRUE(undefined_in(".extern .func").empty());
  EXPECT_TRUE(undefined_in(".extern .func (").empty());
}

TEST(Fatbin, WrongDescriptionsAreErrors) {
  for (const char *wrong : {"ptx", "ptx,80", "elf,80,file", ""}) {
    std::string problem;
    read_entry(wrong, problem);
    EXPECT_NE(problem, "") << wrong;
  }
  std::string problem;
  read_entry("ptx,80,/no/such/file", problem);
  EXPECT_EQ(problem, "/no/such/file: No such file or directory");
}

} // namespace
} // namespace gpuexec
