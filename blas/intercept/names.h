//===-- blas/intercept/names.h - The functions that may go to a GPU --------===//
// Those of functions.txt by their places there, then some of LAPACK.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_BLAS_INTERCEPT_NAMES_H
#define GPUEXEC_BLAS_INTERCEPT_NAMES_H

#include "blas/cuda/cublas.h"

enum { MOST_FUNCTIONS = 192 };

typedef enum { GETRF, GETRS, GESV, POTRF, POTRS, POSV, SOLVERS } solver_kind;

/// The function's number: kind, and the letter of its type (s, d, c, z).
unsigned blas_solver(solver_kind, char letter);
unsigned blas_function_count(void);
/// Its name, as in dgemm.
const char *blas_function_name(unsigned);

#endif
