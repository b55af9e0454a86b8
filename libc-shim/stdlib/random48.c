//===-- libc-shim/stdlib/random48.c - Signed numbers of 32 bits -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// newlib's functions assume that long has 32 bits. Where it has 64, they do not
// sign-extend the result.
//===----------------------------------------------------------------------===//
#include <stdint.h>
#include <stdlib.h>

long __newlib_mrand48(void);
long __newlib_jrand48(unsigned short state[3]);

long mrand48(void) { return (int32_t)__newlib_mrand48(); }
long jrand48(unsigned short state[3]) {
  return (int32_t)__newlib_jrand48(state);
}
