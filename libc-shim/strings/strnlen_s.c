//===-- libc-shim/strings/strnlen_s.c - Annex K's strnlen_s ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C11's Annex K; LLVM's C library for GPUs offers it too.
//===----------------------------------------------------------------------===//
#include <string.h>

size_t strnlen_s(const char *text, size_t most) {
  return text ? strnlen(text, most) : 0;
}
