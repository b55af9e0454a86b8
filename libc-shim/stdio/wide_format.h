//===-- libc-shim/stdio/wide_format.h - Wide formats, in bytes ----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engines of printf and scanf read formats of bytes. A wide format is
// converted for them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_WIDE_FORMAT_H
#define GPUEXEC_LIBC_WIDE_FORMAT_H

#include <wchar.h>

/// The letter of a conversion that only the converted format has: it stands for
/// the wide character, beyond ASCII, whose code is the width.
enum { FORMAT_WIDE_CHARACTER = 6 };

/// The converted format; the caller frees it. Null when there is no memory.
char *__wide_format_in_bytes(const wchar_t *format);

#endif
