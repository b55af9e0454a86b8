//===-- offload/blas/run/passing.h - Calls that pass without a decision ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small calls, which are most calls of a program, and calls of this library
// itself go straight to the program's BLAS; nothing is noted.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_PASSING_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_PASSING_H

/// Calls of fewer operations go straight to the program's BLAS: [0] of
/// functions of matrices, [1] of a matrix and a vector. Infinite: every call
/// does; 0: none does.
extern double offload_passing[2] __attribute__((visibility("hidden")));

/// Whether a call goes straight to the program's BLAS. `work`: an upper bound
/// of its operations. This test is all that a small call costs.
static inline int offload_passes(double work, int is_level_2) {
  double limit;
  __atomic_load(&offload_passing[is_level_2], &limit, __ATOMIC_RELAXED);
  return work < limit;
}

void let_pass(double limit, double limit_of_level_2);

/// be_inside(1): from now on the calls of this thread are parts of another
/// call, by the program's BLAS or by a stand-in for cuBLAS, and go straight to
/// the program's BLAS.
void be_inside(int is);
int is_inside(void);

#endif
