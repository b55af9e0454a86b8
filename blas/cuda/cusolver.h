//===-- blas/cuda/cusolver.h - cuSOLVER, opened at run time ----------------===//
// NVIDIA's library by the arguments of LAPACK, for matrices by columns. Its
// types and numbers are those of cuSOLVER 11 and later.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_BLAS_CUDA_CUSOLVER_H
#define GPUEXEC_BLAS_CUDA_CUSOLVER_H

#include "blas/cuda/cublas.h"

enum { CUSOLVER_FUNCTIONS = 16 };
enum { CUSOLVER_ALLOC_FAILED = 2 }; ///< of cusolverStatus_t
/// Are singular values of a matrix of so many rows, and no more columns, asked
/// for? gesvd's workspace is an int, which overflows to a size that looks
/// right: of a column at 46 341 rows, whose square it is (CuPy's issue 2351),
/// of a square matrix at 18 919, six times its elements (issue 7611). Then the
/// process crashes (one with 10 000 000 rows and a column did, it seems), or
/// the values are wrong.
static inline int cusolver_can_svd(int64_t rows, int64_t columns) {
  return rows <= 46340 && columns <= rows &&
         rows * rows + 6 * rows * columns <= INT32_MAX;
}

/// Likewise of eigenvalues: their workspace is twice the matrix in LAPACK; with
/// three times it the int does not overflow here.
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
