// CBLAS on the device: each level, precision and order, against the library of the host; small integers, so that sums are exact
// whatever their order.
// RUN: %hostcc -w %s -o %t.host -lopenblas && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t -lcblas -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// Another library, by its name. On the machines with GPUs that is the OpenBLAS 0.3.26 of Ubuntu 24.04, whose crotg and zrotg return an infinite
// or wrong imaginary part (OpenBLAS issue 4909).
// RUN: %if emulator %{ %run --service %build/lib/gpuexec/services/libgpuexec-blas.so,libblas.so.3 %t | diff %t.expected - %}
// All by the host, and all that it can by the calling thread.
// RUN: for small in 0 16384; do %run --service %build/lib/gpuexec/services/libgpuexec-blas.so,small=$small %t | diff %t.expected - || { echo "failed: small=$small" >&2; exit 1; }; done
#include <cblas.h>
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 7, N = 5, K = 6, LD = 9, SIZE = LD * LD * 2 };
static unsigned state = 1;
static int next(void) { return (int)((state = state * 1103515245u + 12345u) >> 16 & 15) - 7; }

#define PRECISION(T, P, PART)                                                                                                  \
  static T *P##_fill(int count) {                                                                                              \
    T *data = malloc(count * sizeof(T));                                                                                       \
    for (int i = 0; i < count; ++i) {                                                                                          \
      const int real = next(), imaginary = next();                                                                             \
      data[i] = PART;                                                                                                          \
    }                                                                                                                          \
    return data;                                                                                                               \
  }                                                                                                                            \
  static void P##_print(const char *what, const T *data, int count) {                                                          \
    double sum = 0, other = 0;                                                                                                 \
    for (int i = 0; i < count; ++i) {                                                                                          \
      sum += (double)creal(data[i]) * (i % 13 + 1);                                                                            \
      other += (double)cimag(data[i]) * (i % 11 + 1);                                                                          \
    }                                                                                                                          \
    printf(#P "%s: %g %g\n", what, sum, other);                                                                                \
  }
PRECISION(float, s, real)
PRECISION(double, d, real)
PRECISION(float complex, c, real + imaginary * I)
PRECISION(double complex, z, real + imaginary * I)

// What all precisions have. V: how a number is passed.
#define COMMON(T, P, V)                                                                                                        \
  static void P##_common(void) {                                                                                               \
    for (int order = CblasRowMajor; order <= CblasColMajor; ++order) {                                                         \
      T alpha = 2, beta = 3, *a = P##_fill(SIZE), *b = P##_fill(SIZE), *c = P##_fill(SIZE);                                    \
      cblas_##P##gemm(order, CblasNoTrans, CblasTrans, M, N, K, V(alpha), a, LD, b, LD, V(beta), c, LD);                       \
      P##_print("gemm", c, SIZE);                                                                                              \
      cblas_##P##gemm(order, CblasConjTrans, CblasNoTrans, M, N, K, V(beta), a, LD, b, LD, V(alpha), c, LD);                   \
      P##_print("gemm", c, SIZE);                                                                                              \
      cblas_##P##symm(order, CblasRight, CblasLower, M, N, V(alpha), a, LD, b, LD, V(beta), c, LD);                            \
      P##_print("symm", c, SIZE);                                                                                              \
      c = P##_fill(SIZE);                                                                                                      \
      cblas_##P##syrk(order, CblasUpper, CblasTrans, N, K, V(alpha), a, LD, V(beta), c, LD);                                   \
      P##_print("syrk", c, SIZE);                                                                                              \
      cblas_##P##syr2k(order, CblasLower, CblasNoTrans, N, K, V(alpha), a, LD, b, LD, V(beta), c, LD);                         \
      P##_print("syr2k", c, SIZE);                                                                                             \
      b = P##_fill(SIZE);                                                                                                      \
      cblas_##P##trmm(order, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, M, N, V(alpha), a, LD, b, LD);                 \
      P##_print("trmm", b, SIZE);                                                                                              \
      b = P##_fill(SIZE);                                                                                                      \
      cblas_##P##trsm(order, CblasRight, CblasLower, CblasTrans, CblasUnit, M, N, V(alpha), a, LD, b, LD);                     \
      P##_print("trsm", b, SIZE);                                                                                              \
      T *x = P##_fill(3 * LD), *y = P##_fill(3 * LD);                                                                          \
      cblas_##P##gemv(order, CblasTrans, M, N, V(alpha), a, LD, x, 2, V(beta), y, -3);                                         \
      P##_print("gemv", y, 3 * LD);                                                                                            \
      cblas_##P##gbmv(order, CblasNoTrans, M, N, 2, 1, V(alpha), a, LD, x, -1, V(beta), y, 1);                                 \
      P##_print("gbmv", y, 3 * LD);                                                                                            \
      x = P##_fill(3 * LD);                                                                                                    \
      cblas_##P##trmv(order, CblasUpper, CblasTrans, CblasNonUnit, N, a, LD, x, 2);                                            \
      P##_print("trmv", x, 3 * LD);                                                                                            \
      cblas_##P##tbmv(order, CblasLower, CblasNoTrans, CblasUnit, N, 2, a, LD, x, 1);                                          \
      P##_print("tbmv", x, 3 * LD);                                                                                            \
      x = P##_fill(3 * LD);                                                                                                    \
      cblas_##P##tpmv(order, CblasLower, CblasNoTrans, CblasNonUnit, N, a, x, -2);                                             \
      P##_print("tpmv", x, 3 * LD);                                                                                            \
      x = P##_fill(3 * LD);                                                                                                    \
      cblas_##P##trsv(order, CblasLower, CblasNoTrans, CblasUnit, N, a, LD, x, 1);                                             \
      cblas_##P##tbsv(order, CblasUpper, CblasTrans, CblasUnit, N, 1, a, LD, x, 1);                                            \
      cblas_##P##tpsv(order, CblasUpper, CblasTrans, CblasUnit, 3, a, x, 1);                                                   \
      P##_print("trsv", x, 3 * LD);                                                                                            \
    }                                                                                                                          \
    T local[8], factor = 3, *v = P##_fill(40), *w = P##_fill(40);                                                              \
    memcpy(local, v, sizeof local); /* on the stack */                                                                         \
    cblas_##P##swap(8, local, 1, w, 2);                                                                                        \
    P##_print("swap", local, 8);                                                                                               \
    cblas_##P##axpy(8, V(factor), local, 1, v, -3);                                                                            \
    P##_print("axpy", v, 40);                                                                                                  \
    cblas_##P##scal(8, V(factor), local, 1);                                                                                   \
    cblas_##P##copy(8, local, 1, w, 4);                                                                                        \
    P##_print("copy", w, 40);                                                                                                  \
    printf("%zu %g\n", (size_t)cblas_i##P##amax(20, v, 2), 0.0);                                                               \
  }
