//===-- loader/image/tests/container_test.cpp - Several images in a file --===//
#include "test_images.h"
#include "llvm/Support/Endian.h"

using namespace gpuexec;
using testing::ElementsAre;
using testing::HasSubstr;

static std::vector<std::string> targets(const Loaded &loaded) {
  std::vector<std::string> all;
  for (const Image &image : loaded.images)
    all.push_back(image.target_id().str());
  return all;
}

TEST(Container, OffloadBinary) {
  Loaded loaded = parse("offload");
  EXPECT_THAT(targets(loaded), ElementsAre("gfx942", "sm_75"));
  EXPECT_TRUE(loaded.images[0].name().ends_with("offload(gfx942)"))
      << loaded.images[0].name().str();
  EXPECT_EQ(loaded.images[0].bytes(), load("gfx942")->getBuffer());
  EXPECT_TRUE(loaded.images[1].find_kernel("_start"));
}

TEST(Container, Bundle) {
  EXPECT_THAT(targets(parse("bundle")), ElementsAre("gfx942", "gfx90a"));
  Loaded packed = parse("bundle-packed");
  EXPECT_THAT(targets(packed), ElementsAre("gfx942", "gfx90a"));
  EXPECT_EQ(packed.images[1].bytes(), load("gfx90a")->getBuffer());
}

TEST(Container, HostProgram) {
  EXPECT_THAT(targets(parse("host-program")), ElementsAre("gfx942", "sm_75"));
}

TEST(Container, Fatbin) {
  if (HAS_PTXAS < 2)
    GTEST_SKIP() << "no fatbinary on this machine";
  for (const char *name :
       {"fatbin-none", "fatbin-speed", "fatbin-default"}) { // plain, LZ4, zstd
    SCOPED_TRACE(name);
    Loaded loaded = parse(name);
    EXPECT_THAT(targets(loaded), ElementsAre("sm_90", "sm_75"));
    EXPECT_EQ(loaded.images[0].bytes(), load("sm_90")->getBuffer());
    EXPECT_EQ(loaded.images[1].format(), Image::Format::ptx);
    EXPECT_TRUE(loaded.images[1].find_kernel("_start"));
  }
}

TEST(Container, OneOfSeveralIsAQuestion) {
  EXPECT_EQ(refusal(load("offload")->getBuffer()),
            "file: holds 2 images (gfx942, sm_75), expected one");
}

TEST(Container, Damage) {
  std::string bytes(load("offload")->getBuffer());
  llvm::support::endian::write64le(&bytes[32 + 16],
                                   uint64_t(-8)); // the number of strings
  EXPECT_THAT(refusal(bytes), HasSubstr("the string table is out of bounds"));
  bytes = load("offload")->getBuffer();
  llvm::support::endian::write64le(&bytes[32 + 24],
                                   uint64_t(-8)); // the image's offset
  EXPECT_THAT(refusal(bytes), HasSubstr("the image is out of bounds"));
  bytes = load("bundle")->getBuffer();
  llvm::support::endian::write64le(&bytes[24],
                                   uint64_t(-1)); // the number of entries
  EXPECT_THAT(refusal(bytes), HasSubstr("offload bundle"));
  EXPECT_EQ(
      refusal(std::string("__CLANG_OFFLOAD_BUNDLE__\0\0\0\0\0\0\0\0", 32)),
      "file: the container holds no GPU image");
}

TEST(Container, NestingEnds) {
  // A bundle whose only entry is a bundle, and so on.
  std::string inner = "x";
  for (unsigned depth = 0; depth < 10; ++depth) {
    std::string id = "hip-amdgcn-amd-amdhsa--gfx942",
                outer = "__CLANG_OFFLOAD_BUNDLE__";
    auto word = [&](uint64_t value) {
      outer.append(reinterpret_cast<const char *>(&value), 8);
    };
    word(1);
    word(24 + 8 + 24 + id.size());
    word(inner.size());
    word(id.size());
    inner = outer + id + inner;
  }
  EXPECT_THAT(refusal(inner), HasSubstr("containers nested more than 4 deep"));
}
