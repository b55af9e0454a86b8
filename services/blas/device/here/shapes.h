//===-- services/blas/device/here/shapes.h - Where elements lie -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix by rows is its transpose by columns: the functions walk with two
// strides, and do not know orders.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_HERE_SHAPES_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_HERE_SHAPES_H

#include "services/blas/device/here/here.h"
#include "services/common/cblas_values.h"

/// Element (i, j) of op(A) is conjugated or not, at i * row + j * column.
typedef struct {
  ptrdiff_t row, column;
  int is_conjugate;
} shape;

static inline shape shape_of(int order, int trans, int leading) {
  const int is_turned = (order == BY_ROWS) != (trans != NO_TRANS);
  return (shape){is_turned ? leading : 1, is_turned ? 1 : leading,
                 trans == CONJ_TRANS};
}

static inline shape turned(shape s) {
  return (shape){s.column, s.row, s.is_conjugate};
}

/// Is op(A) a lower triangle where A is that of `uplo`?
static inline int is_lower(int uplo, int trans) {
  return (uplo == LOWER) == (trans == NO_TRANS);
}

/// Of a vector with a negative increment the first element lies last.
static inline ptrdiff_t first_of(int n, int increment) {
  return increment < 0 ? (ptrdiff_t)(1 - n) * increment : 0;
}

#endif
