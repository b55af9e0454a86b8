//===-- loader/image/tests/compatibility_test.cpp - Which device runs it --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_images.h"

using namespace gpuexec;

static std::string mismatch(const Image &image, const char *device) {
  return llvm::toString(image.runs_on(device));
}

TEST(RunsOn, Amdgpu) {
  Loaded plain = parse("gfx90a"), strict = parse("gfx90a-xnack"),
         generic = parse("gfx9-4-generic");
  EXPECT_EQ(mismatch(plain.only(), "gfx90a:sramecc+:xnack+"), "");
  EXPECT_EQ(mismatch(plain.only(), "gfx90a"), "");
  EXPECT_THAT(
      mismatch(plain.only(), "gfx942:sramecc+:xnack-"),
      testing::EndsWith(
          "gfx90a: built for gfx90a, the device is gfx942:sramecc+:xnack-"));
  EXPECT_EQ(mismatch(strict.only(), "gfx90a:sramecc+:xnack-"), "");
  EXPECT_THAT(mismatch(strict.only(), "gfx90a:sramecc+:xnack+"),
              testing::HasSubstr("xnack is set the other way"));
  EXPECT_EQ(mismatch(generic.only(), "gfx942:sramecc+:xnack-"), "");
  EXPECT_EQ(mismatch(generic.only(), "gfx950:sramecc+:xnack-"), "");
  EXPECT_NE(mismatch(generic.only(), "gfx90a:sramecc+:xnack-"), "");
  EXPECT_NE(mismatch(plain.only(), "sm_90"), "");
}

TEST(RunsOn, Ptx) {
  auto runs = [](const char *target, const char *device) {
    Loaded image =
        parse_text(std::string(".version 8.6\n.target ") + target + "\n");
    return mismatch(image.only(), device).empty();
  };
  EXPECT_TRUE(runs("sm_70", "sm_70"));
  EXPECT_TRUE(runs("sm_70", "sm_120"));
  EXPECT_FALSE(runs("sm_90", "sm_89"));
  EXPECT_TRUE(runs("sm_90a", "sm_90"));
  EXPECT_FALSE(runs("sm_90a", "sm_100"));
  EXPECT_TRUE(runs("sm_100f", "sm_103"));
  EXPECT_FALSE(runs("sm_100f", "sm_120"));
  EXPECT_FALSE(runs("sm_70", "gfx942"));
}

TEST(RunsOn, Cubin) {
  SKIP_WITHOUT_PTXAS();
  Loaded turing = parse("sm_75"), blackwell = parse("sm_100");
  EXPECT_EQ(mismatch(turing.only(), "sm_75"), "");
  EXPECT_NE(mismatch(turing.only(), "sm_72"), "");
  EXPECT_NE(mismatch(turing.only(), "sm_80"), "");
  EXPECT_EQ(mismatch(blackwell.only(), "sm_103"), "");
  EXPECT_NE(mismatch(blackwell.only(), "sm_120"), "");
}

TEST(Choose, BestOfSeveral) {
  Loaded bundle = parse("bundle");
  auto chosen = Image::choose(bundle.images, "gfx90a:sramecc+:xnack-");
  ASSERT_TRUE(static_cast<bool>(chosen));
  EXPECT_EQ((*chosen)->arch(), "gfx90a");
  auto none = Image::choose(bundle.images, "gfx1100");
  ASSERT_FALSE(static_cast<bool>(none));
  EXPECT_THAT(
      llvm::toString(none.takeError()),
      testing::EndsWith("bundle: no image for gfx1100 among gfx942, gfx90a"));
  if (HAS_PTXAS < 2)
    return;
  Loaded fatbin = parse("fatbin-none");
  auto exact = Image::choose(fatbin.images, "sm_90"),
       older = Image::choose(fatbin.images, "sm_80");
  ASSERT_TRUE(exact && older);
  EXPECT_EQ((*exact)->format(), Image::Format::cubin);
  EXPECT_EQ((*older)->format(), Image::Format::ptx);
}