#define VALUE(x) x
#define ADDRESS(x) &x
COMMON(float, s, VALUE)
COMMON(double, d, VALUE)
COMMON(float complex, c, ADDRESS)
COMMON(double complex, z, ADDRESS)

#define REAL(T, P)                                                                                                             \
  static void P##_real(void) {                                                                                                 \
    T *x = P##_fill(40), *y = P##_fill(40), *a = P##_fill(SIZE), parameters[5] = {-1, 1, 2, 3, 4};                             \
    printf("%g %g %g\n", (double)cblas_##P##dot(10, x, 2, y, -3), (double)cblas_##P##asum(40, x, 1),                           \
           (double)cblas_##P##nrm2(1, x, 1));                                                                                  \
    cblas_##P##rot(5, x, 1, y, 2, 2, 1);                                                                                       \
    cblas_##P##rotm(5, x, 1, y, 2, parameters);                                                                                \
    P##_print("rot", x, 40), P##_print("rot", y, 40);                                                                          \
    T p = 3, q = 4, c, s;                                                                                                      \
    cblas_##P##rotg(&p, &q, &c, &s);                                                                                           \
    T d1 = 2, d2 = 3, first = 1;                                                                                               \
    cblas_##P##rotmg(&d1, &d2, &first, 2, parameters);                                                                         \
    printf("%.3f %.3f %.3f %.3f\n", (double)d1, (double)d2, (double)first, (double)parameters[0]);                             \
    printf("%.3f %.3f %.3f\n", (double)p, (double)c, (double)s);                                                               \
    cblas_##P##symv(CblasRowMajor, CblasUpper, N, 2, a, LD, x, 1, 3, y, 1);                                                    \
    cblas_##P##sbmv(CblasColMajor, CblasLower, N, 2, 2, a, LD, x, 1, 3, y, 1);                                                 \
    cblas_##P##spmv(CblasColMajor, CblasLower, N, 2, a, x, 1, 3, y, 1);                                                        \
    P##_print("sbmv", y, 40);                                                                                                  \
    cblas_##P##ger(CblasRowMajor, M, N, 2, x, 1, y, 2, a, LD);                                                                 \
    cblas_##P##syr(CblasRowMajor, CblasUpper, N, 2, x, 1, a, LD);                                                              \
    cblas_##P##spr(CblasRowMajor, CblasUpper, N, 2, x, 1, a);                                                                  \
    cblas_##P##syr2(CblasRowMajor, CblasUpper, N, 2, x, 1, x, -1, a, LD);                                                      \
    cblas_##P##spr2(CblasRowMajor, CblasUpper, N, 2, x, 1, x, -1, a);                                                          \
    P##_print("syr", a, SIZE);                                                                                                 \
  }
