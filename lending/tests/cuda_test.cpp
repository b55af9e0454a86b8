//===-- lending/tests/cuda_test.cpp - Lent CUDA devices -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of lending/cuda/ that need no driver: copies by several threads, and
// what is read of an image before a driver sees it.
#include "lending/cuda/client/bulk_copy.h"
#include "lending/cuda/image.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace gpuexec::lent_cuda;

namespace {

TEST(BulkCopy, CopiesAllBytesAndNoOthers) {
  // Its threads never end.
  for (unsigned helpers : {0u, 1u, BulkCopy::MOST_HELPERS}) {
    auto *bulk = new BulkCopy(helpers);
    for (size_t size : {size_t(0), size_t(1), size_t(100000), size_t(300001),
                        size_t(1) << 20})
      for (size_t offset : {0, 1, 63})
        for (bool streams : {false, true}) {
          std::vector<std::byte> from(size + 64), to(size + 130);
          for (size_t i = 0; i < from.size(); ++i)
            from[i] = std::byte(i * 31 + size);
          bulk->copy(to.data() + offset + 1, from.data() + offset, size,
                     streams);
          EXPECT_EQ(memcmp(to.data() + offset + 1, from.data() + offset, size),
                    0);
          EXPECT_EQ(to[offset], std::byte(0));
          EXPECT_EQ(to[offset + 1 + size], std::byte(0));
        }
  }
}

template <typename T> void append(std::string &to, T value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

/// A fat binary of one entry whose header has 80 bytes.
std::string fatbin(uint16_t kind, uint32_t options, uint64_t text,
                   uint64_t payload = 8) {
  std::string made;
  append(made, gpuexec::FAT_BINARY_MAGIC);
  append(made, uint16_t(1));
  append(made, uint16_t(16));
  append(made, uint64_t(88));
  append(made, kind);
  append(made, uint16_t(0x101));
  append(made, uint32_t(80));
  append(made, payload);
  append(made, uint32_t(0));
  append(made, options);
  made.resize(16 + 64);
  append(made, text);
  append(made, uint64_t(0));
  made.append("payload");
  made.push_back('\0');
  return made;
}

bool is_sound(const std::string &image) {
  return is_sound_fatbin(image.data(), image.size());
}

TEST(Image, SizeIsThatOfTheHeaders) {
  const std::string image = fatbin(1, 64, 72);
  EXPECT_EQ(image_size(image.data()), image.size());
  EXPECT_EQ(image_size(".version 8.0\n"), strlen(".version 8.0\n") + 1);
  EXPECT_EQ(image_size(image.data(), 10), UINT64_MAX);
  std::string elf(64, '\0');
  elf.replace(0, 4, ELFMAG);
  EXPECT_EQ(image_size(elf.data(), elf.size()), 64u);
  elf[40] = 64, elf[60] = 1; // a section header that is not there
  EXPECT_EQ(image_size(elf.data(), elf.size()), UINT64_MAX);
}

/// The driver follows these offsets without looking.
TEST(Image, OffsetsInAFatBinaryStayInItsHeader) {
  EXPECT_TRUE(is_sound(fatbin(1, 64, 72)));
  EXPECT_TRUE(is_sound(fatbin(2, 0, 0)));
  EXPECT_FALSE(is_sound(fatbin(1, 0, 72)));
  EXPECT_FALSE(is_sound(fatbin(1, 78, 72)));
  EXPECT_FALSE(is_sound(fatbin(1, 64, 80)));
  EXPECT_FALSE(is_sound(fatbin(1, 64, UINT32_MAX)));
  EXPECT_FALSE(is_sound(fatbin(2, 0, 0, 9)));
  EXPECT_FALSE(is_sound(fatbin(2, 0, 0, UINT64_MAX)));
  const std::string whole = fatbin(1, 64, 72);
  for (size_t size = 17; size < whole.size(); ++size)
    EXPECT_FALSE(is_sound(whole.substr(0, size))) << size;
}

} // namespace
