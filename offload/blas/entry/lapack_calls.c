//===-- offload/blas/entry/lapack_calls.c - See lapack_calls.h ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear equations and QR factorisations; eigenvalues and singular values are
// in lapack_spectra.c. Arguments and sizes of workspaces are checked as LAPACK
// does. A call that it refuses is the program's own function's, which says what
// is wrong.
//===----------------------------------------------------------------------===//
#include "offload/blas/entry/lapack_calls.h"
#include "offload/blas/entry/lapack_describe.h"
#include <stdlib.h>

/// Fewer right-hand sides than this (or rows and columns that are multiplied by
/// Q) make the function's variant "few": a GPU takes about as long for one as
/// for all of them.
enum { FEW = 64 };

/// The pivots as integers of 32 bits, which cuSOLVER takes: the program's own,
/// or a copy where those have 64. NULL: there is no memory.
static int *take_pivots(const lapack_parameters *p, int64_t count, int how) {
  if (!p->is_long)
    return p->pivots;
  int *pivots = malloc((size_t)count * sizeof *pivots);
  for (int64_t i = 0; pivots && how == READS && i < count; ++i)
    pivots[i] = (int)((const int64_t *)p->pivots)[i];
  return pivots;
}

static void give_pivots(const lapack_parameters *p, int *pivots, int64_t count,
                        int how) {
  if (!p->is_long)
    return;
  for (int64_t i = 0; how == WRITES && i < count; ++i)
    ((int64_t *)p->pivots)[i] = pivots[i];
  free(pivots);
}

static int finish_with_pivots(lapack_use *u, const lapack_parameters *p,
                              int *pivots, int64_t count, int how) {
  const int done = finish(u, p);
  give_pivots(p, pivots, count, done ? how : 0);
  return done;
}

int begin_getrf(lapack_use *u, const lapack_parameters *p) {
  const int64_t count = smaller(p->m, p->n);
  if (!is_matrix(p->m, p->n, p->lda) || !start(u, p, GETRF, 0, p->m, p->n, 0))
    return 0;
  int *pivots = take_pivots(p, count, WRITES);
  if (!pivots)
    return 0;
  integer(u, p->m);
  integer(u, p->n);
  matrix(u, p, p->a, p->lda, p->m, p->n, READS | WRITES);
  vector(u, pivots, sizeof *pivots, count, WRITES);
  return finish_with_pivots(u, p, pivots, count, WRITES);
}

/// Are the arguments of a system of equations valid: A of n x n, B of n rows?
static int is_system(const lapack_parameters *p) {
  return is_matrix(p->n, p->n, p->lda) && is_matrix(p->n, p->sides, p->ldb);
}

int begin_getrs(lapack_use *u, const lapack_parameters *p) {
  const int is_letter = p->trans == 'N' || p->trans == 'T' || p->trans == 'C';
  if (!is_letter || !is_system(p) ||
      !start(u, p, GETRS, p->sides < FEW, p->n, p->n, p->sides))
    return 0;
  int *pivots = take_pivots(p, p->n, READS);
  if (!pivots)
    return 0;
  integer(u, p->trans);
  integer(u, p->n);
  integer(u, p->sides);
  matrix(u, p, p->a, p->lda, p->n, p->n, READS);
  vector(u, pivots, sizeof *pivots, p->n, READS);
  matrix(u, p, p->b, p->ldb, p->n, p->sides, READS | WRITES);
  return finish_with_pivots(u, p, pivots, p->n, READS);
}

int begin_gesv(lapack_use *u, const lapack_parameters *p) {
  if (!is_system(p) || !start(u, p, GESV, 0, p->n, p->n, p->sides))
    return 0;
  int *pivots = take_pivots(p, p->n, WRITES);
  if (!pivots)
    return 0;
  integer(u, p->n);
  integer(u, p->sides);
  matrix(u, p, p->a, p->lda, p->n, p->n, READS | WRITES);
  vector(u, pivots, sizeof *pivots, p->n, WRITES);
  matrix(u, p, p->b, p->ldb, p->n, p->sides, READS | WRITES);
  return finish_with_pivots(u, p, pivots, p->n, WRITES);
}

