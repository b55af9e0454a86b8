//===-- loader/image/tests/container_test.cpp - Several images in a file --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/image/lz4.h"
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

// The layout of a fatbin, without the toolkit: one PTX entry, unpacked or as
// one LZ4 sequence of literals.
static std::string make_fatbin(llvm::StringRef payload, uint64_t flags,
                               uint64_t unpacked_size) {
  std::string text;
  auto number = [&](uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      text += char(value >> 8 * i);
  };
  uint64_t padded = (payload.size() + 7) / 8 * 8;
  number(0xba55ed50, 4), number(1, 2), number(16, 2), number(64 + padded, 8);
  number(1, 2), number(0x101, 2), number(64, 4), number(padded, 8);
  number(payload.size(), 4), number(64, 4), number(0x00070005, 4),
      number(75, 4);
  number(0, 8), number(flags, 8), number(0, 8), number(unpacked_size, 8);
  text += payload;
  text.resize(16 + 64 + padded);
  return text;
}

TEST(Container, FatbinByHand) {
  std::string ptx = ".version 7.0\n.target sm_70\n.entry k() { ret; }\n";
  std::string packed = char(0xf0) + std::string(1, char(ptx.size() - 15)) + ptx;
  EXPECT_THAT(targets(parse(llvm::MemoryBuffer::getMemBufferCopy(
                  make_fatbin(ptx, 0x11, 0)))),
              ElementsAre("sm_70"));
  Loaded lz4 = parse(llvm::MemoryBuffer::getMemBufferCopy(
      make_fatbin(packed, 0x2011, ptx.size())));
  EXPECT_EQ(lz4.only().bytes(), ptx);
  EXPECT_THAT(refusal(make_fatbin(packed, 0x2011, ptx.size() + 1)),
              HasSubstr("the LZ4 data is broken"));
  EXPECT_THAT(refusal(make_fatbin(packed, 0x2011, uint64_t(1) << 40)),
              HasSubstr("claims 1099511627776 bytes unpacked"));
  EXPECT_THAT(refusal(make_fatbin(packed, 0x8011, ptx.size())),
              HasSubstr("file"));
}

TEST(Lz4, Sequences) {
  auto unpack = [](std::vector<uint8_t> packed, size_t size) -> std::string {
    std::string plain(size, '?');
    llvm::MutableArrayRef<uint8_t> out(
        reinterpret_cast<uint8_t *>(plain.data()), size);
    return parsing::unpack_lz4(packed, out) ? plain : "broken";
  };
  EXPECT_EQ(unpack({0x30, 'a', 'b', 'c'}, 3), "abc");
  // Two literals, then seven bytes from two back: the copy reads what it wrote.
  EXPECT_EQ(unpack({0x23, 'a', 'b', 2, 0, 0x10, '.'}, 10), "ababababa.");
  // A copy of 15 + 4 + 1.
  EXPECT_EQ(unpack({0x1f, 'x', 1, 0, 1, 0x10, '.'}, 22),
            std::string(21, 'x') + ".");
  EXPECT_EQ(unpack({0x23, 'a', 'b', 3, 0}, 9),
            "broken"); // from before the start
  EXPECT_EQ(unpack({0x23, 'a', 'b', 0, 0}, 9), "broken"); // no distance
  EXPECT_EQ(unpack({0x23, 'a', 'b', 2}, 9), "broken");    // cut off
  EXPECT_EQ(unpack({0xf0}, 9), "broken");                // a length without end
  EXPECT_EQ(unpack({0x30, 'a', 'b', 'c'}, 2), "broken"); // too much
  EXPECT_EQ(unpack({0x30, 'a', 'b', 'c'}, 4), "broken"); // too little
  EXPECT_EQ(unpack({}, 0), "");
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
