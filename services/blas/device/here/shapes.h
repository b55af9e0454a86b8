//===-- services/blas/device/here/shapes.h - Where elements lie -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix by rows is the transpose of a matrix by columns. The functions use a
// stride for rows and one for columns, and so need not know the order.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_HERE_SHAPES_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_HERE_SHAPES_H

#include "services/blas/device/here/here.h"
#include "services/common/cblas_values.h"

/// Where the elements of op(A) lie: (i, j) is at i * row + j * column; it is
/// conjugated if is_conjugate.
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

/// Whether op(A) is a lower triangle; `uplo`: the triangle A.
static inline int is_lower(int uplo, int trans) {
  return (uplo == LOWER) == (trans == NO_TRANS);
}

/// The offset of a vector's first element: with a negative increment it is the
/// last in memory.
static inline ptrdiff_t first_of(int n, int increment) {
  return increment < 0 ? (ptrdiff_t)(1 - n) * increment : 0;
}

#endif
