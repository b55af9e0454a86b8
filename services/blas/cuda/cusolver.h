//===-- services/blas/cuda/cusolver.h - cuSOLVER, opened at run time -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's library by the arguments of LAPACK, for matrices by columns. Its
// types and numbers are those of cuSOLVER 11 and later.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_CUDA_CUSOLVER_H
#define GPUEXEC_SERVICES_BLAS_CUDA_CUSOLVER_H

#include "services/blas/cuda/cublas.h"

enum { CUSOLVER_FUNCTIONS = 16 };
enum { CUSOLVER_ALLOC_FAILED = 2 }; ///< of cusolverStatus_t
/// Can gesvd be called for a matrix of so many rows and columns? It takes no
/// more columns than rows, and its workspace is an int, which overflows to a
/// size that looks right: with one column from 46 341 rows (rows x rows: CuPy's
/// issue 2351), with as many columns as rows from 18 919 (6 x rows x columns:
/// issue 7611). Then the process crashes, or the values are wrong. The sum of
/// both is a bound for what is between them.
static inline int cusolver_can_svd(int64_t rows, int64_t columns) {
  return rows <= 46340 && columns <= rows &&
         rows * rows + 6 * rows * columns <= INT32_MAX;
}

/// Can syevd be called for so many rows? LAPACK's workspace for it is twice the
/// matrix; three times the matrix does not overflow an int up to here. Not
/// tried.
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

/// Memory of the device that a call needs besides its arrays.
typedef struct {
  uint64_t work;
  int elements;   ///< of work, in elements of the type
  uint64_t rwork; ///< real numbers, as many as the smaller dimension
  uint64_t info;  ///< an int
} cusolver_memory;

/// A function of LAPACK by its name without the type's letter: getrf, getrs,
/// potrf, potrs, geqrf, orgqr (also for ungqr), ormqr (for unmqr), syevd (for
/// heevd), gesvd. Arguments are those of LAPACKE without the order; letters are
/// integers; arrays are on the device.
/// workspace() sets `elements`. Both: 0, a number of cuSOLVER's
/// (cusolverStatus_t), or CUBLAS_CANNOT: it has nothing for these arguments.
int cusolver_workspace(const cusolver *, void *handle, const char *name,
                       char letter, const blas_argument *arguments,
                       int *elements);
int cusolver_call(const cusolver *, void *handle, const char *name, char letter,
                  const blas_argument *arguments,
                  const cusolver_memory *memory);

#endif
