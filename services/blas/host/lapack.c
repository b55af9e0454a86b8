//===-- services/blas/host/lapack.c - Calls of LAPACK, on the host --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of each function is generated from lapack.txt. Vectors are copied,
// so that the program cannot change them while the library computes with what
// they say. Of matrices the library takes numbers alone, never places.
//===----------------------------------------------------------------------===//
#include "services/blas/lapack.h"
#include "services/blas/host/functions.h"
#include "services/blas/host/gpu.h"
#include <errno.h>
#include <stdint.h>

/// Sizes up to this one can be multiplied by the blocks of the library, which
/// have up to 64 columns, in 32 bits.
enum { LAPACK_LARGE = 1 << 24 };

/// The length of a workspace, of which the library says that it can use `most`:
/// a floating-point number, in single precision rounded down.
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
