//===-- libc-shim/stdio/record.c - printf into a stream's buffer ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See record.h. Lanes of a wave that print together append their records in
// lane order, under the stream's lock.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/record.h"
#include "libc-shim/device/closed_pipe.h"
#include "libc-shim/device/known_call.h"
#include "libc-shim/stdio/quick.h"
#include "libc-shim/stdio/stream_lock.h"
#include <string.h>

/// Bytes of the longest format that __stream_record_format() takes.
enum { LONGEST_FORMAT = 256 };

static inline uint32_t in_words(uint32_t size) { return (size + 7) & ~7u; }

//===-- Sending -----------------------------------------------------------===//

KNOWN_CALL host_reply __stream_send_buffer(FILE *stream, const void *data,
                                           uint64_t size, uint32_t last) {
  return __host_call(RPC_WRITE_RECORDS, stream_tagged(stream), (uint64_t)data,
                     RPC_BUFFERED(size, last));
}

/// Sends a buffer with records. Called by one lane that holds the lock. Returns
/// the result of the last record's printf, or -1 with errno.
static __attribute__((noinline)) int send_records(FILE *stream) {
  const uint32_t goes_on =
      stream->goes_on && rpc_has_feature(RPC_FEATURE_GOES_ON)
          ? RPC_BUFFERED_GOES_ON
          : 0;
  if (stream->host_used)
    // Release: the call orders device memory only; this buffer is in host
    // memory.
    __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
  const host_reply reply = __stream_send_buffer(
      stream, stream->out, stream->out_used | goes_on, stream->last_record);
  stream->last_record = stream->record_end = 0;
  __stream_set_used(stream, 0);
  if (!reply.words[0])
    return (int)reply.words[1];
  stream->failed = true;
  note_host_error(reply.error);
  return -1;
}

//===-- Appending ---------------------------------------------------------===//

/// Writes `size` bytes of text and at least one NUL to whole words.
static inline void put_string(uint64_t *to, const char *from, uint32_t size) {
#ifdef __NVPTX__
  // Aligned words: the first and the last may have bytes that are not of the
  // string.
  const uint32_t skip = (uint32_t)(uintptr_t)from & 7;
  const text_word *words = quick_word_at(from);
#endif
  for (uint32_t at = 0; at <= size; at += 8) {
    const uint32_t left = size - at;
    uint64_t word = 0;
#ifdef __NVPTX__
    if (left)
      word = words[at / 8] >> 8 * skip;
    if (skip && left > 8 - skip)
      word |= words[at / 8 + 1] << (64 - 8 * skip);
    if (left < 8)
      word &= (1ull << 8 * left) - 1;
#else
    if (left >= 8) // wide loads work at any address
      memcpy(&word, from + at, 8);
    else
#pragma unroll
      for (uint32_t i = 0; i < 8; ++i) // independent loads
        if (i < left)
          word |= (uint64_t)(unsigned char)from[at + i] << 8 * i;
#endif
    *to++ = word;
  }
}

/// The length of a string of which at most `most` bytes are printed, or
/// something larger than PRINT_MOST.
static inline size_t text_length(const char *text, uint32_t most) {
  const size_t limit = most < PRINT_MOST ? most : PRINT_MOST + 1;
#ifdef __NVPTX__
  if (!limit)
    return 0;
  // A load takes 35 cycles: 8 bytes at a time, also of short strings.
  const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  const uint32_t skip = (uint32_t)(uintptr_t)text & 7;
  const text_word *words = quick_word_at(text);
  uint64_t word = *words | ((1ull << 8 * skip) - 1); // no NUL before the text
  // `end`: how many bytes of the text are in the words so far.
  for (size_t end = 8 - skip;; end += 8, word = *++words) {
    const uint64_t nuls = (word - ones) & ~word & highs; // the lowest is right
    const size_t length =
        nuls ? end - 8 + (uint32_t)__builtin_ctzll(nuls) / 8 : end;
    if (nuls || length >= limit)
      return length < limit ? length : limit;
  }
#else
  const char *end = memchr(text, 0, limit);
  return end ? (size_t)(end - text) : limit;
#endif
}

static inline void put_words(uint64_t *to, const uint64_t *from,
                             uint32_t count) {
#pragma unroll 4
  for (uint32_t i = 0; i < count; ++i)
    to[i] = from[i];
}

