//===-- blas/device/here/level1.c - Vectors --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas/device/here/shapes.h"
#include <math.h>

#pragma STDC CX_LIMITED_RANGE ON
#pragma STDC FP_CONTRACT ON

#define HERE_FILE "blas/device/here/level1.inc"
#include "blas/device/here/types.inc"
