//===-- replay/core/utf8.h - Characters as UTF-8 -------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_CORE_UTF8_H
#define GPUEXEC_REPLAY_CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/// Writes a character to `to`, which has 4 bytes. Its length, or 0 for a number
/// that is none.
static inline size_t put_utf8(uint8_t *to, uint32_t character) {
  if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
    return 0;
  if (character < 0x80) {
    *to = (uint8_t)character;
    return 1;
  }
  const size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; --i, character >>= 6)
    to[i] = (uint8_t)(0x80 | (character & 0x3f));
  to[0] = (uint8_t)(0xf00u >> length | character);
  return length;
}

#endif // GPUEXEC_REPLAY_CORE_UTF8_H
