//===-- offload/blas/policy/solver_work.c - See solver_work.h -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/policy/solver_work.h"

solver_kind rated_on_gpu_as(solver_kind kind) {
  return kind == SYEV || kind == SYEVR ? SYEVD : kind == GESDD ? GESVD : kind;
}

static double lu_work(double m, double n) {
  const double k = m < n ? m : n;
  return 2 * (m * n * k - (m + n) * k * k / 2 + k * k * k / 3);
}

double solver_work(solver_kind kind, int is_variant, double m, double n,
                   double k) {
  const double cube = n * n * n, least = m < n ? m : n, most = m < n ? n : m;
  const double values = 4 * m * n * n - 4 * cube / 3; // singular values
  switch (kind) {
  case GETRF:
    return lu_work(m, n);
  case GETRS:
  case POTRS:
    return 2 * n * n * k;
  case GESV:
    return lu_work(n, n) + 2 * n * n * k;
  case POTRF:
    return cube / 3;
  case POSV:
    return cube / 3 + 2 * n * n * k;
  case GEQRF:
    return 2 * least * least * (most - least / 3);
  case ORGQR:
    return 4 * m * n * k - 2 * (m + n) * k * k + 4 * k * k * k / 3;
  case ORMQR:
    return 2 * n * k * (2 * m - k);
  case SYEV:
  case SYEVD:
  case SYEVR:
    return (is_variant ? 4.0 / 3 : 4) * cube;
  case GESVD:
  case GESDD:
    return is_variant ? values : values + 4 * m * n * k + 9 * cube;
  case SOLVERS:
    break;
  }
  return 0;
}
