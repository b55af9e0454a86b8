//===-- offload/blas/entry/lapack_calls.h - Calls of LAPACK, described -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes the operands and the work of a call of each function of lapack.txt,
// and sets its small results.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_ENTRY_LAPACK_CALLS_H
#define GPUEXEC_OFFLOAD_BLAS_ENTRY_LAPACK_CALLS_H

#include "offload/blas/run/call.h"

/// The parameters of all functions of lapack.txt; each has some of them.
typedef struct {
  char type;    ///< s, d, c or z
  char is_long; ///< the program's integers have 64 bits
  char trans, uplo, side, jobz, jobu, jobvt, range; ///< capitals
  int64_t m, n, k, sides, lda, ldb, ldc, ldz, ldu, ldvt;
  int64_t lwork, lrwork, liwork;
  void *a, *b, *c, *tau, *w, *s, *z, *u, *vt, *work, *rwork;
  void *pivots, *found, *isuppz, *iwork, *info; ///< integers
} lapack_parameters;

/// A call, and its arguments as cuSOLVER's layer has them (cusolver.h).
typedef struct {
  offload_call call;
  blas_argument arguments[MOST_ARGUMENTS];
} lapack_use;

// True: the device has done the call, and all results are set. False: the
// caller calls the program's function, then offload_finish(). False also for
// wrong arguments and for queries of workspace sizes (a length of -1).
typedef int begin_lapack(lapack_use *, const lapack_parameters *);
begin_lapack begin_getrf, begin_getrs, begin_gesv;
begin_lapack begin_potrf, begin_potrs, begin_posv;
begin_lapack begin_geqrf, begin_orgqr, begin_ormqr;
begin_lapack begin_syev, begin_syevd, begin_syevr;
begin_lapack begin_gesvd, begin_gesdd;

#endif