/// Writes a record. `head`: its first member's values. `lengths`: of the
/// strings.
static inline void put_record(unsigned char *at, rpc_record head,
                              const struct print_layout *layout,
                              const uint64_t *slots, const uint32_t *lengths) {
  uint64_t *to = (uint64_t *)at;
  to[0] = (uint64_t)head.text << 32 | head.size;
  to[1] = (uint64_t)head.format << 32 | head.previous;
  to += sizeof head / 8;
  const uint32_t format = in_words(head.format) / 8;
  put_words(to, (const uint64_t *)layout->format, format);
  put_words(to + format, slots, layout->slots);
  to += format + layout->slots;
  for (uint32_t i = 0; i < layout->strings; ++i) {
    const char *text = (const char *)slots[layout->string[i].slot];
    if (!text)
      continue;
    put_string(to, text, lengths[i]);
    to += in_words(lengths[i] + 1) / 8;
  }
}

/// May the printed text have a newline?
static bool may_end_line(const struct print_layout *layout,
                         const uint64_t *slots, const uint32_t *lengths) {
  bool newline = layout->newline;
  for (uint32_t i = 0; i < layout->strings && !newline; ++i) {
    const char *text = (const char *)slots[layout->string[i].slot];
    newline = text && memchr(text, '\n', lengths[i]);
  }
  return newline;
}

/// Stores the lengths of the strings in `lengths`. Returns the size of the
/// record, or something larger than PRINT_MOST.
static inline uint32_t record_size(const struct print_layout *layout,
                                   const uint64_t *slots, uint32_t *lengths) {
  uint32_t size = sizeof(rpc_record) + in_words(layout->format_size) +
                  8 * (uint32_t)layout->slots;
  for (uint32_t i = 0; i < layout->strings; ++i) {
    const char *text = (const char *)slots[layout->string[i].slot];
    const uint32_t most = layout->string[i].most;
    const size_t length = text ? text_length(text, most) : 0;
    lengths[i] = (uint32_t)length;
    if (length > PRINT_MOST)
      return PRINT_MOST + 1;
    size += text ? in_words((uint32_t)length + 1) : 0;
  }
  return size;
}

/// Sums of `size` over the lanes of `mask` below this one, and over all.
static inline void sum_sizes(uint64_t mask, uint32_t size, uint32_t *before,
                             uint32_t *total) {
  *before = 0, *total = size;
  if (mask & (mask - 1))
    __stream_sums(mask, size, before, total);
}

/// Where the record of the lane before this one in `mask` begins, given where
/// each lane's begins; `first` for the first lane.
static inline uint32_t begin_before(uint64_t mask, uint32_t begin,
                                    uint32_t first) {
  if (!(mask & (mask - 1)))
    return first;
  const uint32_t lane = __gpu_lane_id();
  const uint64_t below = mask & ((1ull << lane) - 1);
  const uint32_t other = below ? 63 - (uint32_t)__builtin_clzll(below) : lane;
  const uint32_t theirs =
      __gpu_shuffle_idx_u32(mask, other, begin, __gpu_num_lanes());
  return below ? theirs + 1 : first;
}

/// Empties a buffer that has too little room for what comes. False after an
/// error, with errno.
static inline bool make_room(FILE *stream, uint64_t mask) {
  stream->goes_on = true;
  const bool good = __stream_send_pending(stream, mask);
  stream->goes_on = false;
  return good;
}

/// Appends the records of the lanes of `mask`, one of which holds the lock, and
/// sends the buffer if that is due. `size`: of this lane's record. The rest as
/// for __stream_record().
static inline int append(FILE *stream, uint64_t mask,
                         const struct print_layout *layout,
                         const uint64_t *slots, const uint32_t *lengths,
                         uint32_t size, bool now) {
  __stream_settle(stream, mask);
  uint32_t before, total;
  sum_sizes(mask, size, &before, &total);
  if (stream->mode == STREAM_NONE || total > stream->out_capacity)
    return NOT_RECORDED;
  int result = 0;
  uint32_t start = in_words((uint32_t)stream->out_used);
  if (start + total > stream->out_capacity) {
    if (!make_room(stream, mask))
      result = -1;
    start = 0;
  }
  const uint32_t begin = start + before;
  const rpc_record head = {
      .size = size,
      .text = __gpu_is_first_in_lane(mask)
                  ? (uint32_t)stream->out_used - stream->record_end
                  : 0,
      .previous = begin_before(mask, begin, stream->last_record),
      .format = layout->format_size};
  put_record(stream->out + begin, head, layout, slots, lengths);
  __gpu_sync_lane(mask);
  if (!(mask >> 1 >> __gpu_lane_id())) { // the last lane
    __stream_send_records = send_records;
    stream->last_record = begin + 1;
    stream->record_end = begin + size;
    __stream_set_used(stream, start + total);
    stream->quick = stream->quick_records = stream_quick(stream);
#ifdef __NVPTX__
    __stream_functions = (stream_functions){__stream_flush, __stream_flush_all};
#endif
  }
  __gpu_sync_lane(mask);
  if (now)
    return send_records(stream);
  if (stream->mode == STREAM_LINE &&
      __gpu_ballot(mask, may_end_line(layout, slots, lengths)) &&
      !__stream_send_pending(stream, mask))
    result = -1;
  return result;
}

