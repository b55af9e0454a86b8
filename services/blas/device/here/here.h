//===-- services/blas/device/here/here.h - Small calls, by the calling thread -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of the host takes some microseconds; the calling thread does a small
// product itself in less time. The number of multiplications up to which that
// is faster is measured once for each device and kept by the service
// (services/blas/host/limit.h).
//
// The functions have the arguments of CBLAS's functions, except that complex
// numbers and results are passed by value. The caller has checked the
// arguments; dimensions are positive.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_HERE_HERE_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_HERE_HERE_H

#include <stddef.h>
#include <stdint.h>

/// Whether the calling thread should do a call of `work` multiplications of
/// real numbers itself. False if `work` is 0.
int blas_is_here(double work);

// T: the type of an element; R: of its absolute value; P: the type's letter;
// N: what BLAS puts before the names of norms.
#define HERE_COMMON(T, R, P, N)                                                \
  void here_##P##swap(int n, T *x, int incx, T *y, int incy);                  \
  void here_##P##scal(int n, T alpha, T *x, int incx);                         \
  void here_##P##copy(int n, const T *x, int incx, T *y, int incy);            \
  void here_##P##axpy(int n, T alpha, const T *x, int incx, T *y, int incy);   \
  R here_##N##nrm2(int n, const T *x, int incx);                               \
  R here_##N##asum(int n, const T *x, int incx);                               \
  size_t here_i##P##amax(int n, const T *x, int incx);                         \
  void here_##P##gemv(int order, int trans, int m, int n, T alpha, const T *a, \
                      int lda, const T *x, int incx, T beta, T *y, int incy);  \
  void here_##P##trmv(int order, int uplo, int trans, int diag, int n,         \
                      const T *a, int lda, T *x, int incx);                    \
  void here_##P##trsv(int order, int uplo, int trans, int diag, int n,         \
                      const T *a, int lda, T *x, int incx);                    \
  void here_##P##gemm(int order, int transa, int transb, int m, int n, int k,  \
                      T alpha, const T *a, int lda, const T *b, int ldb,       \
                      T beta, T *c, int ldc);                                  \
  void here_##P##syrk(int order, int uplo, int trans, int n, int k, T alpha,   \
                      const T *a, int lda, T beta, T *c, int ldc);             \
  void here_##P##trmm(int order, int side, int uplo, int trans, int diag,      \
                      int m, int n, T alpha, const T *a, int lda, T *b,        \
                      int ldb);                                                \
  void here_##P##trsm(int order, int side, int uplo, int trans, int diag,      \
                      int m, int n, T alpha, const T *a, int lda, T *b,        \
                      int ldb);

#define HERE_REAL(T, P)                                                        \
  T here_##P##dot(int n, const T *x, int incx, const T *y, int incy);          \
  void here_##P##rot(int n, T *x, int incx, T *y, int incy, T c, T s);         \
  void here_##P##ger(int order, int m, int n, T alpha, const T *x, int incx,   \
                     const T *y, int incy, T *a, int lda);                     \
  void here_##P##symv(int order, int uplo, int n, T alpha, const T *a,         \
                      int lda, const T *x, int incx, T beta, T *y, int incy);  \
  void here_##P##syr(int order, int uplo, int n, T alpha, const T *x,          \
                     int incx, T *a, int lda);

#define HERE_COMPLEX(T, R, P, PR)                                              \
  T here_##P##dotu_sub(int n, const T *x, int incx, const T *y, int incy);     \
  T here_##P##dotc_sub(int n, const T *x, int incx, const T *y, int incy);     \
  void here_##PR##scal(int n, R alpha, T *x, int incx);                        \
  void here_##PR##rot(int n, T *x, int incx, T *y, int incy, R c, R s);        \
  void here_##P##geru(int order, int m, int n, T alpha, const T *x, int incx,  \
                      const T *y, int incy, T *a, int lda);                    \
  void here_##P##gerc(int order, int m, int n, T alpha, const T *x, int incx,  \
                      const T *y, int incy, T *a, int lda);                    \
  void here_##P##hemv(int order, int uplo, int n, T alpha, const T *a,         \
                      int lda, const T *x, int incx, T beta, T *y, int incy);  \
  void here_##P##her(int order, int uplo, int n, R alpha, const T *x,          \
                     int incx, T *a, int lda);                                 \
  void here_##P##herk(int order, int uplo, int trans, int n, int k, R alpha,   \
                      const T *a, int lda, R beta, T *c, int ldc);

HERE_COMMON(float, float, s, s)
HERE_COMMON(double, double, d, d)
HERE_COMMON(float _Complex, float, c, sc)
HERE_COMMON(double _Complex, double, z, dz)
HERE_REAL(float, s)
HERE_REAL(double, d)
HERE_COMPLEX(float _Complex, float, c, cs)
HERE_COMPLEX(double _Complex, double, z, zd)

#endif
