// Fortran's names, with and without hidden lengths, against the library of the host; a wrong argument goes to xerbla_.
// RUN: %hostcc -w %s -o %t.host -lopenblas && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t -lblas -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %gpucc -O2 -w -DNO_XERBLA %s -o %t.default -lopenblas
// RUN: not %run %t.default 2>&1 | FileCheck %s
// CHECK: ** On entry to DGEMM  parameter number  8 had an illegal value
#include <complex.h>
#include <stddef.h>
#include <stdio.h>

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *,
            const double *, const int *, const double *, double *, const int *, size_t, size_t);
void sgemv_(const char *, const int *, const int *, const float *, const float *, const int *, const float *, const int *,
            const float *, float *, const int *);
double ddot_(const int *, const double *, const int *, const double *, const int *);
float snrm2_(const int *, const float *, const int *);
double complex zdotc_(const int *, const double complex *, const int *, const double complex *, const int *);
int idamax_(const int *, const double *, const int *);

#ifndef NO_XERBLA
void xerbla_(const char *name, const int *place, size_t length) { printf("wrong: %.*s %d\n", (int)length, name, *place); }
#endif

int main(void) {
  const int one = 1, two = 2, three = 3, four = 4, none = 0;
  const double half = 0.5, a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, b[] = {9, -8, 7, -6, 5, -4, 3, -2, 1};
  double c[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  dgemm_("N", "t", &three, &two, &three, &half, a, &three, b, &three, &half, c, &three, 1, 1);
  for (int i = 0; i < 9; ++i)
    printf("%g ", c[i]);
  const float f = 2, m[] = {1, 2, 3, 4, 5, 6}, x[] = {1, -1, 2};
  float y[] = {1, 2, 3};
  sgemv_("T", &two, &three, &f, m, &two, x, &one, &f, y, &one);
  printf("\n%g %g %g\n", y[0], y[1], y[2]);
  printf("%g %g\n", ddot_(&four, a, &two, b, &one), snrm2_(&one, m + 2, &one));
  const double complex z[] = {1 + 2 * I, 3 - I};
  const double complex dot = zdotc_(&two, z, &one, z, &one);
  printf("%g %g, %d %d %d\n", creal(dot), cimag(dot), idamax_(&three, b, &three), idamax_(&none, b, &one), idamax_(&three, a, &none));
  dgemm_("N", "N", &three, &two, &three, &half, a, &two, b, &three, &half, c, &three, 1, 1);
  dgemm_("X", "N", &three, &two, &three, &half, a, &three, b, &three, &half, c, &three, 1, 1);
  return 0;
}
