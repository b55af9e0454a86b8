//===-- loader/tests/arguments_test.cpp - argv and envp as bytes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/program/arguments.h"
#include <cstring>
#include <gtest/gtest.h>
#include <string>

using namespace gpuexec;

namespace {

/// Reads a list of strings back as the device would.
std::vector<std::string> read_list(const std::vector<std::byte> &memory,
                                   uint64_t base, uint64_t offset) {
  std::vector<std::string> strings;
  for (;; offset += 8) {
    uint64_t pointer;
    std::memcpy(&pointer, memory.data() + offset, sizeof(pointer));
    if (!pointer)
      return strings;
    EXPECT_GE(pointer, base);
    EXPECT_LT(pointer - base, memory.size());
    const char *text =
        reinterpret_cast<const char *>(memory.data() + (pointer - base));
    strings.emplace_back(text, strnlen(text, memory.size() - (pointer - base)));
  }
}

struct Copied {
  std::vector<std::string> argv, envp;
};

Copied round_trip(const std::vector<std::string> &argv,
                  const std::vector<std::string> &envp) {
  ArgumentBlock block(argv, envp);
  EXPECT_EQ(block.argc(), int(argv.size()));
  std::vector<std::byte> memory(block.size());
  constexpr uint64_t BASE = 0x7f0000001000;
  block.fill(memory.data(), DeviceAddress(BASE));
  return {read_list(memory, BASE, block.argv_offset()),
          read_list(memory, BASE, block.envp_offset())};
}

TEST(ArgumentBlock, KeepsEveryByte) {
  std::vector<std::string> argv = {"./image", "", "\xff\xfe not UTF-8",
                                   std::string(100000, 'x')};
  std::vector<std::string> envp = {"A=1", "EMPTY=", "BYTES=\x80"};
  Copied copied = round_trip(argv, envp);
  EXPECT_EQ(copied.argv, argv);
  EXPECT_EQ(copied.envp, envp);
}

TEST(ArgumentBlock, TenThousandArguments) {
  std::vector<std::string> argv;
  for (int i = 0; i < 10000; ++i)
    argv.push_back(std::to_string(i));
  Copied copied = round_trip(argv, {});
  EXPECT_EQ(copied.argv, argv);
  EXPECT_TRUE(copied.envp.empty());
}

TEST(ArgumentBlock, NothingAtAll) {
  Copied copied = round_trip({}, {});
  EXPECT_TRUE(copied.argv.empty());
  EXPECT_TRUE(copied.envp.empty());
  EXPECT_EQ(ArgumentBlock({}, {}).size(), 16u); // two nulls
}

TEST(StartArguments, LayoutOfTheContract) {
  StartArguments arguments{3, DeviceAddress(0x1111222233334444),
                           DeviceAddress(0x5555666677778888),
                           DeviceAddress(0x9999aaaabbbbcccc)};
  std::vector<std::byte> block = arguments.bytes(StartArguments::START_SIZE);
  ASSERT_EQ(block.size(), 32u);
  auto word = [&](size_t offset) {
    uint64_t value;
    std::memcpy(&value, block.data() + offset, sizeof(value));
    return value;
  };
  EXPECT_EQ(word(0), 3u); // argc, and zero padding
  EXPECT_EQ(word(8), 0x1111222233334444u);
  EXPECT_EQ(word(16), 0x5555666677778888u);
  EXPECT_EQ(word(24), 0x9999aaaabbbbccccu);
  std::vector<std::byte> begin = arguments.bytes(StartArguments::BEGIN_SIZE);
  EXPECT_EQ(begin, std::vector<std::byte>(block.begin(), block.begin() + 24));
}

} // namespace
