// Eigenvalues and singular values by the functions of LAPACK that `gpuexec blas` intercepts, in four precisions and with all letters:
// A V = V W, A = U S VT, orthonormal vectors. What is not referenced is not written, and of a symmetric matrix one triangle is read.
#include "lapack_matrices.h"

enum { WORK = 20000, MOST = 64 };
static char work[WORK * 16], rwork[WORK * 8], values[(MOST + 1) * 8];
static int iwork[WORK], isuppz[2 * MOST + 1], info, length = WORK;

static void prepare(void) {
  memset(values, 0x5a, sizeof values);
  memset(isuppz, 0x5a, sizeof isuppz);
  info = 7;
}
static void check_values(int count, int is_ascending) {
  is_from("INFO", info, 0);
  CHECK(get_real(work, 0) >= 1 && get_real(work, 0) <= 1 << 20, "WORK(1) is %g", get_real(work, 0));
  for (int i = 1; i < count; ++i)
    CHECK(is_ascending ? get_real(values, i - 1) <= get_real(values, i) : get_real(values, i - 1) >= get_real(values, i), "values %d and %d are not in order", i,
          i + 1);
  for (int i = count * real_size(); i < (count + 1) * real_size(); ++i)
    CHECK(values[i] == 0x5a, "values behind the last were written");
}

static int is_in(char uplo, int i, int j) { return i == j || (i < j) == (uplo == 'U'); }

/// A symmetric or Hermitian matrix. The triangle that must not be read is of large numbers; `whole` has both.
static matrix make_symmetric(int n, char uplo, matrix *whole) {
  matrix m = make(n, n);
  for (int i = 0; i < n; ++i)
    put(&m, i, i, creal(element(&m, i, i)));
  *whole = copy(&m);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (!is_in(uplo, i, j)) {
        put(whole, i, j, conj(element(&m, j, i)));
        put(&m, i, j, 1e20);
      }
  keep(&m);
  return m;
}

static void check_eigenvectors(const matrix *a, const matrix *v, int count) {
  check_orthonormal(v, "V", 0, count);
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < a->rows; ++i) {
      number sum = 0;
      for (int l = 0; l < a->rows; ++l)
        sum += element(a, i, l) * element(v, l, j);
      close_to(sum, element(v, i, j) * get_real(values, j), "A V", i, j);
    }
}

/// The values of `values` are the matrix's: their sum and that of their squares.
static void check_sums(const matrix *a, int count) {
  double trace = 0, squares = 0, sum = 0, sum_of_squares = 0;
  for (int i = 0; i < a->rows; ++i)
    for (int j = 0; j < a->columns; ++j)
      squares += cabs(element(a, i, j)) * cabs(element(a, i, j));
  for (int i = 0; i < a->rows; ++i)
    trace += creal(element(a, i, i));
  for (int i = 0; i < count; ++i)
    sum += get_real(values, i), sum_of_squares += get_real(values, i) * get_real(values, i);
  CHECK(fabs(trace - sum) < tolerance() * 100, "the sum of the eigenvalues is %g, not %g", sum, trace);
  CHECK(fabs(squares - sum_of_squares) < tolerance() * squares, "the sum of their squares is %g, not %g", sum_of_squares, squares);
}

