//===-- services/blas/device/here/level1.c - Vectors ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/device/here/shapes.h"
#include <math.h>

#pragma STDC CX_LIMITED_RANGE ON
#pragma STDC FP_CONTRACT ON

#define HERE_FILE "services/blas/device/here/level1.inc"
#include "services/blas/device/here/types.inc"
