//===-- emulator/cuda/libraries/cusolver_factor.cpp - Factorisations ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcusolver.so: handles; Cholesky's, LU and QR factorisations, and what
// solves equations with them.
// NOLINTBEGIN(readability-identifier-naming): matrices have LAPACK's names.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cusolver.h"
#include "emulator/cuda/libraries/version.h"
#include <new>
#include <numeric>

using namespace gpuexec::cusolver;

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CUSOLVER_STATUS_INVALID_VALUE;
  constexpr Version VERSION = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR,
                               CUSOLVER_VER_PATCH};
  *value = VERSION.property(type);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetVersion(int *version) {
  if (!version)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  if (!handle)
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (!gpuexec::host_blas::is_there("libcusolver"))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) cusolverDnContext;
  return *handle ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  delete handle;
  return handle ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle,
                                     cudaStream_t stream) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle,
                                     cudaStream_t *stream) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

namespace {

//===-- Cholesky ----------------------------------------------------------===//

/// potrf or potri: of a triangle, in its place.
template <class T>
cusolverStatus_t triangle(const char *name, cusolverDnHandle_t handle,
                          cublasFillMode_t uplo, int n, T *A, int lda,
                          int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  if (!is_triangle(uplo) || !fits(n, lda))
    return CUSOLVER_STATUS_INVALID_VALUE;
  const char letter = letter_of(uplo);
  int result = 0;
  call<T>(name, name, &letter, &n, A, &lda, &result);
  return end(result, info);
}

template <class T>
cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                       int nrhs, const T *A, int lda, T *B, int ldb,
                       int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  if (!is_triangle(uplo) || !fits(n, lda) || !fits(n, ldb) || nrhs < 0)
    return CUSOLVER_STATUS_INVALID_VALUE;
  const char letter = letter_of(uplo);
  int result = 0;
  call<T>("potrs", "potrs", &letter, &n, &nrhs, A, &lda, B, &ldb, &result);
  return end(result, info);
}

//===-- LU ----------------------------------------------------------------===//

/// A factorisation without interchanges. Returns the first pivot that is 0,
/// counted from 1, or 0.
template <class T> int factor_in_order(int m, int n, T *A, int lda) {
  auto at = [=](int i, int j) -> T & {
    return A[int64_t(j) * lda + int64_t(i)];
  };
  int zero = 0;
  for (int k = 0; k < std::min(m, n); ++k) {
    if (at(k, k) == T()) {
      zero = zero ? zero : k + 1;
      continue;
    }
    for (int i = k + 1; i < m; ++i)
      at(i, k) /= at(k, k);
    for (int j = k + 1; j < n; ++j)
      for (int i = k + 1; i < m; ++i)
        at(i, j) -= at(i, k) * at(k, j);
  }
  return zero;
}

template <class T>
cusolverStatus_t getrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda,
                       int *ipiv, int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  if (!fits(m, lda) || n < 0)
    return CUSOLVER_STATUS_INVALID_VALUE;
  int result = 0;
  if (ipiv)
    call<T>("getrf", "getrf", &m, &n, A, &lda, ipiv, &result);
  else
    result = factor_in_order(m, n, A, lda);
  return end(result, info);
}

template <class T>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t trans,
                       int n, int nrhs, const T *A, int lda, const int *ipiv,
                       T *B, int ldb, int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  if (!is_operation(trans) || !fits(n, lda) || !fits(n, ldb) || nrhs < 0)
    return CUSOLVER_STATUS_INVALID_VALUE;
  std::vector<int> in_order(ipiv ? 0 : size_t(n));
  std::iota(in_order.begin(), in_order.end(), 1);
  const char letter = letter_of(trans);
  int result = 0;
  call<T>("getrs", "getrs", &letter, &n, &nrhs, A, &lda,
          ipiv ? ipiv : in_order.data(), B, &ldb, &result);
  return end(result, info);
}

template <class T>
cusolverStatus_t laswp(cusolverDnHandle_t handle, int n, T *A, int lda, int k1,
                       int k2, const int *ipiv, int step) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  if (n < 0 || lda < 1 || k1 < 1 || k2 < k1 || !step)
    return CUSOLVER_STATUS_INVALID_VALUE;
  call<T>("laswp", "laswp", &n, A, &lda, &k1, &k2, ipiv, &step);
  return CUSOLVER_STATUS_SUCCESS;
}

