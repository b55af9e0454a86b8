//===-- libc-shim/stdio/wide_format.h - Wide formats, in bytes ----*- C -*-===//
// The engines of printf and scanf read formats in bytes; a wide one becomes
// such a one for them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_WIDE_FORMAT_H
#define GPUEXEC_LIBC_WIDE_FORMAT_H

#include <wchar.h>

/// The letter of a conversion of our own: the character whose number is the
/// width, which bytes cannot hold.
enum { FORMAT_WIDE_CHARACTER = 6 };

/// In memory of its own; null when there is none.
char *__wide_format_in_bytes(const wchar_t *format);

#endif
