//===-- libc-shim/stdio/quick.h - Output of a thread that is alone --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single thread needs neither locks nor groups of lanes. What it writes most,
// a few bytes or a record into a buffer with room, is done here: without a call
// and in few instructions, because one thread of a GPU waits several cycles for
// each. Every function changes nothing that counts and says so when something
// else has to be done; its caller then calls the general function last, so that
// it saves no registers. `stream->quick` is 0 whenever the general function
// has to look at the stream.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_QUICK_H
#define GPUEXEC_LIBC_QUICK_H

#include "libc-shim/stdio/record.h"
#include "libc-shim/stdio/stream_lock.h"
#include <string.h>

#define QUICK static inline __attribute__((always_inline))

typedef uint64_t __attribute__((may_alias)) text_word;

/// Bytes of 0x80 where `word` has NULs, above which there may be more: the
/// lowest is right.
QUICK uint64_t nuls_in(uint64_t word) {
  return (word - 0x0101010101010101) & ~word & 0x8080808080808080;
}

/// What of a stream's members the functions below need, loaded together and
/// before the first store, behind which a load waits.
typedef struct {
  unsigned char *out;
  uint64_t used;
  uint64_t *host_used;
  uint32_t quick, quick_records, last_record, record_end;
} quick_state;

QUICK quick_state quick_look(const FILE *stream) {
  return (quick_state){.out = stream->out,
                       .used = stream->out_used,
                       .host_used = stream->host_used,
                       .quick = stream->quick,
                       .quick_records = stream->quick_records,
                       .last_record = stream->last_record,
                       .record_end = stream->record_end};
}

/// May this thread write `size` bytes, less than 2^32, behind those in the
/// buffer?
QUICK bool quick_has_room(const quick_state *state, uint64_t size) {
  return (state->used + size < state->quick) & !stream_may_be_shared();
}

/// Sets the number of buffered bytes.
QUICK void quick_set_used(FILE *stream, const quick_state *state, uint64_t used,
                          uint32_t last_record) {
  stream->out_used = used;
  // Relaxed: the host reads it when the device has stopped.
  if (state->host_used)
    __scoped_atomic_store_n(state->host_used, RPC_BUFFERED(used, last_record),
                            __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}

//===-- Text in words -----------------------------------------------------===//

/// The aligned word that has the byte at `at`. (As a distance from `at` it would
/// lead out of the object: of a constant string of 8 bytes LLVM reads the string
/// in place of the word, whatever the string's address.)
QUICK const text_word *quick_word_at(const void *at) {
  return (const text_word *)((uintptr_t)at & -(uintptr_t)sizeof(text_word));
}

/// A string, read in aligned words, of which the first and the last may have
/// bytes of others.
typedef struct {
  const text_word *next; ///< behind those that have been loaded
  uint64_t low, high;    ///< the string goes on in these, from bit `shift` on
  uint32_t shift;
} quick_reader;

QUICK quick_reader quick_read(const char *text) {
  const uint32_t skip = (uint32_t)(uintptr_t)text & 7;
  const text_word *words = quick_word_at(text);
  quick_reader reader = {
      .next = words + 2, .low = words[0], .high = 0, .shift = 8 * skip};
  bool is_there = false;
#ifdef __NVPTX__
  // The second word without a wait for the first, unless it may belong to an
  // object that is not there.
  is_there = ((uintptr_t)words & 31) != 24;
#endif
  if (is_there || !nuls_in(reader.low | ((1ull << reader.shift) - 1)))
    reader.high = words[1];
  return reader;
}

/// The next 8 bytes; those behind a NUL may be anything.
QUICK uint64_t quick_word(const quick_reader *reader) {
  return reader->low >> reader->shift | (reader->high << 1)
                                            << (63 - reader->shift);
}

/// Goes on behind 8 bytes without a NUL.
QUICK void quick_advance(quick_reader *reader) {
  reader->low = reader->high;
  reader->high = nuls_in(reader->low) ? 0 : *reader->next++;
}

//===-- Text --------------------------------------------------------------===//

/// Stores the lowest `count` bytes of `word`, less than 8.
QUICK void quick_store_some(unsigned char *to, uint64_t word, uint32_t count) {
  uint32_t part = (uint32_t)word;
  if (count & 4) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      to[i] = (unsigned char)(part >> 8 * i);
    part = (uint32_t)(word >> 32);
    to += 4;
  }
  if (count & 2) {
    to[0] = (unsigned char)part;
    to[1] = (unsigned char)(part >> 8);
    part >>= 16;
    to += 2;
  }
  if (count & 1)
    to[0] = (unsigned char)part;
}

