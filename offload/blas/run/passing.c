//===-- offload/blas/run/passing.c - See passing.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/passing.h"
#include <math.h>

double offload_passing[2] = {INFINITY, INFINITY};
static _Thread_local int inside __attribute__((tls_model("initial-exec")));

void let_pass(double limit, double limit_of_level_2) {
  __atomic_store(&offload_passing[0], &limit, __ATOMIC_RELAXED);
  __atomic_store(&offload_passing[1], &limit_of_level_2, __ATOMIC_RELAXED);
}

void be_inside(int is) { inside = is; }
int is_inside(void) { return inside; }
