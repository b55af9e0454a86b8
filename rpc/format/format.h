//===-- rpc/format/format.h - printf of device arguments --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In C, because gpuexec and gpu-replay share it: both must print the same
// bytes. The device sends a format and a block with the bytes of its arguments.
// This code parses the format and takes each value from the block with the size
// that spec section 3.9 gives it; the C library's snprintf sees only single
// conversions that this code has written.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_FORMAT_FORMAT_H
#define GPUEXEC_RPC_FORMAT_FORMAT_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where the arguments lie: one directly behind the other (LLVM's C library on
/// AMDGPU), each aligned to its size (on NVPTX), or each in a slot of 8 bytes
/// (gpucc).
enum packing { PACKED, ALIGNED, SLOTS };

/// gpucc's C library replaces %m by a conversion with this letter. The width is
/// the error's number; it prints the error's text and takes no argument.
enum { ERROR_TEXT = 5 };
/// The letters by which it replaces %ls and %lc if its locale has UTF-8.
/// Precision and width count bytes.
enum { UTF8_STRING = 6, UTF8_CHARACTER = 7 };

/// The longest text of a lane in bytes, and the largest width or precision; a
/// larger one fails with EOVERFLOW, because a few bytes from a device must not
/// keep the host busy for seconds.
enum { MOST_TEXT = 64 << 20, MOST_WIDTH = 1 << 20 };

/// Bytes that the caller owns.
struct format_bytes {
  const char *data;
  size_t size;
};

/// The argument of a %s.
struct string_argument {
  unsigned argument;
  uint64_t offset;        ///< of the string's address, in the block
  int precision_argument; ///< index of a `*` precision; -1: use `precision`
  int64_t precision;      ///< -1 for none
  bool wide;              ///< of 32-bit characters
  bool utf8;              ///< wide characters become UTF-8, else ASCII
};

struct format_piece;
struct format_argument {
  uint8_t size; ///< 4 or 8
  uint64_t offset;
};

/// A parsed format. It keeps nothing of the text that it was parsed from.
struct format {
  bool valid;          ///< false: an argument has no size, as in `%2$d`, or two
  uint64_t block_size; ///< bytes of arguments that the device must send
  struct string_argument *strings;
  size_t string_count;
  // For the functions below:
  struct format_piece *pieces;
  struct format_argument *arguments;
  char *text; ///< of the literal pieces
  size_t piece_count, argument_count, text_size;
  size_t piece_room, argument_room, string_room, text_room;
};

/// Parses up to the first NUL or the end. False: there is no memory. The caller
/// frees the format in either case.
bool parse_format(struct format *format, struct format_bytes text,
                  enum packing packing);
void free_format(struct format *format);

/// The address of the string, 0 when the block is too short.
uint64_t string_address(const struct format *format,
                        const struct string_argument *string,
                        struct format_bytes block);
/// The most bytes of the string that are printed; all ones: no limit.
uint64_t string_precision(const struct format *format,
                          const struct string_argument *string,
                          struct format_bytes block);

/// The buffer for a text, which grow() may replace by a larger one.
struct format_output {
  char *data;
  size_t size, room;
  /// Makes room for `more` bytes behind the first `size`. False: no memory.
  bool (*grow)(struct format_output *output, size_t more);
};

/// Appends the printed text to `out`. `copies`: the format's strings; those
/// behind the first `copy_count` count as empty. `llvm_style`: prints as LLVM's
/// C library, which LLVM's loaders up to version 22 use, instead of as glibc.
/// The two differ in %p and in null pointers: LLVM prints `(nullptr)` for
/// `(nil)`, and cuts `(null)` to the precision. Returns 0 or an errno
/// (EOVERFLOW, ENOMEM, EINVAL, EILSEQ); after an error `out` may have a part of
/// the text.
int print_format(const struct format *format, struct format_output *out,
                 struct format_bytes block, const struct format_bytes *copies,
                 size_t copy_count, bool llvm_style);

/// Decides what a client's answer to a request for a string means. 0: `sent`
/// are the string's bytes. Else: RPC_STRING_THERE; the host reads this many
/// bytes at the string's address, at most `limit` characters.
uint64_t size_there(struct format_bytes sent, bool wide, uint64_t limit);

/// Converts 32-bit characters to ASCII or UTF-8, up to and including a NUL, but
/// no more whole characters than fit into `limit` bytes. `to` has at least as
/// many bytes as `wide`, and may be the same memory. False when a character
/// cannot be converted.
bool narrow_string(char *to, size_t *size, struct format_bytes wide, bool utf8,
                   uint64_t limit);

/// Writes a character as UTF-8 to `to`, which has 4 bytes. Returns its length
/// in bytes, or 0 if the number is no character.
size_t put_utf8(char *to, uint32_t character);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_RPC_FORMAT_FORMAT_H