__attribute__((noinline)) int __stream_record(FILE *stream,
                                              const struct print_layout *layout,
                                              const uint64_t *slots, bool now) {
  if (stream->mode == STREAM_NONE || !rpc_has_feature(RPC_FEATURE_RECORDS))
    return NOT_RECORDED;
  uint32_t lengths[PRINT_STRINGS];
  const uint32_t size = record_size(layout, slots, lengths);
  const uint64_t mask = rpc_lane_mask();
  if (__gpu_ballot(mask, size > PRINT_MOST) || (now && (mask & (mask - 1))))
    return NOT_RECORDED;
  int result = 0;
  WITH_STREAM(stream) {
    result = append(stream, stream_mask, layout, slots, lengths, size, now);
  }
  return result;
}

//===-- Formats that are not constant -------------------------------------===//

/// A layout with room for a format.
typedef union {
  struct print_layout layout;
  char bytes[PRINT_FORMAT + LONGEST_FORMAT];
} format_layout;

/// A conversion that is being read.
typedef struct {
  bool wide;         ///< a length other than h
  bool has_dot;      ///< a precision follows
  int64_t precision; ///< below 0: none
} conversion;

/// Reads a character between '%' and the letter. `*slot`: the next argument.
/// False: it is the letter, or of another kind.
static bool read_modifier(char c, const uint64_t *slots, uint32_t *slot,
                          conversion *it) {
  switch (c) {
  case '*': {
    const int value = (int)slots[(*slot)++];
    if (it->has_dot)
      it->precision = value;
    return true;
  }
  case '.':
    it->has_dot = true;
    it->precision = 0;
    return true;
  case 'h':
    return true;
  case 'l':
  case 'L':
  case 'j':
  case 'z':
  case 't':
  case 'q':
    return it->wide = true;
  case ' ':
  case '#':
  case '\'':
  case '+':
  case '-':
    return !it->has_dot;
  default:
    if ((unsigned)(c - '0') > 9)
      return false;
    if (it->has_dot && it->precision < PRINT_NO_PRECISION)
      it->precision = it->precision * 10 + (c - '0');
    return true;
  }
}

/// Adds what the letter of a conversion takes. False: such a conversion is not
/// recorded.
static bool add_argument(char letter, const conversion *it,
                         struct print_layout *layout) {
  const char *const numbers = "diouxXbBfFeEgGaAp";
  if (letter == '%')
    return true;
  const uint16_t slot = layout->slots++;
  if (letter == 'c')
    layout->newline = 1;
  if (letter == 'c')
    return !it->wide;
  if (letter != 's')
    return letter && strchr(numbers, letter);
  if (it->wide || layout->strings == PRINT_STRINGS ||
      it->precision >= PRINT_NO_PRECISION)
    return false;
  layout->string[layout->strings].slot = slot;
  layout->string[layout->strings++].most =
      it->precision < 0 ? PRINT_NO_PRECISION : (uint16_t)it->precision;
  return true;
}

/// Makes the layout of a format. False: it cannot be recorded.
static bool lay_out(const char *format, const uint64_t *slots,
                    struct print_layout *layout) {
  layout->slots = layout->strings = layout->newline = 0;
  conversion it;
  bool within = false; // a conversion
  uint32_t size = 0;
  for (char c = 1; c;) {
    if (size == LONGEST_FORMAT)
      return false;
    c = layout->format[size] = format[size];
    ++size;
    if (!within) {
      within = c == '%';
      layout->newline |= c == '\n';
      it = (conversion){.precision = -1};
      continue;
    }
    uint32_t slot = layout->slots;
    if (!read_modifier(c, slots, &slot, &it)) {
      if (!add_argument(c, &it, layout))
        return false;
      within = false;
    } else {
      layout->slots = (uint16_t)slot;
    }
  }
  layout->format_size = size;
  while (size % 8)
    layout->format[size++] = 0;
  return !within;
}

__attribute__((noinline)) int __stream_record_format(FILE *stream,
                                                     const char *format,
                                                     const uint64_t *slots,
                                                     bool now) {
  if (stream->mode == STREAM_NONE || !rpc_has_feature(RPC_FEATURE_RECORDS))
    return NOT_RECORDED;
  format_layout known;
  if (!lay_out(format, slots, &known.layout))
    return NOT_RECORDED;
  return __stream_record(stream, &known.layout, slots, now);
}