//===-- QR ----------------------------------------------------------------===//

template <class T>
cusolverStatus_t geqrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda,
                       T *tau, int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  if (!fits(m, lda) || n < 0)
    return CUSOLVER_STATUS_INVALID_VALUE;
  int result = 0;
  with_work<T>([&](T *work, const int *length) {
    call<T>("geqrf", "geqrf", &m, &n, A, &lda, tau, work, length, &result);
  });
  return end(result, info);
}

/// orgqr or ungqr: the columns of Q, in the place of what they come from.
template <class T>
cusolverStatus_t gqr(cusolverDnHandle_t handle, int m, int n, int k, T *A,
                     int lda, const T *tau, int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  if (!fits(m, lda) || n < 0 || n > m || k < 0 || k > n)
    return CUSOLVER_STATUS_INVALID_VALUE;
  int result = 0;
  with_work<T>([&](T *work, const int *length) {
    call<T>("orgqr", "ungqr", &m, &n, &k, A, &lda, tau, work, length, &result);
  });
  return end(result, info);
}

/// ormqr or unmqr: op(Q) C or C op(Q).
template <class T>
cusolverStatus_t mqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                     cublasOperation_t trans, int m, int n, int k, const T *A,
                     int lda, const T *tau, T *C, int ldc, int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  const int rows = side == CUBLAS_SIDE_LEFT ? m : n;
  // Q of complex numbers is conjugated where it is transposed, and LAPACK knows
  // for each kind of numbers one letter.
  if ((side != CUBLAS_SIDE_LEFT && side != CUBLAS_SIDE_RIGHT) ||
      !is_operation(trans) || (IS_COMPLEX<T> && trans == CUBLAS_OP_T) ||
      !fits(m, ldc) || n < 0 || !fits(rows, lda) || k < 0 || k > rows)
    return CUSOLVER_STATUS_INVALID_VALUE;
  const char side_letter = letter_of(side), letter = trans == CUBLAS_OP_N ? 'N'
                                                     : IS_COMPLEX<T>      ? 'C'
                                                                          : 'T';
  int result = 0;
  with_work<T>([&](T *work, const int *length) {
    call<T>("ormqr", "unmqr", &side_letter, &letter, &m, &n, &k, A, &lda, tau,
            C, &ldc, work, length, &result);
  });
  return end(result, info);
}

} // namespace

