//===-- libc-shim/stdlib/l64a.c - Numbers in radix 64 ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX's l64a, with one buffer per thread. newlib's does not terminate a text
// of six digits.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_state.h"
#include <stdlib.h>

char *l64a(long value) {
  static const char digits[] =
      "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  char *text = __thread_state()->radix64, *to = text;
  for (uint32_t left = (uint32_t)value; left; left >>= 6)
    *to++ = digits[left & 63];
  *to = 0;
  return text;
}
