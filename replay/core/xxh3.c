//===-- replay/core/xxh3.c - XXH3 with 64 bits -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the description in xxHash's specification (doc/xxhash_spec.md): no seed,
// the default secret. Little-endian machines.
//===----------------------------------------------------------------------===//
#include "replay/core/bytes.h"
#include <string.h>

#define PRIME32_1 0x9E3779B1u
#define PRIME32_2 0x85EBCA77u
#define PRIME32_3 0xC2B2AE3Du
#define PRIME64_1 0x9E3779B185EBCA87u
#define PRIME64_2 0xC2B2AE3D27D4EB4Fu
#define PRIME64_3 0x165667B19E3779F9u
#define PRIME64_4 0x85EBCA77C2B2AE63u
#define PRIME64_5 0x27D4EB2F165667C5u
#define PRIME_MX1 0x165667919E3779F9u
#define PRIME_MX2 0x9FB21C651E98DF25u

static const uint8_t secret[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c,
    0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb,
    0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
    0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6,
    0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
    0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97,
    0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
    0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31,
    0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83,
    0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26,
    0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc,
    0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
    0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

enum { STRIPE = 64, LAST_SECRET = sizeof secret - STRIPE };

static uint32_t word32(const uint8_t *at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}
static uint64_t word64(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}
static uint64_t fold(uint64_t a, uint64_t b) {
  const unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}
static uint64_t xorshift(uint64_t value, unsigned by) {
  return value ^ value >> by;
}
static uint64_t rotate(uint64_t value, unsigned by) {
  return value << by | value >> (64 - by);
}
static uint64_t avalanche(uint64_t hash) {
  return xorshift(xorshift(hash, 37) * PRIME_MX1, 32);
}
static uint64_t avalanche_of_xxh64(uint64_t hash) {
  hash = xorshift(hash, 33) * PRIME64_2;
  return xorshift(xorshift(hash, 29) * PRIME64_3, 32);
}

static uint64_t up_to_16(const uint8_t *data, size_t size) {
  if (size > 8) {
    const uint64_t low =
                       word64(data) ^ word64(secret + 24) ^ word64(secret + 32),
                   high = word64(data + size - 8) ^ word64(secret + 40) ^
                          word64(secret + 48);
    return avalanche(size + __builtin_bswap64(low) + high + fold(low, high));
  }
  if (size >= 4) {
    const uint64_t both =
        word32(data + size - 4) + ((uint64_t)word32(data) << 32);
    uint64_t hash = both ^ word64(secret + 8) ^ word64(secret + 16);
    hash ^= rotate(hash, 49) ^ rotate(hash, 24);
    hash *= PRIME_MX2;
    hash ^= (hash >> 35) + size;
    return xorshift(hash * PRIME_MX2, 28);
  }
  if (!size)
    return avalanche_of_xxh64(word64(secret + 56) ^ word64(secret + 64));
  const uint32_t joined = (uint32_t)data[0] << 16 |
                          (uint32_t)data[size >> 1] << 24 | data[size - 1] |
                          (uint32_t)size << 8;
  return avalanche_of_xxh64(joined ^
                            (uint64_t)(word32(secret) ^ word32(secret + 4)));
}

static uint64_t mix_16(const uint8_t *data, const uint8_t *with) {
  return fold(word64(data) ^ word64(with), word64(data + 8) ^ word64(with + 8));
}

static uint64_t up_to_240(const uint8_t *data, size_t size) {
  uint64_t hash = size * PRIME64_1;
  if (size <= 128) {
    for (size_t i = (size - 1) / 32 + 1; i-- > 0;)
      hash += mix_16(data + 16 * i, secret + 32 * i) +
              mix_16(data + size - 16 * (i + 1), secret + 32 * i + 16);
    return avalanche(hash);
  }
  const size_t rounds = size / 16;
  for (size_t i = 0; i < 8; ++i)
    hash += mix_16(data + 16 * i, secret + 16 * i);
  hash = avalanche(hash);
  for (size_t i = 8; i < rounds; ++i)
    hash += mix_16(data + 16 * i, secret + 16 * (i - 8) + 3);
  return avalanche(hash + mix_16(data + size - 16, secret + 136 - 17));
}

static void accumulate(uint64_t sums[8], const uint8_t *data,
                       const uint8_t *with) {
  for (unsigned i = 0; i < 8; ++i) {
    const uint64_t value = word64(data + 8 * i),
                   key = value ^ word64(with + 8 * i);
    sums[i ^ 1] += value;
    sums[i] += (uint64_t)(uint32_t)key * (key >> 32);
  }
}

static uint64_t longer(const uint8_t *data, size_t size) {
  enum { STRIPES = LAST_SECRET / 8, BLOCK = STRIPES * STRIPE };
  uint64_t sums[8] = {PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3,
                      PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1};
  const uint8_t *const last = data + size - STRIPE;
  size_t left = size;
  for (; left > BLOCK; data += BLOCK, left -= BLOCK) {
    for (unsigned i = 0; i < STRIPES; ++i)
      accumulate(sums, data + STRIPE * i, secret + 8 * i);
    for (unsigned i = 0; i < 8; ++i)
      sums[i] = (xorshift(sums[i], 47) ^ word64(secret + LAST_SECRET + 8 * i)) *
                PRIME32_1;
  }
  for (unsigned i = 0; i < (left - 1) / STRIPE; ++i)
    accumulate(sums, data + STRIPE * i, secret + 8 * i);
  accumulate(sums, last, secret + LAST_SECRET - 7);
  uint64_t hash = size * PRIME64_1;
  for (unsigned i = 0; i < 4; ++i)
    hash += fold(sums[2 * i] ^ word64(secret + 11 + 16 * i),
                 sums[2 * i + 1] ^ word64(secret + 11 + 16 * i + 8));
  return avalanche(hash);
}

uint64_t xxh3(struct bytes bytes) {
  return bytes.size <= 16    ? up_to_16(bytes.data, bytes.size)
         : bytes.size <= 240 ? up_to_240(bytes.data, bytes.size)
                             : longer(bytes.data, bytes.size);
}
