//===-- replay/core/bytes.h - Bytes, and numbers packed into them -*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number is written seven bits a byte, the low ones first; all bytes but the
// last have their top bit set. A string is its size and its bytes
// (docs/recording.md).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_BYTES_H
#define GPUEXEC_REPLAY_CORE_BYTES_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Memory for the core: allocate() zeroes it, reallocate() changes its size.
/// The program that links the core defines both. They never return NULL:
/// without memory they end the process. The caller frees the memory with
/// free().
void *allocate(uint64_t count, uint64_t size);
void *reallocate(void *data, uint64_t size);

/// Why something failed: one line of text. It may contain bytes of a file: the
/// caller makes it printable.
struct error {
  char text[240];
};
/// Sets the text. Returns false, so that a failing function can return its
/// result.
bool set_error_text(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// True if [offset, offset + length) lies within [0, size).
static inline bool in_range(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

/// Runs the statement behind it for each lane of a mask.
#define FOR_EACH_LANE(LANE, MASK)                                              \
  for (uint64_t LANE##_left = (MASK), LANE = 0;                                \
       LANE##_left && (LANE = (uint64_t)__builtin_ctzll(LANE##_left), 1);      \
       LANE##_left &= LANE##_left - 1)

/// Bytes in memory that another object owns.
struct bytes {
  const uint8_t *data;
  size_t size;
};
bool same_bytes(struct bytes a, struct bytes b);
/// Compares with a NUL-terminated string.
bool is_text(struct bytes a, const char *text);
/// The bytes of a NUL-terminated string, which must outlive the result.
struct bytes bytes_of(const char *text);
/// Compares as memcmp() does; if one is the beginning of the other, the shorter
/// one comes first.
int compare_bytes(struct bytes a, struct bytes b);

/// Bytes that grow. All zero: none. The owner frees `data`.
struct buffer {
  uint8_t *data;
  size_t size, capacity;
};
/// Returns the end of the bytes, behind which there is room for `more`.
uint8_t *reserve(struct buffer *to, size_t more);
void append(struct buffer *to, const void *data, size_t size);
void append_number(struct buffer *to, uint64_t number);
void append_bytes(struct buffer *to, struct bytes bytes);
/// Appends a text of at most 159 bytes.
void append_format(struct buffer *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline struct bytes view(const struct buffer *of) {
  struct bytes bytes = {of->data, of->size};
  return bytes;
}

/// Makes room for one more element in `list`, which has `count` elements of
/// `size` bytes, and returns the list, which may have moved. `*room`: how many
/// elements have room.
void *grow(void *list, size_t count, size_t *room, size_t size);

/// Reads numbers and strings that the functions above have packed; the bytes
/// may be anything. After a failure each further read gives 0 or an empty
/// string.
struct packed {
  struct bytes left;
  bool failed;
};
uint64_t read_number(struct packed *from);
struct bytes read_bytes(struct packed *from);

/// XXH3 with 64 bits and no seed, as xxHash's specification describes it.
uint64_t xxh3(struct bytes bytes);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_BYTES_H