#define GPUEXEC_TYPE(TYPE, ELEMENT, GQR, MQR)                                  \
  cusolverStatus_t cusolverDn##TYPE##potrf_bufferSize(                         \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *,      \
      int lda, int *lwork) {                                                   \
    return answer_size(handle, is_triangle(uplo) && fits(n, lda), lwork);      \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##potrf(                                    \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *A,     \
      int lda, ELEMENT *, int, int *info) {                                    \
    return triangle("potrf", handle, uplo, n, numbers(A), lda, info);          \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##potrs(                                    \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,       \
      const ELEMENT *A, int lda, ELEMENT *B, int ldb, int *info) {             \
    return potrs(handle, uplo, n, nrhs, numbers(A), lda, numbers(B), ldb,      \
                 info);                                                        \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##potrfBatched(                             \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *A[],   \
      int lda, int *info, int count) {                                         \
    if (cusolverStatus_t status = begin(handle))                               \
      return status;                                                           \
    for (int i = 0; i < count; ++i)                                            \
      if (cusolverStatus_t status = triangle("potrf", handle, uplo, n,         \
                                             numbers(A[i]), lda, info + i))    \
        return status;                                                         \
    return count < 0 ? CUSOLVER_STATUS_INVALID_VALUE                           \
                     : CUSOLVER_STATUS_SUCCESS;                                \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##potrsBatched(                             \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,       \
      ELEMENT *A[], int lda, ELEMENT *B[], int ldb, int *info, int count) {    \
    if (cusolverStatus_t status = begin(handle))                               \
      return status;                                                           \
    for (int i = 0; i < count; ++i)                                            \
      if (cusolverStatus_t status =                                            \
              potrs(handle, uplo, n, nrhs, numbers(A[i]), lda, numbers(B[i]),  \
                    ldb, info))                                                \
        return status;                                                         \
    return count < 0 ? CUSOLVER_STATUS_INVALID_VALUE                           \
                     : CUSOLVER_STATUS_SUCCESS;                                \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##potri_bufferSize(                         \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *,      \
      int lda, int *lwork) {                                                   \
    return answer_size(handle, is_triangle(uplo) && fits(n, lda), lwork);      \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##potri(                                    \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *A,     \
      int lda, ELEMENT *, int, int *info) {                                    \
    return triangle("potri", handle, uplo, n, numbers(A), lda, info);          \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##getrf_bufferSize(                         \
      cusolverDnHandle_t handle, int m, int n, ELEMENT *, int lda,             \
      int *lwork) {                                                            \
    return answer_size(handle, fits(m, lda) && n >= 0, lwork);                 \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##getrf(cusolverDnHandle_t handle, int m,   \
                                           int n, ELEMENT *A, int lda,         \
                                           ELEMENT *, int *ipiv, int *info) {  \
    return getrf(handle, m, n, numbers(A), lda, ipiv, info);                   \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##getrs(                                    \
      cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,     \
      const ELEMENT *A, int lda, const int *ipiv, ELEMENT *B, int ldb,         \
      int *info) {                                                             \
    return getrs(handle, trans, n, nrhs, numbers(A), lda, ipiv, numbers(B),    \
                 ldb, info);                                                   \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##laswp(                                    \
      cusolverDnHandle_t handle, int n, ELEMENT *A, int lda, int k1, int k2,   \
      const int *ipiv, int step) {                                             \
    return laswp(handle, n, numbers(A), lda, k1, k2, ipiv, step);              \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##geqrf_bufferSize(                         \
      cusolverDnHandle_t handle, int m, int n, ELEMENT *, int lda,             \
      int *lwork) {                                                            \
    return answer_size(handle, fits(m, lda) && n >= 0, lwork);                 \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##geqrf(                                    \
      cusolverDnHandle_t handle, int m, int n, ELEMENT *A, int lda,            \
      ELEMENT *tau, ELEMENT *, int, int *info) {                               \
    return geqrf(handle, m, n, numbers(A), lda, numbers(tau), info);           \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##GQR##_bufferSize(                         \
      cusolverDnHandle_t handle, int m, int, int, const ELEMENT *, int lda,    \
      const ELEMENT *, int *lwork) {                                           \
    return answer_size(handle, fits(m, lda), lwork);                           \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##GQR(                                      \
      cusolverDnHandle_t handle, int m, int n, int k, ELEMENT *A, int lda,     \
      const ELEMENT *tau, ELEMENT *, int, int *info) {                         \
    return gqr(handle, m, n, k, numbers(A), lda, numbers(tau), info);          \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##MQR##_bufferSize(                         \
      cusolverDnHandle_t handle, cublasSideMode_t, cublasOperation_t, int m,   \
      int, int, const ELEMENT *, int, const ELEMENT *, const ELEMENT *,        \
      int ldc, int *lwork) {                                                   \
    return answer_size(handle, fits(m, ldc), lwork);                           \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##MQR(                                      \
      cusolverDnHandle_t handle, cublasSideMode_t side,                        \
      cublasOperation_t trans, int m, int n, int k, const ELEMENT *A, int lda, \
      const ELEMENT *tau, ELEMENT *C, int ldc, ELEMENT *, int, int *info) {    \
    return mqr(handle, side, trans, m, n, k, numbers(A), lda, numbers(tau),    \
               numbers(C), ldc, info);                                         \
  }
GPUEXEC_TYPE(S, float, orgqr, ormqr)
GPUEXEC_TYPE(D, double, orgqr, ormqr)
GPUEXEC_TYPE(C, cuComplex, ungqr, unmqr)
GPUEXEC_TYPE(Z, cuDoubleComplex, ungqr, unmqr)
// NOLINTEND(readability-identifier-naming)
