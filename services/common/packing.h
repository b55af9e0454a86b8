//===-- services/common/packing.h - Words of a request in few bytes --------*- C -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes are small, addresses have 48 bits, and most floating-point numbers end
// with zero bits: packed, most requests fit into one packet of the mailbox.
// Programs on NVIDIA GPUs pack their requests, because a second packet crosses
// the bus twice more, which takes about 1.5 us of a call of BLAS (H200).
// Programs on an emulated device do not: packing takes 1 us there.
//
// A packed word is a code of four bits, followed by some of the word's bytes;
// its other bytes are zero. Codes 0 to 8: that many of the lowest bytes follow.
// Codes 9 to 15: one to seven of the highest bytes follow. Bits are stored from
// the lowest on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_PACKING_H
#define GPUEXEC_SERVICES_COMMON_PACKING_H

#include <stdint.h>

enum { PACKING_CODE_BITS = 4, PACKING_HIGHEST = 8 };

/// The most words that COUNT words take when they are packed.
#define PACKED_WORDS(COUNT) ((COUNT) + ((COUNT) + 15) / 16)

typedef struct {
  uint64_t *words;
  uint32_t count; ///< number of words written to `words`
  uint32_t bits;  ///< number of bits in `kept`, less than 64
  uint64_t kept;  ///< bits that do not yet fill a word
} packing_writer;

static inline void packing_put(packing_writer *w, uint64_t value,
                               uint32_t bits) {
  w->kept |= value << w->bits;
  if (w->bits + bits < 64) {
    w->bits += bits;
    return;
  }
  w->words[w->count++] = w->kept;
  w->kept = w->bits ? value >> (64 - w->bits) : 0;
  w->bits = w->bits + bits - 64;
}

static inline void packing_put_word(packing_writer *w, uint64_t word) {
  const uint32_t low = word ? 8 - (uint32_t)__builtin_clzll(word) / 8 : 0;
  const uint32_t high = word ? 8 - (uint32_t)__builtin_ctzll(word) / 8 : 0;
  if (high < low) {
    packing_put(w, PACKING_HIGHEST + high, PACKING_CODE_BITS);
    packing_put(w, word >> (64 - 8 * high), 8 * high);
  } else {
    packing_put(w, low, PACKING_CODE_BITS);
    packing_put(w, word, 8 * low);
  }
}

/// Packs `count` words; `to` has room for PACKED_WORDS(count). Returns how many
/// words it has written.
static inline uint32_t pack_words(const uint64_t *words, uint32_t count,
                                  uint64_t *to) {
  packing_writer w = {to, 0, 0, 0};
  for (uint32_t i = 0; i < count; ++i)
    packing_put_word(&w, words[i]);
  if (w.bits)
    to[w.count++] = w.kept;
  return w.count;
}

typedef struct {
  const unsigned char *bytes;
  uint64_t size, at; ///< in bits
} packing_reader;

/// Reads `bits` bits, a multiple of PACKING_CODE_BITS. False if the bytes end
/// before.
static inline int packing_get(packing_reader *r, uint32_t bits,
                              uint64_t *value) {
  *value = 0;
  if (r->size - r->at < bits)
    return 0;
  for (uint32_t done = 0; done < bits; done += PACKING_CODE_BITS) {
    const uint64_t nibble = r->bytes[r->at / 8] >> r->at % 8 & 0xF;
    *value |= nibble << done;
    r->at += PACKING_CODE_BITS;
  }
  return 1;
}

/// Unpacks `count` words from `size` bytes, which a hostile program may have
/// written. False if the bytes end before. Ignores bytes behind the words.
static inline int unpack_words(const void *from, uint64_t size, uint64_t *words,
                               uint32_t count) {
  packing_reader r = {(const unsigned char *)from, 8 * size, 0};
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t code;
    if (!packing_get(&r, PACKING_CODE_BITS, &code))
      return 0;
    const uint32_t high =
        code > PACKING_HIGHEST ? (uint32_t)code - PACKING_HIGHEST : 0;
    if (!packing_get(&r, 8 * (high ? high : (uint32_t)code), &words[i]))
      return 0;
    if (high)
      words[i] <<= 64 - 8 * high;
  }
  return 1;
}

#endif
