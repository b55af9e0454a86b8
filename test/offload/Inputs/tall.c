// The singular value of a matrix of M rows and a column: tall M. It must be the length of the column.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void dgesdd_(const char *, const int *, const int *, double *, const int *, double *, double *, const int *, double *, const int *, double *, const int *, int *, int *,
             size_t);

int main(int argc, char **argv) {
  const int m = atoi(argv[1]), n = 1, length = 100;
  double *a = malloc(sizeof *a * m), *u = malloc(sizeof *u * m), value = 0, vt = 0, work[100], squares = 0;
  int iwork[8], info = 1;
  for (int i = 0; i < m; ++i)
    a[i] = i % 7 - 3, squares += a[i] * a[i];
  dgesdd_("S", &m, &n, a, &m, &value, u, &m, &vt, &n, work, &length, iwork, &info, 1);
  puts(info == 0 && fabs(value * value - squares) < 1e-9 * squares ? "right" : "wrong");
  return 0;
}
