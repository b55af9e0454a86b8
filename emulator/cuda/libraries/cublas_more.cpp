//===-- emulator/cuda/libraries/cublas_more.cpp - What BLAS has not -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of products, sums of matrices, products with diagonal ones, the least
// element, rotations.
// NOLINTBEGIN(readability-identifier-naming): matrices have BLAS's names.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cublas.h"
#include "emulator/cuda/libraries/numbers.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

using namespace gpuexec::cublas;
using namespace gpuexec::cuda_libraries;

namespace {

// C = alpha op(A) + beta op(B); C may be A or B where that is not transposed. A
// matrix whose factor is 0 is not read.
template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, const T *alpha,
                    const T *A, int lda, const T *beta, const T *B, int ldb,
                    T *C, int ldc) {
  if (cublasStatus_t status = begin(handle))
    return status;
  if (m < 0 || n < 0 || !is_operation(transa) || !is_operation(transb) ||
      lda < std::max(1, transa ? n : m) || ldb < std::max(1, transb ? n : m) ||
      ldc < std::max(1, m) || (A == C && (transa || lda != ldc)) ||
      (B == C && (transb || ldb != ldc)))
    return CUBLAS_STATUS_INVALID_VALUE;
  auto element = [](const T *of, int ld, cublasOperation_t trans, int i,
                    int j) {
    return trans ? conjugate(of[at(j, i, ld)], trans == CUBLAS_OP_C)
                 : of[at(i, j, ld)];
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      T sum{};
      if (*alpha != T())
        sum += *alpha * element(A, lda, transa, i, j);
      if (*beta != T())
        sum += *beta * element(B, ldb, transb, i, j);
      C[at(i, j, ldc)] = sum;
    }
  return CUBLAS_STATUS_SUCCESS;
}

/// C = diag(x) A, or A diag(x).
template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                    const T *A, int lda, const T *x, int step, T *C, int ldc) {
  if (cublasStatus_t status = begin(handle))
    return status;
  if (m < 0 || n < 0 || lda < std::max(1, m) || ldc < std::max(1, m) ||
      (side != CUBLAS_SIDE_LEFT && side != CUBLAS_SIDE_RIGHT))
    return CUBLAS_STATUS_INVALID_VALUE;
  const int length = side == CUBLAS_SIDE_LEFT ? m : n;
  const long first = step < 0 ? -long(step) * (length - 1) : 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      C[at(i, j, ldc)] =
          A[at(i, j, lda)] *
          x[first + long(side == CUBLAS_SIDE_LEFT ? i : j) * step];
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t amin(cublasHandle_t handle, int n, const T *x, int step,
                    int *result) {
  if (cublasStatus_t status = begin(handle))
    return status;
  auto size = [](T value) {
    if constexpr (IS_COMPLEX<T>)
      return std::abs(value.real()) + std::abs(value.imag());
    else
      return std::abs(value);
  };
  int least = 0;
  for (int i = 1; i < n && step > 0; ++i)
    if (size(x[size_t(i) * size_t(step)]) <
        size(x[size_t(least) * size_t(step)]))
      least = i;
  *result = n > 0 && step > 0 ? least + 1 : 0;
  return CUBLAS_STATUS_SUCCESS;
}

/// x and y become c x + s y and c y - conj(s) x.
template <class T>
cublasStatus_t rot(cublasHandle_t handle, int n, T *x, int stepx, T *y,
                   int stepy, typename T::value_type c, T s) {
  if (cublasStatus_t status = begin(handle))
    return status;
  if (stepx < 0)
    x -= long(stepx) * (n - 1);
  if (stepy < 0)
    y -= long(stepy) * (n - 1);
  for (int i = 0; i < n; ++i) {
    T &of_x = x[long(i) * stepx], &of_y = y[long(i) * stepy];
    const T before = of_x;
    of_x = c * before + s * of_y;
    of_y = c * of_y - std::conj(s) * before;
  }
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

#define GPUEXEC_TYPE(TYPE, LOWER, ELEMENT)                                     \
  cublasStatus_t cublasI##LOWER##amin_v2(                                      \
      cublasHandle_t handle, int n, const ELEMENT *x, int step, int *result) { \
    return amin(handle, n, numbers(x), step, result);                          \
  }                                                                            \
  cublasStatus_t cublas##TYPE##gemmBatched(                                    \
      cublasHandle_t handle, cublasOperation_t transa,                         \
      cublasOperation_t transb, int m, int n, int k, const ELEMENT *alpha,     \
      const ELEMENT *const A[], int lda, const ELEMENT *const B[], int ldb,    \
      const ELEMENT *beta, ELEMENT *const C[], int ldc, int count) {           \
    if (cublasStatus_t status = begin(handle))                                 \
      return status;                                                           \
    for (int i = 0; i < count; ++i)                                            \
      if (cublasStatus_t status =                                              \
              cublas##TYPE##gemm_v2(handle, transa, transb, m, n, k, alpha,    \
                                    A[i], lda, B[i], ldb, beta, C[i], ldc))    \
        return status;                                                         \
    return count < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;    \
  }                                                                            \
  cublasStatus_t cublas##TYPE##gemmStridedBatched(                             \
      cublasHandle_t handle, cublasOperation_t transa,                         \
      cublasOperation_t transb, int m, int n, int k, const ELEMENT *alpha,     \
      const ELEMENT *A, int lda, long long stepa, const ELEMENT *B, int ldb,   \
      long long stepb, const ELEMENT *beta, ELEMENT *C, int ldc,               \
      long long stepc, int count) {                                            \
    for (int i = 0; i < count; ++i)                                            \
      if (cublasStatus_t status = cublas##TYPE##gemm_v2(                       \
              handle, transa, transb, m, n, k, alpha, A + i * stepa, lda,      \
              B + i * stepb, ldb, beta, C + i * stepc, ldc))                   \
        return status;                                                         \
    return count < 0 ? CUBLAS_STATUS_INVALID_VALUE : begin(handle);            \
  }                                                                            \
  cublasStatus_t cublas##TYPE##geam(                                           \
      cublasHandle_t handle, cublasOperation_t transa,                         \
      cublasOperation_t transb, int m, int n, const ELEMENT *alpha,            \
      const ELEMENT *A, int lda, const ELEMENT *beta, const ELEMENT *B,        \
      int ldb, ELEMENT *C, int ldc) {                                          \
    return geam(handle, transa, transb, m, n, numbers(alpha), numbers(A), lda, \
                numbers(beta), numbers(B), ldb, numbers(C), ldc);              \
  }                                                                            \
  cublasStatus_t cublas##TYPE##dgmm(                                           \
      cublasHandle_t handle, cublasSideMode_t side, int m, int n,              \
      const ELEMENT *A, int lda, const ELEMENT *x, int step, ELEMENT *C,       \
      int ldc) {                                                               \
    return dgmm(handle, side, m, n, numbers(A), lda, numbers(x), step,         \
                numbers(C), ldc);                                              \
  }
