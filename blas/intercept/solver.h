//===-- blas/intercept/solver.h - Linear equations by cuSOLVER -------------===//
#ifndef GPUEXEC_BLAS_INTERCEPT_SOLVER_H
#define GPUEXEC_BLAS_INTERCEPT_SOLVER_H

#include "blas/intercept/device.h"

/// The arguments of a function, by place. All matrices are by columns.
enum {
  SOLVER_LETTER, ///< integer: cuBLAS's value of trans or uplo
  SOLVER_M,      ///< integers
  SOLVER_N,
  SOLVER_RIGHT_SIDES,
  SOLVER_A,
  SOLVER_LDA,
  SOLVER_B,
  SOLVER_LDB,
  SOLVER_PIVOTS, ///< `number`: int[min(m, n)] on the host, read or written
  SOLVER_ARGUMENTS
};

/// Opens cuSOLVER, if it is there. The rest works without.
void solver_open(blas_device *, const blas_settings *);

/// Has cuSOLVER do it, and waits. DEVICE_CANNOT_DO: the matrix is singular or
/// not definite (the program's LAPACK is to say where), or there is none.
int solver_call(blas_device *, unsigned function, const blas_argument *);

#endif
