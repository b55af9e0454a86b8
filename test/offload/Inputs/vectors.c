// Products of a matrix and vectors, by CBLAS and Fortran's names: a matrix that stays as it is goes to the device, and is used there.
// vectors: each product is compared with one that is computed here; one element of the matrix changes in the middle.
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

void dgemv_(const char *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *,
            const int *, size_t);

enum { M = 420, N = 300, LD = 431 };
static double *a, x[M], y[M], want[M];

static void compare(const char *what, int round, int count) {
  for (int i = 0; i < count; ++i)
    if (y[i] != want[i]) {
      printf("failed: %s, round %d: element %d is %g, not %g\n", what, round, i, y[i], want[i]);
      exit(1);
    }
}

/// y = 2 op(A) x + beta y, A by columns.
static void expect(int transposed, double beta, int reversed) {
  const int rows = transposed ? N : M, columns = transposed ? M : N;
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j)
      sum += (transposed ? a[i * LD + j] : a[j * LD + i]) * x[reversed ? columns - 1 - j : j];
    want[i] = 2 * sum + beta * y[i];
  }
}

int main(void) {
  a = malloc(sizeof *a * N * LD); // a static one begins on a page of the program's file
  double *symmetric = malloc(sizeof *symmetric * N * N);
  for (int i = 0; i < N * LD; ++i)
    a[i] = i % 7 - 3;
  for (int i = 0; i < N * N; ++i)
    symmetric[i] = i / N < i % N ? 1e30 : (i / N * 3 + i % N) % 5; // the upper triangle is not read
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < M; ++i)
      x[i] = (i + round) % 3, y[i] = i % 4;
    if (round == 4)
      a[5 * LD + 7] = 100;
    expect(0, 1, 0);
    cblas_dgemv(CblasColMajor, CblasNoTrans, M, N, 2, a, LD, x, 1, 1, y, 1);
    compare("dgemv", round, M);
    expect(1, 0, 0);
    const int m = M, n = N, ld = LD, one = 1;
    const double two = 2, zero = 0;
    dgemv_("t", &m, &n, &two, a, &ld, x, &one, &zero, y, &one, 1);
    compare("dgemv_ transposed", round, N);
    expect(0, 0, 1);
    cblas_dgemv(CblasRowMajor, CblasTrans, N, M, 2, a, LD, x, -1, 0, y, 1);
    compare("dgemv by rows, backwards", round, M);
    for (int i = 0; i < N; ++i) {
      want[i] = 0;
      for (int j = 0; j < N; ++j)
        want[i] += symmetric[i >= j ? i * N + j : j * N + i] * x[j];
    }
    cblas_dsymv(CblasRowMajor, CblasLower, N, 1, symmetric, N, x, 1, 0, y, 1);
    compare("dsymv", round, N);
  }
  printf("right\n");
  return 0;
}
