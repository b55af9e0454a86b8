//===-- replay/player/format.h - printf of device arguments ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Format and arguments come from the device. Each value is taken from the block
// by the size that spec section 3.9 gives it, and one conversion at a time is
// handed to the C library's snprintf, with a conversion that we wrote. The text
// is the same as rpc/services/format.cpp makes: recordings hold it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_FORMAT_H
#define GPUEXEC_REPLAY_PLAYER_FORMAT_H

#include "replay/core/bytes.h"

/// Where the arguments lie: one directly behind the other (LLVM's C library on
/// AMDGPU), each aligned to its size (on NVPTX), or each in a slot of 8 bytes
/// (gpucc).
enum packing { PACKED, ALIGNED, SLOTS };

/// Arguments of %s: where its address is in the block.
struct string_argument {
  unsigned argument;
  uint64_t offset;
  int precision_argument; ///< of a `*` precision; -1: `precision` is it
  int64_t precision;      ///< -1 for none
  bool wide;              ///< of 32-bit characters
  bool utf8;              ///< those become UTF-8, else ASCII
};

struct piece {
  char flags[8]; ///< "%" and flags
  struct bytes literal;
  char conversion; ///< 0: literal
  char length;     ///< 'H' hh, 'h', 'l' (8 bytes), 'u' UTF-8, 0
  int argument, width_argument, precision_argument;
  int width, precision; ///< -1: none
  int string;
};

struct argument {
  uint8_t size;
  uint64_t offset;
};

struct format {
  bool valid; ///< false: %1$... leaves arguments out
  uint64_t block_size;
  struct piece *pieces;
  size_t piece_count, piece_room;
  struct argument *arguments;
  size_t argument_count;
  struct string_argument *strings;
  size_t string_count, string_room;
};

/// The text stays the caller's, as long as the format is used.
void parse_format(struct format *format, struct bytes text,
                  enum packing packing);
void free_format(struct format *format);

/// The address of a %s, 0 when the block is too short; how many bytes of it can
/// matter, all ones for all.
uint64_t string_address(const struct format *format,
                        const struct string_argument *string,
                        struct bytes block);
uint64_t string_precision(const struct format *format,
                          const struct string_argument *string,
                          struct bytes block);

/// Appends the text to `out`. `copies`: of the strings. `llvm_style`: as LLVM's
/// C library does, not glibc. An errno (EOVERFLOW, EINVAL, EILSEQ) or 0.
int print_format(const struct format *format, struct buffer *out,
                 struct bytes block, const struct bytes *copies,
                 bool llvm_style);

#endif // GPUEXEC_REPLAY_PLAYER_FORMAT_H
