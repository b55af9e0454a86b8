//===-- services/common/tests/packing_test.cpp - Words in few bytes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include <cstring>
#include <random>
#include <vector>

extern "C" {
#include "services/common/packing.h"
}

namespace {

using Words = std::vector<uint64_t>;

/// Of a request of BLAS, the service with the longest ones.
constexpr unsigned MOST_WORDS = 24, HEADER_SIZE = 8;

std::vector<unsigned char> pack(const Words &words) {
  Words packed(PACKED_WORDS(words.size()) + 1, UINT64_MAX);
  const uint32_t count =
      pack_words(words.data(), uint32_t(words.size()), packed.data());
  EXPECT_EQ(packed.back(), UINT64_MAX) << "it wrote behind its end";
  std::vector<unsigned char> bytes(8 * count);
  memcpy(bytes.data(), packed.data(), bytes.size());
  return bytes;
}

Words unpack(const std::vector<unsigned char> &bytes, size_t count) {
  Words words(count, 0xABCDEF);
  if (!unpack_words(bytes.data(), bytes.size(), words.data(), uint32_t(count)))
    words.clear();
  return words;
}

uint64_t bits(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

TEST(Packing, GivesBackWhatWasPut) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 20000; ++round) {
    Words words(random() % (MOST_WORDS + 1));
    for (uint64_t &word : words) {
      const unsigned zeros = random() % 65;
      word = zeros == 64 ? 0 : random() >> zeros;
      if (random() % 2 && zeros < 64)
        word <<= zeros;
      if (random() % 8 == 0)
        word = 0 - word % 100;
    }
    ASSERT_EQ(unpack(pack(words), words.size()), words);
  }
}

TEST(Packing, OfTheLargestRequestHasRoom) {
  const Words words(MOST_WORDS, UINT64_MAX);
  EXPECT_EQ(unpack(pack(words), words.size()), words);
}

TEST(Packing, PutsAProductIntoOnePacket) {
  const uint64_t a = 0x7FFF12345678, b = 0x7FFF87654320, c = 0x7FFE00000010;
  const Words dgemm = {102, 111,  111, 8192, 8192,      8192, bits(0.1),
                       a,   8192, b,   8192, bits(0.0), c,    8192};
  EXPECT_LE(HEADER_SIZE + pack(dgemm).size(), 56u);
}

TEST(Packing, TakesNothingThatEndsTooSoon) {
  const Words words = {1, 0, bits(1.0), UINT64_MAX, 0x7FFF12345678};
  const std::vector<unsigned char> bytes = pack(words);
  const size_t used = (5 * 4 + 8 * (1 + 0 + 2 + 8 + 6) + 7) / 8;
  ASSERT_GE(bytes.size(), used);
  for (size_t size = 0; size < used; ++size)
    EXPECT_EQ(unpack({bytes.begin(), bytes.begin() + size}, words.size()),
              Words())
        << size;
  EXPECT_EQ(unpack({bytes.begin(), bytes.begin() + used}, words.size()), words);
  EXPECT_EQ(unpack(bytes, words.size()), words);
}

} // namespace
