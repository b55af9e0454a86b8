//===-- libc-shim/strings/memory.c - memcpy and its neighbours ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow part on a GPU is to wait for a load, so copies load several words
// before they store the first. AMD's hardware accepts words at any address:
// there LLVM's own expansion is used. NVIDIA's does not, and LLVM would copy
// byte by byte. Searches read aligned words, which never cross into another
// page. Copies and comparisons read no byte outside of their operands.
//===----------------------------------------------------------------------===//
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PIECE __attribute__((noinline))

typedef uint64_t __attribute__((may_alias)) word;

#ifdef __AMDGPU__

PIECE void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  return __builtin_memcpy(to, from, size);
}
PIECE void *memmove(void *to, const void *from, size_t size) {
  return __builtin_memmove(to, from, size);
}
PIECE void *memset(void *to, int value, size_t size) {
  return __builtin_memset(to, value, size);
}

#else

enum { BATCH = 4 };

#define ROLLED _Pragma("clang loop unroll(disable)")

static inline void copy_bytes(unsigned char *to, const unsigned char *from,
                              size_t size) {
  ROLLED for (; size >= BATCH; to += BATCH, from += BATCH, size -= BATCH) {
    unsigned char batch[BATCH];
    for (int i = 0; i < BATCH; ++i)
      batch[i] = from[i];
    for (int i = 0; i < BATCH; ++i)
      to[i] = batch[i];
  }
  ROLLED for (; size; --size) *to++ = *from++;
}

/// Copies from the first byte to the last: `to` may overlap `from` if it is
/// lower.
static PIECE void copy_up(unsigned char *to, const unsigned char *from,
                          size_t size) {
  if (size < 32) {
    copy_bytes(to, from, size);
    return;
  }
  // At least eight bytes, and as many as align `to`: then the aligned word
  // around the next byte of `from` begins within the operand.
  const size_t head = 8 + (-(uintptr_t)to & 7);
  copy_bytes(to, from, head);
  to += head, from += head, size -= head;
  const unsigned down = (uintptr_t)from & 7; // bytes of a word already copied
  word *out = (word *)to;
  const word *in = (const word *)(from - down);
  if (!down) {
    ROLLED for (; size >= 8 * BATCH; size -= 8 * BATCH) {
      word batch[BATCH];
      for (int i = 0; i < BATCH; ++i)
        batch[i] = in[i];
      for (int i = 0; i < BATCH; ++i)
        out[i] = batch[i];
      in += BATCH, out += BATCH;
    }
    ROLLED for (; size >= 8; size -= 8) *out++ = *in++;
  } else {
    const unsigned low = 8 * down, high = 64 - low;
    word before = *in++;
    // A word of output needs the next word of input, and `down` bytes of it.
    ROLLED for (; size >= 8 * BATCH + 8; size -= 8 * BATCH) {
      word batch[BATCH];
      for (int i = 0; i < BATCH; ++i)
        batch[i] = in[i];
      for (int i = 0; i < BATCH; ++i) {
        out[i] = before >> low | batch[i] << high;
        before = batch[i];
      }
      in += BATCH, out += BATCH;
    }
    ROLLED for (; size >= 16; size -= 8) {
      const word next = *in++;
      *out++ = before >> low | next << high;
      before = next;
    }
    in = (const word *)((const unsigned char *)in - 8 + down);
  }
  copy_bytes((unsigned char *)out, (const unsigned char *)in, size);
}

PIECE void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  copy_up(to, from, size);
  return to;
}

PIECE void *memmove(void *to, const void *from, size_t size) {
  if ((uintptr_t)to - (uintptr_t)from >= size) {
    copy_up(to, from, size);
    return to;
  }
  // `to` overlaps `from` and is higher: copies from the last byte to the first.
  unsigned char *out = (unsigned char *)to + size;
  const unsigned char *in = (const unsigned char *)from + size;
  ROLLED for (; size && (uintptr_t)out & 7; --size) *--out = *--in;
  if (!((uintptr_t)in & 7))
    ROLLED for (; size >= 8; size -= 8) {
      out -= 8, in -= 8;
      *(word *)out = *(const word *)in;
    }
  ROLLED for (; size; --size) *--out = *--in;
  return to;
}

PIECE void *memset(void *to, int value, size_t size) {
  unsigned char *out = to;
  const word all = (unsigned char)value * (word)0x0101010101010101;
  ROLLED for (; size && (uintptr_t)out & 7; --size) *out++ =
      (unsigned char)value;
  ROLLED for (; size >= 32; size -= 32, out += 32) for (int i = 0; i < 4; ++i)(
      (word *)out)[i] = all;
  ROLLED for (; size; --size) *out++ = (unsigned char)value;
  return to;
}

#endif

void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
  return (char *)memcpy(to, from, size) + size;
}
void bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }
void bzero(void *to, size_t size) { memset(to, 0, size); }
void explicit_bzero(void *to, size_t size) {
  memset(to, 0, size);
  __asm__ volatile("" ::"r"(to) : "memory"); // keeps the stores
}

PIECE int memcmp(const void *left, const void *right, size_t size) {
  const unsigned char *a = left, *b = right;
  if (!(((uintptr_t)a ^ (uintptr_t)b) & 7)) {
    for (; size && (uintptr_t)a & 7; --size, ++a, ++b)
      if (*a != *b)
        return *a - *b;
    for (; size >= 8 && *(const word *)a == *(const word *)b; size -= 8)
      a += 8, b += 8;
  }
  for (; size; --size, ++a, ++b)
    if (*a != *b)
      return *a - *b;
  return 0;
}
int bcmp(const void *left, const void *right, size_t size) {
  return memcmp(left, right, size);
}

//===-- Searches ----------------------------------------------------------===//

/// Not zero if a byte of `value` is zero. The lowest set bit is then the
/// highest bit of the first such byte.
static inline word zero_bytes(word value) {
  return (value - 0x0101010101010101) & ~value & 0x8080808080808080;
}

/// The aligned word that contains *at, XORed with `c`. Bytes before `at` are
/// made non-zero.
static inline word first_word(const unsigned char *at, word c) {
  const unsigned before = 8 * ((uintptr_t)at & 7);
  const word mask = ((word)1 << before) - 1;
  return (*(const word *)((uintptr_t)at & -(uintptr_t)8) ^ c) | mask;
}

PIECE size_t strlen(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  word found = zero_bytes(first_word(at, 0));
  at = (const unsigned char *)((uintptr_t)at & -(uintptr_t)8);
  while (!found)
    found = zero_bytes(*(const word *)(at += 8));
  return (size_t)(at + __builtin_ctzll(found) / 8 -
                  (const unsigned char *)text);
}

PIECE void *memchr(const void *memory, int c, size_t size) {
  if (!size)
    return NULL;
  const unsigned char *at = memory;
  const word all = (unsigned char)c * (word)0x0101010101010101;
  const unsigned before = (uintptr_t)at & 7;
  word found = zero_bytes(first_word(at, all));
  at -= before;
  // `size` becomes the bytes from the aligned address on, without overflow.
  size = size + before < size ? SIZE_MAX : size + before;
  for (; !found; found = zero_bytes(*(const word *)at ^ all)) {
    if (size <= 8)
      return NULL;
    size -= 8, at += 8;
  }
  const size_t place = (size_t)__builtin_ctzll(found) / 8;
  return place < size ? (void *)(at + place) : NULL;
}