REAL(float, s)
REAL(double, d)

#define COMPLEX(T, R, P, RP, SCAL, ROT)                                                                                                  \
  static void P##_complex(void) {                                                                                              \
    T *x = P##_fill(40), *y = P##_fill(40), *a = P##_fill(SIZE), *b = P##_fill(SIZE), dot[2], two = 2 + I;                      \
    cblas_##P##dotu_sub(10, x, 2, y, 1, &dot[0]);                                                                              \
    cblas_##P##dotc_sub(10, x, 2, y, 1, &dot[1]);                                                                              \
    P##_print("dot", dot, 2);                                                                                                  \
    cblas_##SCAL(20, 3, y, 2);                                                                                                 \
    cblas_##ROT(9, x, 2, y, -1, 2, 3);                                                                                         \
    P##_print("rot", x, 40), P##_print("rot", y, 40);                                                                          \
    T p[] = {3 + 4 * I, 2 - I, 0};                                                                                             \
    R cosine[] = {7, 7};                                                                                                       \
    cblas_##P##rotg(&p[0], &p[1], cosine, &p[2]);                                                                              \
    printf("%.3f %.3f %.3f %.3f %g\n", (double)creal(p[0]), (double)cimag(p[0]), (double)creal(p[2]), (double)cosine[0], (double)cosine[1]); \
    printf("%g %g\n", (double)cblas_##RP##asum(20, x, 2), (double)cblas_##RP##nrm2(20, y, 2));                                                                        \
    cblas_##P##hemv(CblasRowMajor, CblasUpper, N, &two, a, LD, x, 1, &two, y, 1);                                              \
    cblas_##P##hpmv(CblasRowMajor, CblasUpper, N, &two, a, x, 1, &two, y, 1);                                                  \
    cblas_##P##hbmv(CblasColMajor, CblasUpper, N, 2, &two, a, LD, x, 1, &two, y, 1);                                           \
    P##_print("hemv", y, 40);                                                                                                  \
    cblas_##P##geru(CblasColMajor, M, N, &two, x, 1, y, 2, a, LD);                                                             \
    cblas_##P##gerc(CblasRowMajor, M, N, &two, x, 1, y, 2, a, LD);                                                             \
    P##_print("ger", a, SIZE);                                                                                                 \
    a = P##_fill(SIZE);                                                                                                        \
    cblas_##P##her(CblasRowMajor, CblasUpper, N, 2, x, 1, a, LD);                                                              \
    cblas_##P##hpr(CblasRowMajor, CblasUpper, N, 2, x, 1, a);                                                                  \
    cblas_##P##her2(CblasColMajor, CblasUpper, N, &two, x, 1, y, -1, a, LD);                                                   \
    cblas_##P##hpr2(CblasColMajor, CblasUpper, N, &two, x, 1, y, -1, a);                                                       \
    P##_print("her", a, SIZE);                                                                                                 \
    cblas_##P##hemm(CblasColMajor, CblasLeft, CblasUpper, M, N, &two, b, LD, b, LD, &two, a, LD);                              \
    cblas_##P##herk(CblasRowMajor, CblasUpper, CblasConjTrans, N, K, 2, b, LD, 1, a, LD);                                      \
    cblas_##P##her2k(CblasRowMajor, CblasUpper, CblasNoTrans, N, K, &two, b, LD, b, LD, 1, a, LD);                             \
    P##_print("hemm", a, SIZE);                                                                                                \
  }
COMPLEX(float complex, float, c, sc, csscal, csrot)
COMPLEX(double complex, double, z, dz, zdscal, zdrot)

int main(void) {
  s_common(), d_common(), c_common(), z_common();
  s_real(), d_real();
  c_complex(), z_complex();
  float x[3] = {1, 2, 3}, y[3] = {4, 5, 6};
  printf("%g %g\n", cblas_dsdot(3, x, 1, y, 1), (double)cblas_sdsdot(3, 10, x, 1, y, 1));
  double none[1], zero = 0, filled[6] = {1, 2, 3, 4, 5, 6};
  cblas_dcopy(5, &zero, 0, filled, 1);
  cblas_daxpy(-3, 1, filled, 1, filled, 1);
  printf("filled: %g %g %g, %zu\n", filled[0], filled[4], filled[5], (size_t)cblas_idamax(-1, filled, 1));
  cblas_daxpy(0, 1, NULL, 1, none, 1);
  printf("nothing: %g\n", cblas_ddot(0, none, 1, none, 1));
  return 0;
}
