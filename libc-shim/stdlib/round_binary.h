//===-- libc-shim/stdlib/round_binary.h - Binary numbers to doubles -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding of a number that is known to 64 significant bits to a double or a
// float. Part of strtod.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ROUND_BINARY_H
#define GPUEXEC_LIBC_ROUND_BINARY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PIECE __attribute__((noinline))

/// The number bits * 2^exponent, or, with `more`, a number between this and
/// (bits + 1) * 2^exponent.
typedef struct {
  uint64_t bits;
  long exponent;
  bool more;
} binary;

/// The format of a type: double or float.
typedef struct {
  int mantissa_bits; ///< with the leading one
  int least_exponent;
  int most_exponent;
} float_type;

static const float_type double_type = {53, -1074, 1023};
static const float_type single_type = {24, -149, 127};

/// Rounds to `type`, half to even. Sets *range if the result over- or
/// underflows.
static PIECE double round_binary(binary from, float_type type, bool *range) {
  if (!from.bits)
    return 0;
  int shift = __builtin_clzll(from.bits);
  from.bits <<= shift;
  from.exponent -= shift;
  // The number is bits * 2^exponent with the top bit of 64 set.
  int drop = 64 - type.mantissa_bits;
  // Underflow is decided after rounding with an unbounded exponent: a number
  // just below the least normal one may be rounded up to it.
  const uint64_t unlimited = from.bits >> drop;
  const bool tiny =
      from.exponent + drop < type.least_exponent &&
      !((unlimited + 1) >> type.mantissa_bits && from.bits >> (drop - 1) & 1);
  if (from.exponent + drop < type.least_exponent)
    drop = from.exponent < type.least_exponent - 65
               ? 65
               : (int)(type.least_exponent - from.exponent);
  uint64_t kept, rest, half;
  if (drop >= 64) {
    kept = 0;
    rest = drop == 64 ? from.bits : 1; // less than half when drop is 65
    half = 1ull << 63;
  } else {
    kept = from.bits >> drop;
    rest = from.bits & ((1ull << drop) - 1);
    half = 1ull << (drop - 1);
  }
  bool inexact = rest || from.more;
  if (rest > half || (rest == half && (from.more || (kept & 1))))
    ++kept;
  long exponent = from.exponent + drop; // kept * 2^exponent
  if (kept >> type.mantissa_bits) {
    kept >>= 1;
    ++exponent;
  }
  if (exponent + type.mantissa_bits - 1 > type.most_exponent) {
    *range = true;
    return HUGE_VAL;
  }
  if (inexact && (tiny || !(kept >> (type.mantissa_bits - 1))))
    *range = true;
  // Exact in double for both types: assemble the bits.
  if (!kept)
    return 0;
  int top = 63 - __builtin_clzll(kept);
  long of_top = exponent + top;
  uint64_t bits;
  if (of_top < -1022)
    bits = kept << (exponent + 1074);
  else
    bits = (uint64_t)(of_top + 1023) << 52 |
           ((kept << (52 - top)) & ((1ull << 52) - 1));
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

#endif
