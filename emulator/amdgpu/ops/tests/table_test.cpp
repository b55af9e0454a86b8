//===-- emulator/amdgpu/ops/tests/table_test.cpp --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables: what each instruction gives for chosen operands, that none is
// without an expectation, and that what clang emits has a definition.
//===----------------------------------------------------------------------===//
#include "call.h"
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace gpuexec::emulator::ops::tests {
namespace {

struct Expectation {
  std::string mnemonic;
  std::vector<uint64_t> operands;
  Result result;
  unsigned line;
};

std::vector<std::string> lines_of(const char *name) {
  std::ifstream file(std::string(OPS_TEST_DATA "/") + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

std::vector<Expectation> expectations() {
  std::vector<Expectation> all;
  unsigned number = 0;
  for (const std::string &line : lines_of("expectations.txt")) {
    ++number;
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream words(line);
    Expectation e{{}, {}, {}, number};
    words >> e.mnemonic >> std::hex;
    for (std::string word; words >> word && word != "=";)
      e.operands.push_back(std::stoull(word, nullptr, 16));
    words >> e.result.value;
    if (unsigned bit; words >> bit)
      e.result.bit = bit != 0;
    all.push_back(e);
  }
  return all;
}

TEST(Expectations, AllMet) {
  std::vector<Expectation> all = expectations();
  ASSERT_GT(all.size(), 4000u);
  for (const Expectation &e : all) {
    auto function = functions().find(e.mnemonic);
    ASSERT_NE(function, functions().end())
        << "line " << e.line << ": unknown " << e.mnemonic;
    ASSERT_EQ(function->second.operands, e.operands.size())
        << "line " << e.line;
    Result actual = function->second.call(DEFAULT_MODE, e.operands.data());
    EXPECT_EQ(actual.value, e.result.value)
        << "line " << e.line << ": " << e.mnemonic << std::hex << " gives "
        << actual.value << ", expected " << e.result.value;
    EXPECT_EQ(actual.bit, e.result.bit)
        << "line " << e.line << ": " << e.mnemonic;
  }
}

TEST(Expectations, NoInstructionIsWithout) {
  std::set<std::string> covered;
  for (const Expectation &e : expectations())
    covered.insert(e.mnemonic);
  for (const auto &[name, function] : functions())
    EXPECT_TRUE(covered.count(name))
        << name << " has no line in expectations.txt";
}

TEST(Tables, NoMnemonicTwice) {
  std::set<std::string> seen;
  for (const std::string &name : mnemonics())
    EXPECT_TRUE(seen.insert(name).second) << name;
  EXPECT_GT(seen.size(), 480u);
}

// Lines of clang_mnemonics.txt: a mnemonic; "!" in front of those that need the
// wave and are the interpreter's own.
TEST(Tables, WhatClangEmitsIsDefined) {
  unsigned defined = 0;
  for (std::string name : lines_of("clang_mnemonics.txt")) {
    if (name.empty() || name[0] == '#' || name[0] == '!')
      continue;
    for (const char *suffix : {"_sdwa", "_dpp"})
      if (name.ends_with(suffix))
        name.resize(name.size() - std::string(suffix).size());
    EXPECT_TRUE(functions().count(name)) << name;
    ++defined;
  }
  EXPECT_GT(defined, 290u);
}

} // namespace
} // namespace gpuexec::emulator::ops::tests
