//===-- libc-shim/stdlib/random48.c - Signed numbers of 32 bits -----------===//
// newlib's functions take long for an integer of 32 bits: where it is longer,
// half of the range came out as other numbers.
//===----------------------------------------------------------------------===//
#include <stdint.h>
#include <stdlib.h>

long __newlib_mrand48(void);
long __newlib_jrand48(unsigned short state[3]);

long mrand48(void) { return (int32_t)__newlib_mrand48(); }
long jrand48(unsigned short state[3]) {
  return (int32_t)__newlib_jrand48(state);
}
