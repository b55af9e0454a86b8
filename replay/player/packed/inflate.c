//===-- replay/player/packed/inflate.c - Unpacks deflate's format ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RFC 1951. A code is looked up in a table that is indexed by as many bits as
// the longest code has, at most 15: filling such tables is faster than walking
// trees, and the program is short. Reads stay within the input, writes within
// the output.
//===----------------------------------------------------------------------===//
#include "replay/player/packed/inflate.h"
#include <string.h>

enum { LONGEST = 15, TABLE = 1 << LONGEST };
enum { LITERALS = 288, DISTANCES = 32, LENGTHS = 19 };
enum { END_OF_BLOCK = 256 };

/// A table indexed by the next bits of the input: symbol * 16 + length of its
/// code; 0: no code.
struct codes {
  unsigned mask; ///< of the longest code's bits
  uint16_t entries[TABLE];
};

struct inflater {
  const uint8_t *from;
  size_t left;
  uint64_t bits; ///< the next ones, low first
  unsigned count;
  unsigned missing; ///< of `count`: bits behind the end of the input
  uint8_t *to;
  size_t at, size;
  struct codes literals, distances;
};

static void refill(struct inflater *i) {
  for (; i->count <= 56; i->count += 8) {
    if (i->left) {
      i->bits |= (uint64_t)*i->from++ << i->count;
      --i->left;
    } else {
      i->missing += 8;
    }
  }
}

static unsigned take(struct inflater *i, unsigned count) {
  refill(i);
  const unsigned value = (unsigned)(i->bits & ((1u << count) - 1));
  i->bits >>= count;
  i->count -= count;
  return value;
}

/// Codes of the same length follow each other in the order of their symbols;
/// their first bit comes first.
static void make_codes(struct codes *codes, const uint8_t *lengths,
                       unsigned count) {
  unsigned code = 0, longest = 0;
  for (unsigned symbol = 0; symbol < count; ++symbol)
    if (lengths[symbol] > longest)
      longest = lengths[symbol];
  codes->mask = (1u << longest) - 1;
  memset(codes->entries, 0, (codes->mask + 1) * sizeof *codes->entries);
  for (unsigned length = 1; length <= longest; ++length, code <<= 1)
    for (unsigned symbol = 0; symbol < count; ++symbol) {
      if (lengths[symbol] != length)
        continue;
      unsigned reversed = 0;
      for (unsigned bit = 0; bit < length; ++bit)
        reversed |= (code >> bit & 1) << (length - 1 - bit);
      for (; reversed <= codes->mask; reversed += 1u << length)
        codes->entries[reversed] = (uint16_t)(symbol * 16 + length);
      ++code;
    }
}

static unsigned symbol(struct inflater *i, const struct codes *codes) {
  refill(i);
  const unsigned entry = codes->entries[i->bits & codes->mask];
  i->bits >>= entry & 15;
  i->count -= entry & 15;
  return entry >> 4;
}

/// Lengths of the codes of a dynamic block, which are packed themselves.
static void read_codes(struct inflater *i) {
  static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
  uint8_t lengths[LITERALS + DISTANCES + 138] = {0};
  const unsigned literals = take(i, 5) + 257, distances = take(i, 5) + 1,
                 codes = take(i, 4) + 4;
  for (unsigned k = 0; k < codes; ++k)
    lengths[order[k]] = (uint8_t)take(i, 3);
  make_codes(&i->literals, lengths, LENGTHS);
  memset(lengths, 0, sizeof lengths);
  for (unsigned k = 0; k < literals + distances;) {
    const unsigned found = symbol(i, &i->literals);
    unsigned repeated = 1;
    uint8_t length = (uint8_t)found;
    if (found == 16) {
      length = k ? lengths[k - 1] : 0;
      repeated = take(i, 2) + 3;
    } else if (found > 16) {
      length = 0;
      repeated = found == 17 ? take(i, 3) + 3 : take(i, 7) + 11;
    }
    for (; repeated; --repeated)
      lengths[k++] = length;
  }
  make_codes(&i->distances, lengths + literals, distances);
  make_codes(&i->literals, lengths, literals);
}

static void fixed_codes(struct inflater *i) {
  uint8_t lengths[LITERALS];
  for (unsigned k = 0; k < LITERALS; ++k)
    lengths[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
  make_codes(&i->literals, lengths, LITERALS);
  memset(lengths, 5, DISTANCES);
  make_codes(&i->distances, lengths, DISTANCES);
}

/// A number that consists of a symbol and extra bits: none for the first 2 *
/// `group` symbols, then one more for each `group` symbols. `base`: the number
/// of symbol 0.
static unsigned number(struct inflater *i, unsigned symbol, unsigned group,
                       unsigned base) {
  if (symbol < 2 * group)
    return symbol + base;
  const unsigned bits = symbol / group - 1;
  return ((group + symbol % group) << bits) + base + take(i, bits);
}

static _Bool read_block(struct inflater *i) {
  for (;;) {
    const unsigned found = symbol(i, &i->literals);
    if (found == END_OF_BLOCK)
      return 1;
    if (i->at == i->size || i->missing > i->count)
      return 0;
    if (found < END_OF_BLOCK) {
      i->to[i->at++] = (uint8_t)found;
      continue;
    }
    // The last length is one that needs no more bits.
    size_t length = found == 285 ? 258 : number(i, found - 257, 4, 3);
    const size_t distance = number(i, symbol(i, &i->distances), 2, 1);
    if (distance > i->at || length > i->size - i->at)
      return 0;
    for (; length; --length, ++i->at)
      i->to[i->at] = i->to[i->at - distance];
  }
}

/// Reads a stored (not packed) block: its size, the inverted size, and its
/// bytes, from the next byte boundary on.
static _Bool read_stored(struct inflater *i) {
  take(i, i->count & 7);
  unsigned length = take(i, 16);
  take(i, 16);
  if (length > i->size - i->at)
    return 0;
  for (; length; --length)
    i->to[i->at++] = (uint8_t)take(i, 8);
  return 1;
}

_Bool inflate_all(const uint8_t *from, size_t from_size, uint8_t *to,
                  size_t size) {
  static struct inflater inflater; // too large for a stack
  struct inflater *i = &inflater;
  i->from = from;
  i->left = from_size;
  i->to = to;
  i->size = size;
  for (_Bool last = 0; !last;) {
    last = take(i, 1);
    const unsigned kind = take(i, 2);
    if (kind == 2)
      read_codes(i);
    else
      fixed_codes(i);
    if (!(kind ? read_block(i) : read_stored(i)))
      return 0;
  }
  return i->at == size;
}
