//===-- offload/blas/device/solver.h - LAPACK by cuSOLVER -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_DEVICE_SOLVER_H
#define GPUEXEC_OFFLOAD_BLAS_DEVICE_SOLVER_H

#include "offload/blas/device/device.h"

/// Opens cuSOLVER, if it is there. Without it cuBLAS works all the same.
void solver_open(offload_device *, const offload_settings *);

/// Has cuSOLVER do the call, and waits until it is done. `function` is a solver
/// of names.h; arguments are those of cusolver.h, in the order of LAPACKE's
/// function. (gesdd has those of gesvd; gesv and posv have their own.)
/// DEVICE_CANNOT_DO: the matrix is singular or not definite, or iterations do
/// not converge (the program's LAPACK then reports that), or there is no
/// cuSOLVER.
int solver_call(offload_device *, unsigned function, const blas_argument *);

#endif
