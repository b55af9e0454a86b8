// Calls one function of LAPACK again and again, on the same numbers: solvers FUNCTION SIZE CALLS. Each result must be right.
//   gesvd gesdd potrf
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dgesvd_(const char *, const char *, const int *, const int *, double *, const int *, double *, double *, const int *, double *, const int *, double *,
             const int *, int *, size_t, size_t);
void dgesdd_(const char *, const int *, const int *, double *, const int *, double *, double *, const int *, double *, const int *, double *, const int *, int *,
             int *, size_t);
void dpotrf_(const char *, const int *, double *, const int *, int *, size_t);

int main(int argc, char **argv) {
  const int n = atoi(argv[2]), calls = atoi(argv[3]), one = 1, length = 40 * n;
  double *given = malloc(sizeof *given * n * n), *a = malloc(sizeof *a * n * n), *work = malloc(sizeof *work * length), *values = malloc(sizeof *values * n);
  int *iwork = malloc(sizeof *iwork * 8 * n), info = 7;
  unsigned state = 1;
  for (int i = 0; i < n * n; ++i)
    given[i] = (double)((state = state * 1103515245u + 12345u) >> 16 & 1023) / 512 - 1;
  double squares = 0;
  for (int i = 0; i < n; ++i)
    given[i * n + i] = n;
  for (int i = 0; i < n * n; ++i)
    squares += given[i] * given[i];
  for (int call = 0; call < calls; ++call) {
    memcpy(a, given, sizeof *a * n * n);
    double sum = 0;
    if (!strcmp(argv[1], "gesvd"))
      dgesvd_("N", "N", &n, &n, a, &n, values, NULL, &one, NULL, &one, work, &length, &info, 1, 1);
    else if (!strcmp(argv[1], "gesdd"))
      dgesdd_("N", &n, &n, a, &n, values, NULL, &one, NULL, &one, work, &length, iwork, &info, 1);
    else
      dpotrf_("L", &n, a, &n, &info, 1);
    const int is_potrf = !strcmp(argv[1], "potrf");
    for (int i = 0; i < n; ++i) // of the last row: L L' has the matrix there
      sum += is_potrf ? a[i * n + n - 1] * a[i * n + n - 1] : values[i] * values[i];
    const double want = is_potrf ? given[n * n - 1] : squares;
    if (info || !(fabs(sum - want) < 1e-9 * want)) {
      printf("failed: call %d: INFO %d, %g is not %g\n", call, info, sum, want);
      return 1;
    }
  }
  printf("right\n");
  return 0;
}
