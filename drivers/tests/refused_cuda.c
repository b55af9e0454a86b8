//===-- drivers/tests/refused_cuda.c - What a fake driver lacks -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exports every function of cuda.def. In a library that stands in for
// libcuda.so.1, a function that the library itself defines replaces the weak
// one; each of the others says its name on stderr and fails.
//===----------------------------------------------------------------------===//
#include "drivers/cuda.h"
#include <stdio.h>

static CUresult refuse(const char *function) {
  fprintf(stderr, "fake libcuda: %s is not implemented\n", function);
  return CUDA_ERROR_NOT_SUPPORTED;
}

#pragma clang diagnostic ignored "-Wunused-parameter"
#define CUDA_FUNCTION(RESULT, NAME, PARAMETERS)                                \
  __attribute__((weak, visibility("default"))) RESULT NAME PARAMETERS {        \
    return refuse(#NAME);                                                      \
  }
#include "drivers/cuda.def"
