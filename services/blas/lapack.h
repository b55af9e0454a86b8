//===-- services/blas/lapack.h - What device and host check of a call of LAPACK -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_LAPACK_H
#define GPUEXEC_SERVICES_BLAS_LAPACK_H

#include "services/blas/request.h"
#include "services/common/cblas_values.h"
#include <string.h>

static inline int64_t lapack_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t lapack_max(int64_t a, int64_t b) { return a > b ? a : b; }

/// The number of elements of an array; a negative `count`, such as LAPACK's n -
/// 1 of an empty matrix, is 0.
static inline uint64_t lapack_count(int64_t count) {
  return count > 0 ? (uint64_t)count : 0;
}

static inline int lapack_is_one_of(char letter, const char *letters) {
  return letter && strchr(letters, letter);
}

/// Whether `step` is a valid leading dimension of the matrix.
static inline int lapack_is_step(int order, int64_t step, int64_t rows,
                                 int64_t columns) {
  return step >= 1 && step >= (order == BY_COLUMNS ? rows : rows ? columns : 1);
}

#endif
