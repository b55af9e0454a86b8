//===-- blas/device/here/level3.c - Matrices -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas/device/here/shapes.h"

#pragma STDC CX_LIMITED_RANGE ON
#pragma STDC FP_CONTRACT ON

#define HERE_FILE "blas/device/here/level3.inc"
#include "blas/device/here/types.inc"
