//===-- debug-info/tests/demangle_test.cpp - Names of C++ functions -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "debug-info/demangle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuexec::debug_info;
using testing::ElementsAre;

TEST(Demangle, NamesOfCppBecomeReadableAndOthersStay) {
  const std::vector<std::string> names = {
      "main", "_Z3addi", "", "_ZN5space4workIdEEvPT_", "_Znonsense", "_start"};
  const auto expected =
      ElementsAre("main", "add(int)", "", "void space::work<double>(double*)",
                  "_Znonsense", "_start");
  EXPECT_THAT(demangle(names), expected);
  PreparedDemangler prepared;
  EXPECT_THAT(prepared.demangle(names), expected);
  EXPECT_THAT(prepared.demangle({"_Z1fv"}), ElementsAre("f()"));
}

TEST(Demangle, NamesOfTypesAreThoseOfTheLibrary) {
  PreparedDemangler prepared;
  const std::pair<const char *, const char *> types[] = {
      {"i", "int"},
      {"PKc", "char const*"},
      {"St13runtime_error", "std::runtime_error"},
      {"St6vectorIS_IiSaIiEESaIS1_EE",
       "std::vector<std::vector<int, std::allocator<int> >, "
       "std::allocator<std::vector<int, std::allocator<int> > > >"},
      {"_Z3addi", ""}, // no type
      {"*nonsense", ""},
      {"", ""}};
  for (const auto &[mangled, readable] : types) {
    EXPECT_EQ(type_name(mangled), readable) << mangled;
    EXPECT_EQ(prepared.type_name(mangled), readable) << mangled;
  }
  EXPECT_EQ(type_name(std::string("i\0i", 3)), "");
  EXPECT_EQ(type_name(std::string(100000, 'P') + "v"), "");
}

// Each parameter is a function type with the one before twice: the text doubles
// with each of them.
static std::string growing_name(unsigned doublings) {
  std::string name = "_Z1fPFvvE";
  for (unsigned k = 0; k < doublings; ++k) {
    std::string last = "S"; // the newest type of the name: number 2 * k + 1
    for (unsigned number = 2 * k, unit = number < 36 ? 1 : 36; unit; unit /= 36)
      last += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number / unit % 36];
    last += '_';
    name += "PFv" + last + last + "E";
  }
  return name;
}

TEST(Demangle, ANameThatGrowsWithoutEndStaysAsItIs) {
  const Limits limits = {.seconds = 1, .memory = size_t(64) << 20};
  const std::string readable = demangle({growing_name(3)})[0];
  EXPECT_THAT(readable, testing::StartsWith("f(void (*)(), void (*)(void"));
  for (unsigned doublings : {14, 60}) {
    const std::string name = growing_name(doublings);
    EXPECT_THAT(demangle({name}, limits), ElementsAre(name)) << doublings;
  }
  const std::string deep = "_Z1f" + std::string(100000, 'P') + "v";
  EXPECT_THAT(demangle({deep}), ElementsAre(deep));
}
