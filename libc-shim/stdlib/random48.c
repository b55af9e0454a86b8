//===-- libc-shim/stdlib/random48.c - drand48() and its family ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generator X' = (a X + c) mod 2^48 of POSIX. As in glibc, X is 0 before
// the first seed, not what srand48() makes of some number. Each thread has a
// generator of its own.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_state.h"
#include <stdlib.h>
#include <string.h>

typedef struct drand48_data generator;

#define MULTIPLIER UINT64_C(0x5deece66d)
enum { ADDEND = 0xb };
#define LOW_48_BITS ((UINT64_C(1) << 48) - 1)

/// The calling thread's.
static generator *own(void) { return &__thread_state()->random48; }

static uint64_t of_words(const unsigned short words[3]) {
  return words[0] | (uint64_t)words[1] << 16 | (uint64_t)words[2] << 32;
}

/// Replaces the number in the words by the next one, and returns that.
static uint64_t next(unsigned short words[3], generator *data) {
  if (!data->__init) {
    data->__a = MULTIPLIER, data->__c = ADDEND;
    data->__init = 1;
  }
  const uint64_t x = (of_words(words) * data->__a + data->__c) & LOW_48_BITS;
  words[0] = (unsigned short)x;
  words[1] = (unsigned short)(x >> 16);
  words[2] = (unsigned short)(x >> 32);
  return x;
}

int erand48_r(unsigned short words[3], generator *restrict data,
              double *restrict result) {
  *result = (double)next(words, data) * 0x1p-48;
  return 0;
}
int nrand48_r(unsigned short words[3], generator *restrict data,
              long *restrict result) {
  *result = (long)(next(words, data) >> 17);
  return 0;
}
int jrand48_r(unsigned short words[3], generator *restrict data,
              long *restrict result) {
  *result = (int32_t)(next(words, data) >> 16);
  return 0;
}
int drand48_r(generator *restrict data, double *restrict result) {
  return erand48_r(data->__x, data, result);
}
int lrand48_r(generator *restrict data, long *restrict result) {
  return nrand48_r(data->__x, data, result);
}
int mrand48_r(generator *restrict data, long *restrict result) {
  return jrand48_r(data->__x, data, result);
}

int seed48_r(unsigned short words[3], generator *data) {
  memcpy(data->__old_x, data->__x, sizeof data->__x);
  memcpy(data->__x, words, sizeof data->__x);
  data->__a = MULTIPLIER, data->__c = ADDEND;
  data->__init = 1;
  return 0;
}
int srand48_r(long value, generator *data) {
  unsigned short words[] = {0x330e, (unsigned short)value,
                            (unsigned short)(value >> 16)};
  return seed48_r(words, data);
}
int lcong48_r(unsigned short words[7], generator *data) {
  memcpy(data->__x, words, sizeof data->__x);
  data->__a = of_words(words + 3);
  data->__c = words[6];
  data->__init = 1;
  return 0;
}

double erand48(unsigned short words[3]) {
  double result;
  erand48_r(words, own(), &result);
  return result;
}
long nrand48(unsigned short words[3]) {
  long result;
  nrand48_r(words, own(), &result);
  return result;
}
long jrand48(unsigned short words[3]) {
  long result;
  jrand48_r(words, own(), &result);
  return result;
}
double drand48(void) { return erand48(own()->__x); }
long lrand48(void) { return nrand48(own()->__x); }
long mrand48(void) { return jrand48(own()->__x); }
void srand48(long value) { srand48_r(value, own()); }
void lcong48(unsigned short words[7]) { lcong48_r(words, own()); }
unsigned short *seed48(unsigned short words[3]) {
  seed48_r(words, own());
  return own()->__old_x;
}