static void try_eigen(const char *name, char jobz, char uplo) {
  int n = 37;
  const int divides = !strcmp(name, "syevd"), is_relative = !strcmp(name, "syevr");
  char of_complex[8] = "he";
  strcpy(of_complex + 2, name + 2);
  snprintf(text, sizeof text, "%c%s %c%c", type, is_complex() ? of_complex : name, jobz, uplo);
  matrix whole, a = make_symmetric(n, uplo, &whole), z = make(n, n);
  prepare();
  function *f = find(name, of_complex);
  const char small[2] = {(char)(jobz | 32), (char)(uplo | 32)};
  int found = 7;
  if (is_relative && is_complex())
    f(&jobz, "A", &uplo, &n, a.data, &a.ld, NULL, NULL, NULL, NULL, "\0\0\0\0\0\0\0", &found, values, z.data, &z.ld, isuppz, work, &length, rwork, &length, iwork,
      &length, &info, 1ul, 1ul, 1ul);
  else if (is_relative)
    f(&jobz, "A", &uplo, &n, a.data, &a.ld, NULL, NULL, NULL, NULL, "\0\0\0\0\0\0\0", &found, values, z.data, &z.ld, isuppz, work, &length, iwork, &length, &info,
      1ul, 1ul, 1ul);
  else if (divides && is_complex())
    f(&small[0], &small[1], &n, a.data, &a.ld, values, work, &length, rwork, &length, iwork, &length, &info, 1ul, 1ul);
  else if (divides)
    f(&small[0], &small[1], &n, a.data, &a.ld, values, work, &length, iwork, &length, &info, 1ul, 1ul);
  else if (is_complex())
    f(&small[0], &small[1], &n, a.data, &a.ld, values, work, &length, rwork, &info, 1ul, 1ul);
  else
    f(&small[0], &small[1], &n, a.data, &a.ld, values, work, &length, &info, 1ul, 1ul);
  check_values(n, 1);
  check_beside(&a, "A", n);
  check_sums(&whole, n);
  if (jobz == 'V')
    check_eigenvectors(&whole, is_relative ? &z : &a, n);
  if (is_relative && jobz == 'V') {
    for (int i = 0; i < n; ++i)
      CHECK(isuppz[2 * i] >= 1 && isuppz[2 * i] <= isuppz[2 * i + 1] && isuppz[2 * i + 1] <= n, "ISUPPZ of vector %d: %d, %d", i + 1, isuppz[2 * i], isuppz[2 * i + 1]);
    check_beside(&z, "Z", n);
  } else {
    same_bytes(&z, "Z");
  }
  CHECK(isuppz[2 * n] == 0x5a5a5a5a, "ISUPPZ was written behind its last");
  if (is_relative)
    is_from("M", found, n);
  drop(&a), drop(&z), drop(&whole);
}

/// Some eigenvalues alone are the program's library's.
static void try_range(void) {
  int n = 30, first = 2, last = 4, found = 7;
  snprintf(text, sizeof text, "%csyevr of a range", type);
  matrix whole, a = make_symmetric(n, 'L', &whole), z = make(n, 3);
  prepare();
  if (is_complex())
    find("syevr", "heevr")("V", "I", "L", &n, a.data, &a.ld, NULL, NULL, &first, &last, "\0\0\0\0\0\0\0", &found, values, z.data, &z.ld, isuppz, work, &length, rwork,
                           &length, iwork, &length, &info, 1ul, 1ul, 1ul);
  else
    find("syevr", "heevr")("V", "I", "L", &n, a.data, &a.ld, NULL, NULL, &first, &last, "\0\0\0\0\0\0\0", &found, values, z.data, &z.ld, isuppz, work, &length, iwork,
                           &length, &info, 1ul, 1ul, 1ul);
  is_from("M", found, 3);
  check_eigenvectors(&whole, &z, 3);
  drop(&a), drop(&z), drop(&whole);
}

/// A = U S VT, where `u` and `vt` are there.
static void check_product(const matrix *a, const matrix *u, const matrix *vt, int least) {
  for (int i = 0; i < a->rows; ++i)
    for (int j = 0; j < a->columns; ++j) {
      number sum = 0;
      for (int l = 0; l < least; ++l)
        sum += element(u, i, l) * get_real(values, l) * element(vt, l, j);
      close_to(sum, element(a, i, j), "U S VT", i, j);
    }
}