GPUEXEC_TYPE(S, s, float)
GPUEXEC_TYPE(D, d, double)
GPUEXEC_TYPE(C, c, cuComplex)
GPUEXEC_TYPE(Z, z, cuDoubleComplex)

#define GPUEXEC_ROTATION(TYPE, LOWER, NUMBER)                                  \
  cublasStatus_t cublas##TYPE##rotg_v2(cublasHandle_t handle, NUMBER *a,       \
                                       NUMBER *b, NUMBER *c, NUMBER *s) {      \
    if (cublasStatus_t status = begin(handle))                                 \
      return status;                                                           \
    GPUEXEC_CBLAS(cblas_##LOWER##rotg)(a, b, c, s);                            \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##TYPE##rotmg_v2(cublasHandle_t handle, NUMBER *d1,     \
                                        NUMBER *d2, NUMBER *x1,                \
                                        const NUMBER *y1, NUMBER *to) {        \
    if (cublasStatus_t status = begin(handle))                                 \
      return status;                                                           \
    GPUEXEC_CBLAS(cblas_##LOWER##rotmg)(d1, d2, x1, *y1, to);                  \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##TYPE##rotm_v2(cublasHandle_t handle, int n,           \
                                       NUMBER *x, int stepx, NUMBER *y,        \
                                       int stepy, const NUMBER *parameters) {  \
    if (cublasStatus_t status = begin(handle))                                 \
      return status;                                                           \
    GPUEXEC_CBLAS(cblas_##LOWER##rotm)                                         \
    (n, x, stepx, y, stepy, const_cast<NUMBER *>(parameters));                 \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }
GPUEXEC_ROTATION(S, s, float)
GPUEXEC_ROTATION(D, d, double)

#define GPUEXEC_COMPLEX_ROTATION(TYPE, LOWER, ELEMENT, NUMBER)                 \
  cublasStatus_t cublas##TYPE##rotg_v2(cublasHandle_t handle, ELEMENT *a,      \
                                       ELEMENT *b, NUMBER *c, ELEMENT *s) {    \
    if (cublasStatus_t status = begin(handle))                                 \
      return status;                                                           \
    GPUEXEC_CBLAS(cblas_##LOWER##rotg)(a, b, c, s);                            \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##TYPE##rot_v2(                                         \
      cublasHandle_t handle, int n, ELEMENT *x, int stepx, ELEMENT *y,         \
      int stepy, const NUMBER *c, const ELEMENT *s) {                          \
    return rot(handle, n, numbers(x), stepx, numbers(y), stepy, *c,            \
               *numbers(s));                                                   \
  }
GPUEXEC_COMPLEX_ROTATION(C, c, cuComplex, float)
GPUEXEC_COMPLEX_ROTATION(Z, z, cuDoubleComplex, double)
// NOLINTEND(readability-identifier-naming)
