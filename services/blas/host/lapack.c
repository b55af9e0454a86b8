//===-- services/blas/host/lapack.c - Calls of LAPACK, on the host --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of each function is generated from lapack.txt. Vectors are copied,
// so that the program cannot change indices in them while the library uses
// them. Matrices contain only numbers, which the library never uses as indices.
//===----------------------------------------------------------------------===//
#include "services/blas/lapack.h"
#include "services/blas/host/functions.h"
#include "services/blas/host/gpu.h"
#include <errno.h>
#include <stdint.h>

/// The largest dimension. The library multiplies it by its block size, up to 64
/// columns, in 32 bits.
enum { LAPACK_LARGE = 1 << 24 };

/// The length for a workspace. `most`: the best length as the library returns
/// it, a floating-point number, which in single precision is rounded down.
/// `least`: the shortest valid length.
static int lapack_workspace(request *r, double most, int64_t least) {
  const double length = most * (1 + 0x1p-23);
  if (least >= INT32_MAX) {
    r->error = EOVERFLOW;
    return 0;
  }
  return length >= INT32_MAX
             ? INT32_MAX
             : (int)lapack_max(1, lapack_max((int64_t)length, least));
}

#include "lapack_functions.inc"
