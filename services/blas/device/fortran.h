//===-- services/blas/device/fortran.h - Helpers of Fortran's functions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_FORTRAN_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_FORTRAN_H

#include <stdint.h>

/// The enumerator of CBLAS for a letter, upper or lower case. `first`: the
/// enumerator of the first of `letters`; the others follow it. 0 for a letter
/// that is not in `letters`.
int blas_letter(char letter, const char *letters, int first);

/// Calls xerbla_() for the argument `place`, from 1, of `function`, a name that
/// is padded with blanks to six letters.
void blas_wrong_fortran(const char *function, int place);

#endif
