//===-- loader/info/tests/checks_test.cpp - Bounds and comparisons --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/info/checks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuexec;
using namespace gpuexec::info;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Two kernels whose numbers the test sets.
class Checks : public testing::Test {
protected:
  void SetUp() override {
    auto parsed = Image::parse(
        llvm::MemoryBufferRef(".version 8.8\n.target sm_75\n.entry _start() { "
                              "ret; }\n.entry other() { ret; }\n",
                              "k.ptx"));
    ASSERT_TRUE(static_cast<bool>(parsed));
    image.emplace(std::move(*parsed));
    remake(10, 20, 0);
  }
  void remake(uint32_t start, uint32_t other, std::optional<uint32_t> spills) {
    std::map<std::string, Resources> exact;
    exact["_start"].vgprs = start;
    exact["other"].vgprs = other;
    exact["_start"].vgpr_spills = exact["other"].vgpr_spills = spills;
    reports.clear();
    auto report = make_report("k.ptx", *image, {}, std::move(exact));
    ASSERT_TRUE(static_cast<bool>(report));
    reports.push_back(std::move(*report));
  }
  std::vector<std::string> limited(Column column, const char *text) {
    std::vector<std::string> findings;
    auto limits = Limits::parse(column, text);
    if (!limits)
      return {"error: " + llvm::toString(limits.takeError())};
    limits->check(reports, findings);
    return findings;
  }
  std::string json() {
    std::string text;
    llvm::raw_string_ostream os(text);
    print_json(os, reports);
    return text;
  }
  std::vector<std::string> grown(const std::string &old,
                                 const char *threshold) {
    changes.clear();
    std::vector<std::string> findings;
    if (llvm::Error error =
            compare(reports, old, llvm::cantFail(Threshold::parse(threshold)),
                    Compared::kernels, changes, findings))
      return {"error: " + llvm::toString(std::move(error))};
    return findings;
  }
  std::optional<Image> image;
  std::vector<std::unique_ptr<ImageReport>> reports;
  std::vector<std::string> changes;
};

} // namespace

TEST_F(Checks, FirstPatternHolds) {
  EXPECT_THAT(limited(Column::vgprs, "_start=10,*=20"), IsEmpty());
  EXPECT_THAT(
      limited(Column::vgprs, "_start=9,*=20"),
      ElementsAre("k.ptx: kernel '_start': 10 registers, at most 9 allowed"));
  EXPECT_THAT(
      limited(Column::vgprs, "15"),
      ElementsAre("k.ptx: kernel 'other': 20 registers, at most 15 allowed"));
  EXPECT_THAT(
      limited(Column::vgprs, "o*=19,*=1"),
      ElementsAre("k.ptx: kernel '_start': 10 registers, at most 1 allowed",
                  "k.ptx: kernel 'other': 20 registers, at most 19 allowed"));
}

TEST_F(Checks, WhatIsNotKnownDoesNotPass) {
  remake(10, 20, std::nullopt);
  EXPECT_THAT(limited(Column::spills, "0").size(), 2u);
  EXPECT_EQ(
      limited(Column::spills, "0")[0],
      "k.ptx: kernel '_start': spilled registers not known, at most 0 allowed");
}

TEST_F(Checks, AMisspeltKernelDoesNotPass) {
  EXPECT_THAT(limited(Column::vgprs, "_strat=64"),
              ElementsAre("no kernel '_strat' to limit"));
}

TEST_F(Checks, BadLimits) {
  EXPECT_THAT(limited(Column::vgprs, "_start="),
              ElementsAre("error: '_start=' is not a number or KERNEL=NUMBER"));
  EXPECT_THAT(limited(Column::vgprs, "=4"),
              ElementsAre("error: '=4' is not a number or KERNEL=NUMBER"));
  EXPECT_THAT(limited(Column::vgprs, "[=4").front(),
              testing::StartsWith("error: '[': "));
}

TEST_F(Checks, GrowthBeyondTheThreshold) {
  std::string old = json();
  EXPECT_THAT(grown(old, "0"), IsEmpty());
  EXPECT_THAT(changes, IsEmpty());
  remake(11, 18, 0);
  EXPECT_THAT(
      grown(old, "0"),
      ElementsAre("k.ptx: kernel '_start': registers 10 -> 11 (+10.0%)"));
  EXPECT_THAT(
      changes,
      ElementsAre("k.ptx: kernel 'other': registers 20 -> 18 (-10.0%)"));
  EXPECT_THAT(grown(old, "1"), IsEmpty());
  EXPECT_THAT(grown(old, "10%"), IsEmpty());
  EXPECT_THAT(grown(old, "9%").size(), 1u);
  remake(10, 20, 3);
  EXPECT_THAT(
      grown(old, "50%"),
      testing::SizeIs(2)); // from none to three is beyond every percentage
}

TEST_F(Checks, KernelsComeAndGo) {
  std::string old = json();
  size_t position;
  while ((position = old.find("\"other\"")) != std::string::npos)
    old.replace(position, 7, "\"older\"");
  EXPECT_THAT(grown(old, "0"), IsEmpty());
  EXPECT_THAT(changes, ElementsAre("k.ptx: kernel 'other': new",
                                   "k.ptx: kernel 'older': gone"));
}

TEST_F(Checks, NothingToCompareWithDoesNotPass) {
  std::string old = json();
  old.replace(old.find("\"target\": \"sm_75\""), 17, "\"target\": \"sm_99\"");
  EXPECT_THAT(grown(old, "0"),
              ElementsAre("k.ptx: no earlier image for sm_75 to compare with"));
  EXPECT_THAT(grown("{}", "0"),
              ElementsAre("error: not what gpuexec-info --json writes"));
  EXPECT_THAT(grown("{", "0").front(), testing::StartsWith("error: "));
}
