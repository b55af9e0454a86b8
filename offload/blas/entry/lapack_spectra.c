//===-- offload/blas/entry/lapack_spectra.c - Eigenvalues, singular values ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See lapack_calls.h. cuSOLVER has one function for the eigenvalues of
// symmetric and Hermitian matrices, and one for singular values.
//===----------------------------------------------------------------------===//
#include "offload/blas/entry/lapack_calls.h"
#include "offload/blas/entry/lapack_describe.h"

/// The least workspaces that LAPACK accepts: of numbers, real ones, integers.
typedef struct {
  int64_t work, rwork, iwork;
} workspace;

static workspace workspace_of_eigen(const lapack_parameters *p,
                                    solver_kind kind) {
  const int64_t n = p->n;
  if (kind == SYEV)
    return (workspace){is_complex(p) ? 2 * n - 1 : 3 * n - 1, 0, 0};
  if (kind == SYEVR)
    return is_complex(p) ? (workspace){2 * n, 24 * n, 10 * n}
                         : (workspace){26 * n, 0, 10 * n};
  if (n == 1)
    return (workspace){1, is_complex(p), 1};
  if (p->jobz == 'N')
    return is_complex(p) ? (workspace){n + 1, n, 1}
                         : (workspace){2 * n + 1, 0, 1};
  return is_complex(p)
             ? (workspace){2 * n + n * n, 1 + 5 * n + 2 * n * n, 3 + 5 * n}
             : (workspace){1 + 6 * n + 2 * n * n, 0, 3 + 5 * n};
}

static int is_enough(const lapack_parameters *p, workspace least) {
  return p->lwork >= least.work && p->lrwork >= least.rwork &&
         p->liwork >= least.iwork;
}

static int begin_eigen(lapack_use *u, const lapack_parameters *p,
                       solver_kind kind) {
  const int vectors = p->jobz == 'V';
  if ((!vectors && p->jobz != 'N') || !is_triangle(p->uplo) ||
      !is_matrix(p->n, p->n, p->lda) || !cusolver_can_evd(p->n) ||
      !is_enough(p, workspace_of_eigen(p, kind)) ||
      !start(u, p, kind, !vectors, p->n, p->n, 0))
    return 0;
  // Eigenvectors replace the matrix; syevr has an array for them.
  const int are_elsewhere = kind == SYEVR;
  integer(u, p->jobz);
  integer(u, p->uplo);
  integer(u, p->n);
  matrix(u, p, p->a, p->lda, p->n, p->n,
         READS | (vectors && !are_elsewhere ? WRITES : DESTROYS));
  vector(u, p->w, real_size(p), p->n, WRITES);
  if (vectors && are_elsewhere)
    matrix(u, p, p->z, p->ldz, p->n, p->n, WRITES)->source = 1;
  return finish(u, p);
}

int begin_syev(lapack_use *u, const lapack_parameters *p) {
  return begin_eigen(u, p, SYEV);
}

int begin_syevd(lapack_use *u, const lapack_parameters *p) {
  return begin_eigen(u, p, SYEVD);
}

/// Only for all eigenvalues: the function of cuSOLVER's that is used has no
/// ranges.
int begin_syevr(lapack_use *u, const lapack_parameters *p) {
  const int vectors = p->jobz == 'V';
  if (p->range != 'A' || (vectors && !is_matrix(p->n, p->n, p->ldz)) ||
      !begin_eigen(u, p, SYEVR))
    return 0;
  set_integer(p, p->found, 0, p->n);
  for (int64_t i = 0; vectors && i < p->n;
       ++i) { // any element of a vector may be other than 0
    set_integer(p, p->isuppz, 2 * i, 1);
    set_integer(p, p->isuppz, 2 * i + 1, p->n);
  }
  return 1;
}

/// LAPACK's least workspace. (Its ways for matrices with many more rows than
/// columns need less.)
static int64_t workspace_of_gesvd(const lapack_parameters *p) {
  const int64_t m = larger(p->m, p->n), n = smaller(p->m, p->n);
  const char of_more = p->m < p->n ? p->jobvt : p->jobu;
  const int is_short = of_more == 'N' && 5 * m >= 8 * n;
  if (is_complex(p))
    return is_short ? 3 * n : 2 * n + m;
  return is_short ? 5 * n : larger(3 * n + m, 5 * n);
}

static int64_t workspace_of_gesdd(const lapack_parameters *p) {
  const int64_t m = larger(p->m, p->n), n = smaller(p->m, p->n);
  const int values = p->jobz == 'N', all = p->jobz == 'A';
  if (is_complex(p)) {
    if (9 * m < 17 * n)
      return 2 * n + m;
    return values ? 3 * n : n * n + (all ? larger(3 * n, n + m) : 3 * n);
  }
  const int64_t halves = 3 * n * n + 4 * n; // of dbdsdc
  if (6 * m < 11 * n)
    return 3 * n + larger(m, values ? 7 * n : halves);
  return values
             ? 8 * n
             : n * n + (all ? larger(3 * n + halves, n + m) : 3 * n + halves);
}

/// `jobu` and `jobvt`: N, S or A. A is destroyed, and not copied back.
static int begin_singular(lapack_use *u, const lapack_parameters *p,
                          solver_kind kind, char jobu, char jobvt) {
  const int has_u = jobu != 'N', has_vt = jobvt != 'N';
  const int64_t least = smaller(p->m, p->n), most = larger(p->m, p->n);
  const int64_t columns = jobu == 'A' ? p->m : least; // of U
  const int64_t rows = jobvt == 'A' ? p->n : least;   // of VT
  if (!is_matrix(p->m, p->n, p->lda) || !cusolver_can_svd(most, least) ||
      (has_u && !is_matrix(p->m, columns, p->ldu)) ||
      (has_vt && !is_matrix(rows, p->n, p->ldvt)) || p->ldu < 1 ||
      p->ldvt < 1 ||
      !start(u, p, kind, !has_u && !has_vt, most, least,
             p->m < p->n ? rows : columns))
    return 0;
  integer(u, jobu);
  integer(u, jobvt);
  integer(u, p->m);
  integer(u, p->n);
  matrix(u, p, p->a, p->lda, p->m, p->n, READS | DESTROYS);
  vector(u, p->s, real_size(p), least, WRITES);
  if (has_u)
    matrix(u, p, p->u, p->ldu, p->m, columns, WRITES);
  else
    no_matrix(u, p->m);
  if (has_vt)
    matrix(u, p, p->vt, p->ldvt, rows, p->n, WRITES);
  else
    no_matrix(u, p->n);
  no_array(u); // of real numbers for cuSOLVER: the device has its own
  return finish(u, p);
}

int begin_gesvd(lapack_use *u, const lapack_parameters *p) {
  const int is_known = (p->jobu == 'N' || p->jobu == 'S' || p->jobu == 'A') &&
                       (p->jobvt == 'N' || p->jobvt == 'S' || p->jobvt == 'A');
  return is_known && p->lwork >= workspace_of_gesvd(p) &&
         begin_singular(u, p, GESVD, p->jobu, p->jobvt);
}

int begin_gesdd(lapack_use *u, const lapack_parameters *p) {
  const int is_known = p->jobz == 'N' || p->jobz == 'S' || p->jobz == 'A';
  return is_known && p->lwork >= workspace_of_gesdd(p) &&
         begin_singular(u, p, GESDD, p->jobz, p->jobz);
}
