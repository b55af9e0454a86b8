//===-- services/blas/device/here/tests/here_calls.h - Small calls, on the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_HERE_TESTS_HERE_CALLS_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_HERE_TESTS_HERE_CALLS_H

#include "services/blas/cuda/cublas.h"

/// Does a call; false where its sizes leave nothing to be done.
typedef int (*here_call)(const blas_argument *, void *result);

/// One for each function of blas.txt, in its order; null: the calling
/// thread does not do it.
extern const here_call here_calls[];

#endif
