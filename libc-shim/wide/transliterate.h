//===-- libc-shim/wide/transliterate.h - Characters in ASCII ----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_TRANSLITERATE_H
#define GPUEXEC_LIBC_TRANSLITERATE_H

#include <stdbool.h>
#include <stdint.h>

enum { TRANSLITERATION_MOST = 5 };

/// Writes to `to` the ASCII text that replaces a character: "EUR" for the sign
/// of the euro, "?" for a character without a text. With `letters`, a letter
/// with an accent becomes the letter, as in glibc in a UTF-8 locale.
void __transliterate(uint32_t c, bool letters,
                     char to[TRANSLITERATION_MOST + 1]);

#endif
