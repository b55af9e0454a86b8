//===-- services/blas/device/fortran.h - What Fortran's names share -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_FORTRAN_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_FORTRAN_H

#include <stdint.h>

/// The enumerator that a letter stands for, upper or lower case: `first` is
/// that of the first of `letters`. 0 for another letter.
int blas_letter(char letter, const char *letters, int first);

/// Calls xerbla_ for the argument `place`, from 1, of a function whose name has
/// six letters, or blanks behind it.
void blas_wrong_fortran(const char *function, int place);

#endif
