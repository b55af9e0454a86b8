//===-- libc-shim/stdio/wide_format.h - Wide formats, in bytes ----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engines of printf and scanf read formats of bytes. A wide format is
// converted for them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_WIDE_FORMAT_H
#define GPUEXEC_LIBC_WIDE_FORMAT_H

#include <wchar.h>

/// The letter of a conversion of our own: the wide character whose code is the
/// width. It stands for a character that a byte cannot hold.
enum { FORMAT_WIDE_CHARACTER = 6 };

/// The converted format, for the caller to free. Null when memory is out.
char *__wide_format_in_bytes(const wchar_t *format);

#endif
