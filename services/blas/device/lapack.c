//===-- services/blas/device/lapack.c - Helpers of LAPACK's functions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/device/lapack.h"
#include <float.h>
#include <stdio.h>

WEAK void LAPACKE_xerbla(const char *name, int info) {
  fprintf(stderr, "Wrong parameter %d in %s\n", -info, name);
}

/// xLAMCH: a property of the machine's arithmetic, by its letter. `digits`:
/// binary digits of a number. As the reference implementation computes them:
/// rounding is to nearest, and 1 / `least` is finite.
static double machine_number(char letter, int digits, int least_exponent,
                             int largest_exponent, double least,
                             double largest) {
  const double epsilon = 2.0 / (double)(UINT64_C(1) << digits);
  switch (lapack_upper(letter)) {
  case 'E':
    return epsilon / 2;
  case 'S':
  case 'U':
    return least;
  case 'B':
    return FLT_RADIX;
  case 'P':
    return epsilon;
  case 'N':
    return digits;
  case 'R':
    return 1;
  case 'M':
    return least_exponent;
  case 'L':
    return largest_exponent;
  case 'O':
    return largest;
  }
  return 0;
}

WEAK double LAPACKE_dlamch(char cmach) {
  return machine_number(cmach, DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP, DBL_MIN,
                        DBL_MAX);
}
WEAK float LAPACKE_slamch(char cmach) {
  return (float)machine_number(cmach, FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP,
                               FLT_MIN, FLT_MAX);
}
WEAK double dlamch_(const char *cmach) { return LAPACKE_dlamch(*cmach); }
WEAK float slamch_(const char *cmach) { return LAPACKE_slamch(*cmach); }
