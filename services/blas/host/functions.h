//===-- services/blas/host/functions.h - Functions that serve requests -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_HOST_FUNCTIONS_H
#define GPUEXEC_SERVICES_BLAS_HOST_FUNCTIONS_H

#include "services/blas/request.h"
#include "services/common/request.h"

typedef struct {
  const char *name; ///< of the library's function
  /// Checks the request and calls the library's function. errno or 0.
  int (*serve)(request *, void *library_function);
  int ends_soon; ///< it takes only microseconds if its arrays are small
} blas_function;

/// In the order of lapack.txt.
extern const blas_function lapack_functions[];
extern const unsigned lapack_function_count;

#endif
