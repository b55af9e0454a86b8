//===-- replay/player/bytes.h - Bytes, and numbers packed into them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number is written seven bits a byte, the low ones first; all bytes but the
// last have their top bit set. A string is its size and its bytes
// (docs/recording.md).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_BYTES_H
#define GPUEXEC_REPLAY_PLAYER_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Exit statuses, as gpuexec's.
enum { STATUS_FAILED = 125, STATUS_NOT_RUNNABLE = 126, STATUS_NOT_FOUND = 127 };

/// Ends the process with a line on standard error, "gpu-replay: error: ...",
/// whose unprintable characters are escaped. Whoever links this library defines
/// it: the fuzzer goes on with the next input.
_Noreturn void fail(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Prints lines on standard error, whose unprintable characters are escaped:
/// names in them come from the recording. Nothing else is printed there, but
/// what the program prints. Defined as fail() is.
void say(const char *text);

/// Zeroed memory that is never given back, or fail().
void *allocate(uint64_t count, uint64_t size);

/// True if [offset, offset + length) lies within [0, size).
static inline bool in_range(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

/// Somebody else's bytes.
struct bytes {
  const uint8_t *data;
  size_t size;
};
bool same_bytes(struct bytes a, struct bytes b);
/// The same for a string of ours.
bool is_text(struct bytes a, const char *text);
/// The bytes before the first NUL, as a string that stays.
char *text_of(struct bytes bytes);

/// Bytes that grow. All zero: none.
struct buffer {
  uint8_t *data;
  size_t size, capacity;
};
/// Room for so many bytes more; fail() where there is no memory.
uint8_t *reserve(struct buffer *to, size_t more);
void append(struct buffer *to, const void *data, size_t size);
void append_number(struct buffer *to, uint64_t number);
void append_bytes(struct buffer *to, struct bytes bytes);
static inline struct bytes view(const struct buffer *of) {
  return (struct bytes){of->data, of->size};
}

/// Reads what the functions above have written, from bytes of any origin. After
/// a failure every further read gives 0 or an empty string.
struct packed {
  struct bytes left;
  bool failed;
};
uint64_t read_number(struct packed *from);
struct bytes read_bytes(struct packed *from);

/// XXH3 with 64 bits and no seed, as xxHash's specification describes it.
uint64_t xxh3(struct bytes bytes);

#endif // GPUEXEC_REPLAY_PLAYER_BYTES_H
