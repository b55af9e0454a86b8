//===-- blas/device/here/level2.c - Matrices and vectors -------------------===//
#include "blas/device/here/shapes.h"

#pragma STDC CX_LIMITED_RANGE ON
#pragma STDC FP_CONTRACT ON

#define HERE_FILE "blas/device/here/level2.inc"
#include "blas/device/here/types.inc"