static line_part triangle(const lapack_parameters *p) {
  return p->uplo == 'U' ? PART_TO_DIAGONAL : PART_FROM_DIAGONAL;
}

int begin_potrf(lapack_use *u, const lapack_parameters *p) {
  if (!is_triangle(p->uplo) || !is_matrix(p->n, p->n, p->lda) ||
      !start(u, p, POTRF, 0, p->n, p->n, 0))
    return 0;
  integer(u, p->uplo);
  integer(u, p->n);
  matrix(u, p, p->a, p->lda, p->n, p->n, READS | WRITES)->part = triangle(p);
  return finish(u, p);
}

static int begin_definite(lapack_use *u, const lapack_parameters *p,
                          solver_kind kind) {
  if (!is_triangle(p->uplo) || !is_system(p) ||
      !start(u, p, kind, kind == POTRS && p->sides < FEW, p->n, p->n, p->sides))
    return 0;
  integer(u, p->uplo);
  integer(u, p->n);
  integer(u, p->sides);
  matrix(u, p, p->a, p->lda, p->n, p->n, kind == POSV ? READS | WRITES : READS)
      ->part = triangle(p);
  matrix(u, p, p->b, p->ldb, p->n, p->sides, READS | WRITES);
  return finish(u, p);
}

int begin_potrs(lapack_use *u, const lapack_parameters *p) {
  return begin_definite(u, p, POTRS);
}

int begin_posv(lapack_use *u, const lapack_parameters *p) {
  return begin_definite(u, p, POSV);
}

int begin_geqrf(lapack_use *u, const lapack_parameters *p) {
  if (!is_matrix(p->m, p->n, p->lda) || p->lwork < p->n ||
      !start(u, p, GEQRF, 0, p->m, p->n, 0))
    return 0;
  integer(u, p->m);
  integer(u, p->n);
  matrix(u, p, p->a, p->lda, p->m, p->n, READS | WRITES);
  vector(u, p->tau, element_size(p), smaller(p->m, p->n), WRITES);
  return finish(u, p);
}

int begin_orgqr(lapack_use *u, const lapack_parameters *p) {
  if (!is_matrix(p->m, p->n, p->lda) || !is_size(p->k) || p->n > p->m ||
      p->k > p->n || p->lwork < p->n ||
      !start(u, p, ORGQR, 0, p->m, p->n, p->k))
    return 0;
  integer(u, p->m);
  integer(u, p->n);
  integer(u, p->k);
  matrix(u, p, p->a, p->lda, p->m, p->n, READS | WRITES);
  vector(u, p->tau, element_size(p), p->k, READS);
  return finish(u, p);
}

int begin_ormqr(lapack_use *u, const lapack_parameters *p) {
  const int is_left = p->side == 'L';
  const int64_t order = is_left ? p->m : p->n; // of Q
  const int64_t others = is_left ? p->n : p->m;
  if ((!is_left && p->side != 'R') ||
      (p->trans != 'N' && p->trans != (is_complex(p) ? 'C' : 'T')) ||
      !is_matrix(p->m, p->n, p->ldc) || !is_matrix(order, p->k, p->lda) ||
      p->k > order || p->lwork < others ||
      !start(u, p, ORMQR, others < FEW, order, others, p->k))
    return 0;
  integer(u, p->side);
  integer(u, p->trans);
  integer(u, p->m);
  integer(u, p->n);
  integer(u, p->k);
  matrix(u, p, p->a, p->lda, order, p->k, READS);
  vector(u, p->tau, element_size(p), p->k, READS);
  matrix(u, p, p->c, p->ldc, p->m, p->n, READS | WRITES);
  return finish(u, p);
}