/// `jobvt` is 0 for gesdd.
static void try_singular(char jobu, char jobvt, int m, int n) {
  const int least = m < n ? m : n;
  char of_vt = jobvt ? jobvt : jobu;
  if (jobvt)
    snprintf(text, sizeof text, "%cgesvd %c%c of %d x %d", type, jobu, jobvt, m, n);
  else
    snprintf(text, sizeof text, "%cgesdd %c of %d x %d", type, jobu, m, n);
  matrix a = make(m, n), given = copy(&a), u = make(m, m), vt = make(n, n);
  prepare();
  if (jobvt && is_complex())
    find("gesvd", "gesvd")(&jobu, &jobvt, &m, &n, a.data, &a.ld, values, u.data, &u.ld, vt.data, &vt.ld, work, &length, rwork, &info, 1ul, 1ul);
  else if (jobvt)
    find("gesvd", "gesvd")(&jobu, &jobvt, &m, &n, a.data, &a.ld, values, u.data, &u.ld, vt.data, &vt.ld, work, &length, &info, 1ul, 1ul);
  else if (is_complex())
    find("gesdd", "gesdd")(&jobu, &m, &n, a.data, &a.ld, values, u.data, &u.ld, vt.data, &vt.ld, work, &length, rwork, iwork, &info, 1ul);
  else
    find("gesdd", "gesdd")(&jobu, &m, &n, a.data, &a.ld, values, u.data, &u.ld, vt.data, &vt.ld, work, &length, iwork, &info, 1ul);
  check_values(least, 0);
  check_beside(&a, "A", n);
  double squares = 0, sum = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      squares += cabs(element(&given, i, j)) * cabs(element(&given, i, j));
  for (int i = 0; i < least; ++i)
    sum += get_real(values, i) * get_real(values, i);
  CHECK(fabs(squares - sum) < tolerance() * squares, "the sum of the squares of the singular values is %g, not %g", sum, squares);
  // gesdd's O: the larger of the two is where A was.
  const int has_u = jobu == 'A' || jobu == 'S' || (!jobvt && jobu == 'O' && m < n), has_vt = of_vt == 'A' || of_vt == 'S' || (!jobvt && jobu == 'O' && m >= n);
  const int u_columns = jobu == 'S' ? least : m, vt_rows = of_vt == 'S' ? least : n;
  if (has_u) {
    check_orthonormal(&u, "U", 0, u_columns);
    check_beside(&u, "U", u_columns);
  } else {
    same_bytes(&u, "U");
  }
  vt.rows = has_vt ? vt_rows : n; // LDVT stays
  if (has_vt) {
    check_orthonormal(&vt, "VT", 1, vt_rows);
    check_beside(&vt, "VT", n);
  } else {
    same_bytes(&vt, "VT");
  }
  const matrix *left = has_u ? &u : jobu == 'O' ? &a : NULL, *right = has_vt ? &vt : of_vt == 'O' ? &a : NULL;
  if (left && right)
    check_product(&given, left, right, least);
  drop(&a), drop(&given), drop(&u), drop(&vt);
}

/// Of a matrix with NaN there are no values, or INFO says so.
static void try_not_a_number(void) {
  int n = 40;
  matrix whole, a = make_symmetric(n, 'L', &whole), u = make(n, n);
  put(&a, 20, 10, NAN);
  matrix b = copy(&a);
  prepare();
  snprintf(text, sizeof text, "%c%s of NaN", type, is_complex() ? "heevd" : "syevd");
  if (is_complex())
    find("syevd", "heevd")("N", "L", &n, a.data, &a.ld, values, work, &length, rwork, &length, iwork, &length, &info, 1ul, 1ul);
  else
    find("syevd", "heevd")("N", "L", &n, a.data, &a.ld, values, work, &length, iwork, &length, &info, 1ul, 1ul);
  CHECK(info || !isfinite(get_real(values, 0)) || !isfinite(get_real(values, n - 1)), "INFO is 0, the values are from %g to %g", get_real(values, 0),
        get_real(values, n - 1));
  prepare();
  snprintf(text, sizeof text, "%cgesdd of NaN", type);
  if (is_complex())
    find("gesdd", "gesdd")("N", &n, &n, b.data, &b.ld, values, u.data, &u.ld, u.data, &u.ld, work, &length, rwork, iwork, &info, 1ul);
  else
    find("gesdd", "gesdd")("N", &n, &n, b.data, &b.ld, values, u.data, &u.ld, u.data, &u.ld, work, &length, iwork, &info, 1ul);
  CHECK(info || !isfinite(get_real(values, 0)), "INFO is 0, the first value %g", get_real(values, 0));
  drop(&a), drop(&b), drop(&u), drop(&whole);
}

int main(void) {
  for (const char *t = "sdcz"; *t; ++t) {
    type = *t;
    for (int i = 0; i < 12; ++i)
      try_eigen((const char *[]){"syev", "syevd", "syevr"}[i % 3], "NV"[i / 3 % 2], "LU"[i / 6]);
    try_range();
    try_not_a_number();
    for (const char *jobu = "NSAO"; *jobu; ++jobu) {
      for (const char *jobvt = "NSAO"; *jobvt; ++jobvt)
        if (*jobu != 'O' || *jobvt != 'O')
          try_singular(*jobu, *jobvt, 33, 24);
      try_singular(*jobu, 0, 33, 24);
      try_singular(*jobu, 0, 60, 20);
      try_singular(*jobu, 0, 20, 30);
      try_singular(*jobu, *jobu == 'O' ? 'S' : *jobu, 20, 30);
    }
  }
  printf("%d failed\n", failures);
  return failures != 0;
}
