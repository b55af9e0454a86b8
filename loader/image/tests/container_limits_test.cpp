// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a small file may not claim: images and bytes without number.
#include "loader/image/contents.h"
#include "test_images.h"
#include <cstring>

using namespace gpuexec;
using testing::HasSubstr;

namespace {

const std::string PTX = ".version 7.0\n.target sm_70\n.entry k() { ret; }\n";

std::string words(std::initializer_list<uint64_t> values) {
  std::string bytes;
  for (uint64_t value : values)
    bytes.append(reinterpret_cast<const char *>(&value), 8);
  return bytes;
}

/// A bundle of `count` entries, each of `size` bytes of `payload`, `step`
/// apart.
std::string bundle(uint64_t count, const std::string &payload, uint64_t size,
                   uint64_t step, const std::string &name = "") {
  const std::string id = "hip-amdgcn-amd-amdhsa--gfx942" + name;
  std::string head = "__CLANG_OFFLOAD_BUNDLE__" + words({count});
  uint64_t begin = head.size() + count * (24 + id.size());
  for (uint64_t i = 0; i < count; ++i)
    head += words({begin + i * step, size, id.size()}) + id;
  return head + payload;
}

std::string repeated(const std::string &text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

/// A fatbin entry that unpacks to `size` bytes.
std::string packed_fatbin(uint64_t size) {
  std::string text;
  auto number = [&](uint64_t value, unsigned width) {
    text.append(reinterpret_cast<const char *>(&value), width);
  };
  std::string payload(size / 256 + 8, '\0');
  number(0xba55ed50, 4), number(1, 2), number(16, 2);
  number(64 + payload.size(), 8);
  number(1, 2), number(0x101, 2), number(64, 4), number(payload.size(), 8);
  number(payload.size(), 4), number(64, 4), number(0x00070005, 4);
  number(75, 4), number(0, 8), number(0x2011, 8), number(0, 8);
  number(size, 8);
  return text + payload;
}

TEST(ContainerLimits, ImagesDoNotShareBytes) {
  const std::string two = PTX + PTX;
  EXPECT_THAT(refusal(bundle(2, two, PTX.size(), PTX.size())),
              HasSubstr("holds 2 images"));
  EXPECT_THAT(refusal(bundle(2, two, PTX.size(), PTX.size() - 1)),
              HasSubstr("overlaps another image of the file"));
  EXPECT_THAT(refusal(bundle(60, PTX, PTX.size(), 0)),
              HasSubstr("overlaps another image of the file"));
}

TEST(ContainerLimits, ImagesAreCounted) {
  EXPECT_THAT(
      refusal(bundle(4096, repeated(PTX, 4096), PTX.size(), PTX.size())),
      HasSubstr("holds 4096 images"));
  EXPECT_THAT(
      refusal(bundle(4097, repeated(PTX, 4097), PTX.size(), PTX.size())),
      HasSubstr("more than 4096 images in one file"));
  // Of bundles in a bundle, too.
  const std::string inner =
      bundle(2049, repeated(PTX, 2049), PTX.size(), PTX.size());
  EXPECT_THAT(refusal(bundle(2, inner + inner, inner.size(), inner.size())),
              HasSubstr("more than 4096 images in one file"));
}

TEST(ContainerLimits, NamesInLabelsAreShort) {
  std::string message =
      refusal(bundle(1, "nothing", 7, 7, std::string(100000, 'x')));
  EXPECT_LT(message.size(), 300u) << message;
}

TEST(ContainerLimits, UnpackedBytesAreAddedUp) {
  constexpr uint64_t QUARTER = uint64_t(1) << 26;
  EXPECT_THAT(refusal(packed_fatbin((uint64_t(1) << 28) + 1)),
              HasSubstr("more than the limit of 268435456"));
  // Of one file, together; what they hold is zeros and no LZ4.
  parsing::ContainerBudget budget;
  for (int i = 0; i < 5; ++i) {
    auto members =
        parsing::open_container(packed_fatbin(QUARTER), "file", budget);
    EXPECT_FALSE(bool(members));
    EXPECT_THAT(llvm::toString(members.takeError()),
                i < 4 ? HasSubstr("the LZ4 data is broken")
                      : HasSubstr("with what was unpacked before more than "
                                  "the limit of 268435456"));
  }
}

TEST(SymbolNames, DoNotShareOneLongText) {
  // 4000 symbols with one name of 8 KiB: 32 MB of names in 100 KB of file.
  std::string names = std::string(1, '\0') + std::string(8191, 'n') + '\0';
  std::string symbols(24, '\0');
  for (int i = 0; i < 4000; ++i) {
    std::string symbol(24, '\0');
    symbol[0] = 1;
    symbols += symbol;
  }
  // Header, section headers (null, symbols, names), symbols, names.
  std::string file(64 + 3 * 64, '\0');
  auto put = [&](size_t at, uint64_t value, size_t size) {
    memcpy(&file[at], &value, size);
  };
  memcpy(&file[0],
         "\x7f"
         "ELF\2\1\1\x40\4",
         9);
  put(16, 3, 2), put(18, 224, 2), put(20, 1, 4), put(40, 64, 8);
  put(48, 0x54c, 4), put(52, 64, 2), put(54, 56, 2);
  put(58, 64, 2), put(60, 3, 2), put(62, 2, 2);
  const size_t first = 64 + 64, second = first + 64;
  put(first + 4, 11, 4), put(first + 24, file.size(), 8);
  put(first + 32, symbols.size(), 8), put(first + 40, 2, 4);
  put(first + 56, 24, 8);
  put(second + 4, 3, 4), put(second + 24, file.size() + symbols.size(), 8);
  put(second + 32, names.size(), 8);
  llvm::StringRef label = "file";
  const std::string bytes = file + symbols + names;
  auto elf = parsing::open_elf(bytes, label);
  ASSERT_TRUE(bool(elf)) << llvm::toString(elf.takeError());
  auto sections = elf->sections();
  ASSERT_TRUE(bool(sections)) << llvm::toString(sections.takeError());
  auto all = parsing::read_symbols(*elf, (*sections)[1], label);
  ASSERT_FALSE(bool(all));
  EXPECT_THAT(llvm::toString(all.takeError()),
              HasSubstr("names have more than 16 times the bytes"));
}

} // namespace
