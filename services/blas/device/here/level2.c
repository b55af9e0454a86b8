//===-- services/blas/device/here/level2.c - Matrices and vectors ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/device/here/shapes.h"

#pragma STDC CX_LIMITED_RANGE ON
#pragma STDC FP_CONTRACT ON

#define HERE_FILE "services/blas/device/here/level2.inc"
#include "services/blas/device/here/types.inc"
