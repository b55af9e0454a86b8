//===-- services/blas/cuda/cusolver.h - cuSOLVER, opened at run time -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls NVIDIA's library with the arguments of LAPACK, for matrices by columns.
// Types and numbers are those of cuSOLVER 11 and later.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_CUDA_CUSOLVER_H
#define GPUEXEC_SERVICES_BLAS_CUDA_CUSOLVER_H

#include "services/blas/cuda/cublas.h"

enum { CUSOLVER_FUNCTIONS = 16 };
enum { CUSOLVER_ALLOC_FAILED = 2 }; ///< of cusolverStatus_t
/// Whether cuSOLVER's gesvd works for a matrix of this size. It does not take
/// more columns than rows. The size of its workspace is an int, which overflows
/// to a value that looks valid: with one column from 46 341 rows on (rows x
/// rows: CuPy's issue 2351), with as many columns as rows from 18 919 on (6 x
/// rows x columns: issue 7611). The process then crashes, or the values are
/// wrong. For sizes in between, the sum of both products is taken as the bound.
static inline int cusolver_can_svd(int64_t rows, int64_t columns) {
  return rows <= 46340 && columns <= rows &&
         rows * rows + 6 * rows * columns <= INT32_MAX;
}

/// Whether cuSOLVER's syevd works for so many rows. LAPACK's workspace for it
/// is twice the matrix; up to this size three times the matrix does not
/// overflow an int. This bound is an estimate, not measured.
static inline int cusolver_can_evd(int64_t rows) { return rows <= 26754; }

typedef struct {
  void *library;
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  int (*set_stream)(void *handle, void *stream);
  void *functions[CUSOLVER_FUNCTIONS][4]; ///< by type: s d c z
} cusolver;

/// As open_cublas().
const char *open_cusolver(cusolver *, const char *name);
void close_cusolver(cusolver *);

/// Addresses of memory on the device that a call needs besides its arrays.
typedef struct {
  uint64_t work;  ///< the workspace
  int elements;   ///< its size, in elements of the call's type
  uint64_t rwork; ///< real numbers, as many as the smaller dimension
  uint64_t info;  ///< an int
} cusolver_memory;

/// A function of LAPACK by its name without the type's letter: getrf, getrs,
/// potrf, potrs, geqrf, orgqr (also for ungqr), ormqr (for unmqr), syevd (for
/// heevd), gesvd. Arguments are those of LAPACKE without the order; letters are
/// integers; arrays are on the device.
/// cusolver_workspace() sets `elements`. Both return 0, a cusolverStatus_t, or
/// CUBLAS_CANNOT if cuSOLVER has no function for these arguments.
int cusolver_workspace(const cusolver *, void *handle, const char *name,
                       char letter, const blas_argument *arguments,
                       int *elements);
int cusolver_call(const cusolver *, void *handle, const char *name, char letter,
                  const blas_argument *arguments,
                  const cusolver_memory *memory);

#endif
