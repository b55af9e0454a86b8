//===-- offload/blas/run/passing.h - Calls that are not looked at ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Most calls of a program are small, and some are made by ourselves: they go to
// the program's BLAS, and nothing is noted.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_PASSING_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_PASSING_H

/// Calls of fewer operations pass by: of functions of matrices, and of a matrix
/// and a vector. Infinite where no call is for the device, 0 where all are
/// counted.
extern double offload_passing[2] __attribute__((visibility("hidden")));

/// `work`: a bound from above. This is all that a small call pays.
static inline int offload_passes(double work, int is_level_2) {
  double limit;
  __atomic_load(&offload_passing[is_level_2], &limit, __ATOMIC_RELAXED);
  return work < limit;
}

void let_pass(double limit, double limit_of_level_2);

/// Calls that this thread makes while it `is` inside are part of another: of a
/// function of the program's BLAS, or of a stand-in for cuBLAS.
void be_inside(int is);
int is_inside(void);

#endif