/// Stores 8 bytes at any address.
QUICK void quick_store(unsigned char *to, uint64_t word) {
#ifdef __AMDGPU__
  memcpy(to, &word, sizeof word);
#else
  typedef uint32_t __attribute__((may_alias)) half;
  if (!((uintptr_t)to & 7)) {
    *(text_word *)to = word;
  } else if (!((uintptr_t)to & 3)) {
    ((half *)to)[0] = (uint32_t)word;
    ((half *)to)[1] = (uint32_t)(word >> 32);
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i)
      to[i] = (unsigned char)(word >> 8 * i);
  }
#endif
}

/// Copies at least one byte.
QUICK void quick_copy(unsigned char *to, const unsigned char *from,
                      uint32_t size) {
#ifdef __NVPTX__
  const uint32_t skip = (uint32_t)(uintptr_t)from & 7, shift = 8 * skip;
  const text_word *words = quick_word_at(from);
  uint64_t low = *words;
#pragma nounroll
  for (;; size -= 8, to += 8) {
    uint64_t word = low >> shift;
    if (skip + size > 8)
      low = *++words;
    word |= (low << 1) << (63 - shift);
    if (size < 8)
      return quick_store_some(to, word, size);
    quick_store(to, word);
    if (size == 8)
      return;
  }
#else
  memcpy(to, from, size);
#endif
}

/// Copies a string without its NUL. Returns the address behind it, or null if
/// it would end less than 8 bytes before `end`.
QUICK unsigned char *quick_copy_string(unsigned char *to,
                                       const unsigned char *end,
                                       const char *text) {
#ifdef __AMDGPU__
  const size_t size = strlen(text);
  if (size + 16 > (size_t)(end - to))
    return NULL;
  memcpy(to, text, size);
  return to + size;
#else
  quick_reader reader = quick_read(text);
#pragma nounroll
  while (to + 16 <= end) {
    const uint64_t word = quick_word(&reader), nuls = nuls_in(word);
    if (nuls) {
      const uint32_t size = (uint32_t)__builtin_ctzll(nuls) / 8;
      quick_store_some(to, word, size);
      return to + size;
    }
    quick_store(to, word);
    to += 8;
    quick_advance(&reader);
  }
  return NULL;
#endif
}

//===-- Records -----------------------------------------------------------===//

/// Writes a string and at least one NUL to whole words, the first of which is
/// before `end`. Returns the address behind them, or null if that is not before
/// `end`.
QUICK uint64_t *quick_put_string(uint64_t *to, const uint64_t *end,
                                 const char *text) {
  quick_reader reader = quick_read(text);
#pragma nounroll
  for (;; quick_advance(&reader)) {
    const uint64_t word = quick_word(&reader), nuls = nuls_in(word);
    *to++ = word & (nuls ^ (nuls - 1));
    if (to >= end)
      return NULL;
    if (nuls)
      return to;
  }
}

/// Copies words. PRINT_WORDS are copied in any case, and can be.
QUICK void quick_put_words(uint64_t *to, const uint64_t *from, uint32_t count) {
  const uint64_t words[PRINT_WORDS] = {from[0], from[1], from[2], from[3]};
  to[0] = words[0], to[1] = words[1], to[2] = words[2], to[3] = words[3];
#pragma nounroll
  for (uint32_t i = PRINT_WORDS; i < count; ++i)
    to[i] = from[i];
}

/// Appends a record. False: nothing has been printed.
QUICK bool quick_record(FILE *stream, const struct print_layout *layout,
                        const uint64_t *slots) {
  const quick_state state = quick_look(stream);
  const uint32_t format_size = layout->format_size, strings = layout->strings;
  const uint32_t begin = ((uint32_t)state.used + 7) & ~7u;
  if ((begin + layout->room > state.quick_records) | stream_may_be_shared())
    return false;
  // The first string is on its way meanwhile.
  const char *text =
      *(const char *const *)((const char *)slots + layout->first);
  const uint32_t format = (format_size + 7) / 8, arguments = layout->slots;
  uint64_t *const head = (uint64_t *)(state.out + begin);
  uint64_t *to = head + sizeof(rpc_record) / 8;
  quick_put_words(to, (const uint64_t *)layout->format, format);
  quick_put_words(to + format, slots, arguments);
  to += format + arguments;
  const uint32_t room = state.quick_records - begin;
  const uint64_t *end = head + (room < PRINT_MOST ? room : PRINT_MOST) / 8;
#pragma nounroll
  for (uint32_t i = 0; i < strings;) {
    if (text && !(to = quick_put_string(to, end, text)))
      return false;
    if (++i < strings)
      text = (const char *)slots[layout->string[i].slot];
  }
  const uint32_t size = 8 * (uint32_t)(to - head);
  head[0] = (uint64_t)((uint32_t)state.used - state.record_end) << 32 | size;
  head[1] = (uint64_t)format_size << 32 | state.last_record;
  stream->last_record = begin + 1;
  stream->record_end = begin + size;
  quick_set_used(stream, &state, begin + size, begin + 1);
  return true;
}

#endif
