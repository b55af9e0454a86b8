//===-- rpc/format/format.h - printf of device arguments --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In C, for gpuexec and gpu-replay: what the two print must be the same bytes.
// The format comes from the device and so do the bytes of its arguments. They
// are parsed here; each value is taken from the block by the size that spec
// section 3.9 gives it, and one conversion at a time is handed to the C
// library's snprintf, with a conversion that we wrote.
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

/// The letter of a conversion that our own client makes of %m: the text of the
/// error whose number is the width, and no argument.
enum { ERROR_TEXT = 5 };
/// The letters that it makes of %ls and %lc where its locale has UTF-8.
/// Precision and width count bytes.
enum { UTF8_STRING = 6, UTF8_CHARACTER = 7 };

/// No lane's text is longer, and no width or precision larger: EOVERFLOW. A few
/// bytes from a device must not keep the host busy for seconds.
enum { MOST_TEXT = 64 << 20, MOST_WIDTH = 1 << 20 };

/// Bytes of somebody else.
struct format_bytes {
  const char *data;
  size_t size;
};

/// An argument of %s: where its address is in the block.
struct string_argument {
  unsigned argument;
  uint64_t offset;
  int precision_argument; ///< of a `*` precision; -1: `precision` is it
  int64_t precision;      ///< -1 for none
  bool wide;              ///< of 32-bit characters
  bool utf8;              ///< those become UTF-8, else ASCII
};

struct format_piece;
struct format_argument {
  uint8_t size; ///< 4 or 8
  uint64_t offset;
};

/// A parsed format. It keeps nothing of the text that it was parsed from.
struct format {
  bool valid;          ///< false: `%2$d` leaves an argument without a size
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

/// The address of a %s, 0 when the block is too short.
uint64_t string_address(const struct format *format,
                        const struct string_argument *string,
                        struct format_bytes block);
/// How many bytes of it can matter, all ones for all.
uint64_t string_precision(const struct format *format,
                          const struct string_argument *string,
                          struct format_bytes block);

/// Where a text goes: memory that grow() may exchange for larger memory.
struct format_output {
  char *data;
  size_t size, room;
  /// Makes room for `more` bytes behind the others. False: there is no memory.
  bool (*grow)(struct format_output *output, size_t more);
};

/// Appends the text to `out`. `copies`: of the format's strings; those that
/// are not among the `copy_count` first are empty. `llvm_style`: conversions of
/// LLVM's C library, with which LLVM's loaders format up to version 22, not of
/// glibc. They differ in %p and in null pointers: `(nil)` is `(nullptr)`, and a
/// short precision cuts `(null)`. An errno (EOVERFLOW, ENOMEM, EINVAL, EILSEQ)
/// or 0; `out` may hold a part then.
int print_format(const struct format *format, struct format_output *out,
                 struct format_bytes block, const struct format_bytes *copies,
                 size_t copy_count, bool llvm_style);

/// What a client of ours has sent for a string: its bytes (0), or how many
/// there are to read where it lies, at most those of `limit` characters.
uint64_t size_there(struct format_bytes sent, bool wide, uint64_t limit);

/// Makes ASCII or UTF-8 of 32-bit characters up to and with a NUL: as many
/// whole characters as have `limit` bytes. `to` has as much room as `wide` has
/// bytes, and may be its memory. False where one is no character of that.
bool narrow_string(char *to, size_t *size, struct format_bytes wide, bool utf8,
                   uint64_t limit);

/// Writes a character as UTF-8 to `to`, which has 4 bytes. Its length, or 0 for
/// a number that is no character.
size_t put_utf8(char *to, uint32_t character);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_RPC_FORMAT_FORMAT_H
