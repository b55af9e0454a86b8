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

// For the engine's functions: a call is cheap on a GPU, and without noinline
// each of them would be inlined many times.
#define FORMAT_PIECE __attribute__((noinline))

/// The destination. Characters beyond `capacity` are counted, not stored.
typedef struct {
  char *buffer; ///< an array of wchar_t if `wide`
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

/// Formats into `sink`. Returns the number of characters, or -1 with errno:
/// EOVERFLOW when there are more than INT_MAX, EILSEQ for a character that the
/// locale cannot encode, EINVAL for a format that ends inside a conversion or
/// has an argument number above 64. Writes no terminating null.
FORMAT_PIECE int __format(format_sink *sink, const char *format, va_list list);

// format.c's functions for format_float.c: write a character, a character
// `count` times, an array.
void __format_put(format_sink *, char);
FORMAT_PIECE void __format_repeat(format_sink *, char, int64_t count);
FORMAT_PIECE void __format_bytes(format_sink *, const char *, size_t);
/// Called before and after `size` characters of content: the first writes the
/// padding on the left and `prefix` (a sign, "0x"), the second the padding on
/// the right. With `zeros` the padding is zeros after the prefix.
FORMAT_PIECE void __format_begin(format_sink *, const format_spec *,
                                 const char *prefix, int64_t size, bool zeros);
FORMAT_PIECE void __format_end(format_sink *, const format_spec *,
                               const char *prefix, int64_t size);

/// %e %f %g %a and their capital forms.
FORMAT_PIECE void __format_float(format_sink *, const format_spec *, double);

#endif
