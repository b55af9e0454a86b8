//===-- libc-shim/strings/memfrob.c - GNU's disguises of a text -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <stdlib.h>
#include <string.h>

void *memfrob(void *memory, size_t size) {
  unsigned char *bytes = memory;
  for (size_t i = 0; i < size; ++i)
    bytes[i] ^= 42;
  return memory;
}

/// Every order of the characters is equally likely.
char *strfry(char *text) {
  for (size_t left = strlen(text); left > 1; --left) {
    const size_t other = (size_t)rand() % left;
    const char last = text[left - 1];
    text[left - 1] = text[other];
    text[other] = last;
  }
  return text;
}
