// QR factorisations by the functions of LAPACK that `gpuexec blas` intercepts, in four precisions: A = Q R, Q orthonormal, and products
// with Q from both sides are those with Q written out.
#include "lapack_matrices.h"

static char tau[64 * 16], work[4096 * 16];
static int lwork = 4096, info;

static void fill_tau(void) { memset(tau, 0x5a, sizeof tau); }
static void check_results(const char *name, const matrix *m, int reflectors) {
  is_from("INFO", info, 0);
  CHECK(get_real(work, 0) >= 1 && get_real(work, 0) <= 1 << 16, "WORK(1) is %g", get_real(work, 0));
  check_beside(m, name, m->columns);
  for (size_t i = (size_t)(reflectors * element_size()); i < sizeof tau; ++i)
    if (tau[i] != 0x5a) {
      FAIL("byte %zu of TAU was written", i);
      break;
    }
}

/// A = Q R; `q`: the first columns of Q, `factors`: as geqrf has them.
static void factor(int m, int n, matrix *a, matrix *factors) {
  *a = make(m, n);
  *factors = copy(a);
  fill_tau();
  snprintf(text, sizeof text, "%cgeqrf of %d x %d", type, m, n);
  info = 7;
  find("geqrf", "geqrf")(&m, &n, factors->data, &factors->ld, tau, work, &lwork, &info);
  check_results("A", factors, m < n ? m : n);
}

/// Columns of Q that the first k reflectors make, in a matrix of m x n.
static matrix columns_of_q(const matrix *factors, int n, int k) {
  int m = factors->rows;
  matrix q = make(m, n);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < m; ++i)
      put(&q, i, j, element(factors, i, j));
  keep(&q);
  snprintf(text, sizeof text, "%c%s of %d x %d, %d reflectors", type, is_complex() ? "ungqr" : "orgqr", m, n, k);
  info = 7;
  find("orgqr", "ungqr")(&m, &n, &k, q.data, &q.ld, tau, work, &lwork, &info);
  check_results("Q", &q, m < factors->columns ? m : factors->columns);
  check_orthonormal(&q, "Q", 0, n);
  return q;
}

static void try_factorisation(int m, int n) {
  matrix a, factors;
  factor(m, n, &a, &factors);
  const int least = m < n ? m : n;
  matrix q = columns_of_q(&factors, least, least);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      number sum = 0;
      for (int l = 0; l <= j && l < least; ++l)
        sum += element(&q, i, l) * element(&factors, l, j);
      close_to(sum, element(&a, i, j), "Q R", i, j);
    }
  drop(&q), drop(&a), drop(&factors);
}

/// C := op(Q) C or C op(Q), Q of k reflectors of a matrix of order x k.
static void try_product(char side, char trans, int m, int n, int k) {
  int order = side == 'L' ? m : n;
  matrix a, factors;
  factor(order, k, &a, &factors);
  matrix q = columns_of_q(&factors, order, k), c = make(m, n);
  snprintf(text, sizeof text, "%c%s %c%c of %d x %d, %d reflectors", type, is_complex() ? "unmqr" : "ormqr", side, trans, m, n, k);
  keep(&factors);
  info = 7;
  const char small[2] = {(char)(side | 32), (char)(trans | 32)};
  find("ormqr", "unmqr")(&small[0], &small[1], &m, &n, &k, factors.data, &factors.ld, tau, c.data, &c.ld, work, &lwork, &info, 1ul, 1ul);
  check_results("C", &c, k);
  same_bytes(&factors, "A");
  const matrix before = {c.rows, c.columns, c.ld, c.bytes, c.before, c.before};
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      number sum = 0;
      for (int l = 0; l < order; ++l) {
        const int row = side == 'L' ? i : l, column = side == 'L' ? l : j;
        const number of_q = trans == 'N' ? element(&q, row, column) : conj(element(&q, column, row));
        sum += of_q * (side == 'L' ? element(&before, l, j) : element(&before, i, l));
      }
      close_to(element(&c, i, j), sum, "C", i, j);
    }
  drop(&q), drop(&a), drop(&factors), drop(&c);
}

/// Wrong arguments and questions for the workspace's size: the arrays stay as they are.
static void try_refusals(void) {
  int m = 30, n = 20, short_ld = 29, query = -1, too_short = 19;
  matrix a = make(m, n);
  function *geqrf = find("geqrf", "geqrf");
  snprintf(text, sizeof text, "%cgeqrf refused", type);
  geqrf(&m, &n, a.data, &short_ld, tau, work, &lwork, &info);
  is_from("INFO of a leading dimension", info, -4);
  geqrf(&m, &n, a.data, &a.ld, tau, work, &too_short, &info);
  is_from("INFO of a workspace", info, -7);
  geqrf(&m, &n, a.data, &a.ld, tau, work, &query, &info);
  is_from("INFO of a question", info, 0);
  CHECK(get_real(work, 0) >= n, "the size of the workspace is %g", get_real(work, 0));
  same_bytes(&a, "A");
  drop(&a);
}

int main(void) {
  for (const char *t = "sdcz"; *t; ++t) {
    type = *t;
    try_factorisation(40, 25);
    try_factorisation(33, 33);
    try_factorisation(21, 30);
    matrix a, factors;
    factor(40, 10, &a, &factors);
    matrix q = columns_of_q(&factors, 40, 10);
    drop(&q), drop(&a), drop(&factors);
    const char transposed = is_complex() ? 'C' : 'T';
    for (int side = 0; side < 2; ++side)
      for (int trans = 0; trans < 2; ++trans)
        try_product("LR"[side], trans ? transposed : 'N', side ? 17 : 35, side ? 35 : 17, 20);
    try_refusals();
  }
  printf("%d failed\n", failures);
  return failures != 0;
}
