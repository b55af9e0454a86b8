//===-- libc-shim/stdio/record.h - printf into a stream's buffer ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A printf does not call the host at once: format, arguments and strings go to
// the stream's buffer as a record (rpc_record), between the text of puts and
// putchar. The host formats the records when the buffer is sent. A printf whose
// result is needed sends the buffer itself, and gets the result in the answer.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_RECORD_H
#define GPUEXEC_LIBC_RECORD_H

#include "gpu/pass_runtime.h"
#include "libc-shim/stdio/stream.h"
#include <limits.h>

/// What a format needs. The pass record_prints makes it for a constant format.
struct print_layout {
  uint32_t format_size; ///< bytes, the NUL included
  uint16_t slots;       ///< of 8 bytes, for the arguments
  uint8_t strings;      ///< how many of them are addresses of strings
  uint8_t newline;      ///< 1: the text may have a newline, also without a %s
  struct {
    uint16_t slot; ///< which argument it is
    uint16_t most; ///< the precision; PRINT_NO_PRECISION: none
  } string[PRINT_STRINGS];
  /// For quick.h: the bytes that it wants to be free in the buffer, strings
  /// aside, PRINT_NEVER: the format is not for it; and the first string's
  /// address's place in the arguments, in bytes.
  uint32_t room, first;
  /// Padded with NULs to a multiple of 8 bytes; by the pass, to PRINT_WORDS
  /// words at least.
  char format[];
};
_Static_assert(offsetof(struct print_layout, format) == PRINT_FORMAT,
               "the pass builds it");

/// The result of a function below when there is no record: the stream has no
/// buffer, the host takes none, or the record is too large or of another kind
/// (%n, %m, wide text, arguments by number). Nothing has been printed then.
enum { NOT_RECORDED = INT_MIN };

/// Prints a format whose layout is known. `slots`: the arguments. `now`: sends
/// the buffer and returns what printf returns; for one lane at a time. Without
/// `now` the result is 0, or -1 with errno if a full buffer cannot be sent.
int __stream_record(FILE *, const struct print_layout *, const uint64_t *slots,
                    bool now);
/// The same for any format.
int __stream_record_format(FILE *, const char *format, const uint64_t *slots,
                           bool now);

#endif
