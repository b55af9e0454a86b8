//===-- libc-shim/stdio/format.h - Formatted output to memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine of snprintf and its family: C17's conversions, POSIX's %n$,
// glibc's %m, %b and its text for null pointers. It allocates nothing, makes no
// indirect calls and keeps no state: any number of lanes may run it, and the
// linker knows its stack.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_FORMAT_H
#define GPUEXEC_LIBC_FORMAT_H

#include "libc-shim/stdio/wide_format.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A call is cheap on a GPU; without this the inliners would make many copies.
#define FORMAT_PIECE __attribute__((noinline))

/// The destination. Characters beyond `capacity` are counted, not stored.
typedef struct {
  char *buffer; ///< of wchar_t where `wide`
  size_t capacity;
  size_t count;
  bool wide;
} format_sink;

/// One conversion specification, parsed.
typedef struct {
  bool left, plus, space, alternate, zero;
  int width;     ///< 0 = none
  int precision; ///< negative = none
  char length;   ///< 'H' for hh, 'h', 'l', 'q' for ll, 'j', 'z', 't', 'L', or 0
  char conversion;
} format_spec;

/// Formats into `sink`; the number of characters, or -1 with errno set:
/// EOVERFLOW when there are more than INT_MAX, EILSEQ for a wide character that
/// the locale has no bytes for, EINVAL for a format that ends inside a
/// conversion. Writes no terminating null.
FORMAT_PIECE int __format(format_sink *sink, const char *format, va_list list);

// Pieces for format_float.c.
void __format_put(format_sink *, char);
FORMAT_PIECE void __format_repeat(format_sink *, char, int64_t count);
FORMAT_PIECE void __format_bytes(format_sink *, const char *, size_t);
/// Pads `size` characters of content on the left or on the right as asked.
/// `prefix` (a sign, "0x") comes before zeros that pad.
FORMAT_PIECE void __format_begin(format_sink *, const format_spec *,
                                 const char *prefix, int64_t size, bool zeros);
FORMAT_PIECE void __format_end(format_sink *, const format_spec *,
                               const char *prefix, int64_t size);

/// %e %f %g %a and their capital forms.
FORMAT_PIECE void __format_float(format_sink *, const format_spec *, double);

#endif
