//===-- offload/blas/entry/blas.c - The functions of BLAS that we have ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated: tables/blas_entries.py. A function and its parameters are declared
// as programs call them.
//===----------------------------------------------------------------------===//
#include "offload/blas/run/call.h"
#include "offload/blas/run/next.h"

/// Is a number, real (one part) or complex (two), other than 0? NaN is.
static int number_is_set(const void *number, int parts, size_t size) {
  for (int i = 0; i < parts; ++i)
    if (size == sizeof(float) ? ((const float *)number)[i] != 0
                              : ((const double *)number)[i] != 0)
      return 1;
  return 0;
}

#include "blas_entries.inc"
