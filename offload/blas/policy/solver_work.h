//===-- offload/blas/policy/solver_work.h - Work of functions of LAPACK ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_POLICY_SOLVER_WORK_H
#define GPUEXEC_OFFLOAD_BLAS_POLICY_SOLVER_WORK_H

#include "offload/blas/policy/names.h"

/// Operations on numbers of the function's type, for m x n matrices; to be
/// compared with other calls of the same function only. k: right-hand sides,
/// reflections, or columns of U. ormqr: a Q of m x m, n rows or columns that it
/// multiplies.
double solver_work(solver_kind, int is_variant, double m, double n, double k);

/// The function whose rate on the GPU is used for this one: cuSOLVER has one
/// routine for several functions of LAPACK.
solver_kind rated_on_gpu_as(solver_kind);

#endif
