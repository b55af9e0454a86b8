//===-- libc-shim/stdlib/rand_r.c - rand_r(), as glibc has it -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

/// The result is 11, 10 and 10 bits of three steps of the generator.
int rand_r(unsigned *seed) {
  unsigned result = 0;
  for (int i = 0; i < 3; i++) {
    *seed = *seed * 1103515245u + 12345u;
    result = result << 10 ^ (*seed >> 16) % (i ? 1024 : 2048);
  }
  return (int)result;
}
