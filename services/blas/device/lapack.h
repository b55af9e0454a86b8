//===-- services/blas/device/lapack.h - Calls of LAPACK, on the device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_LAPACK_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_LAPACK_H

#include "services/blas/device/call.h"
#include "services/blas/device/fortran.h"
#include "services/blas/lapack.h"

// Declared as in lapacke.h, which is generated.
void LAPACKE_xerbla(const char *name, int info);
float LAPACKE_slamch(char cmach);
double LAPACKE_dlamch(char cmach);
float slamch_(const char *cmach);
double dlamch_(const char *cmach);

static inline char lapack_upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

/// The best length of the `place`-th workspace, from 1, that the host has
/// answered.
static inline int lapack_length(const blas_call *call, int place) {
  return (int)call->result[place];
}

#endif
