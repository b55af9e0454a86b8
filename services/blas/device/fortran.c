//===-- services/blas/device/fortran.c - Helpers of Fortran's functions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/device/fortran.h"
#include "services/blas/device/call.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int blas_letter(char letter, const char *letters, int first) {
  const char *found = strchr(letters, toupper((unsigned char)letter));
  return letter && found ? first + (int)(found - letters) : 0;
}

WEAK void xerbla_(const char *function, const int *place, size_t length) {
  fprintf(stderr,
          " ** On entry to %.*s parameter number %2d had an illegal value\n",
          (int)length, function, *place);
  exit(1);
}

void blas_wrong_fortran(const char *function, int place) {
  xerbla_(function, &place, strlen(function));
}
