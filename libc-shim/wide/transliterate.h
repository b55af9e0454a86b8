//===-- libc-shim/wide/transliterate.h - Characters in ASCII ----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_TRANSLITERATE_H
#define GPUEXEC_LIBC_TRANSLITERATE_H

#include <stdbool.h>
#include <stdint.h>

enum { TRANSLITERATION_MOST = 5 };

/// Writes what stands for a character in ASCII to `to`: "EUR" for the sign of
/// the euro. `letters`: also letters without their accents, as glibc does where
/// the locale has UTF-8. "?" for a character without such a text.
void __transliterate(uint32_t c, bool letters,
                     char to[TRANSLITERATION_MOST + 1]);

#endif
