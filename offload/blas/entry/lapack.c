//===-- offload/blas/entry/lapack.c - The functions of LAPACK that we have ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated from tables/lapack_entries.txt. A function and its parameters are
// declared as programs call them.
//===----------------------------------------------------------------------===//
#include "offload/blas/entry/lapack_calls.h"
#include "offload/blas/run/next.h"

static inline double larger_size(double a, double b) { return a > b ? a : b; }

/// An upper bound of the operations of any function here on matrices of at most
/// `size` rows and columns: solver_work() of complex numbers is less.
static inline double most_work(double size) { return 100 * size * size * size; }

#include "lapack_entries.inc"
