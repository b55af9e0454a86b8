//===-- emulator/cuda/libraries/cublas_more.cpp - What BLAS has not -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of products, products of mixed types, sums of matrices, products
// with diagonal ones, the least element.
// NOLINTBEGIN(readability-identifier-naming): matrices have BLAS's names.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cublas.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

using namespace gpuexec::cublas;

namespace {

template <class T> constexpr bool IS_COMPLEX = false;
template <class T> constexpr bool IS_COMPLEX<std::complex<T>> = true;

/// A type of the interface as one that can be computed with.
template <class T> struct Number { using Type = T; };
template <> struct Number<cuComplex> { using Type = std::complex<float>; };
template <> struct Number<cuDoubleComplex> {
  using Type = std::complex<double>;
};
template <class T> const auto *numbers(const T *of) {
  return reinterpret_cast<const typename Number<T>::Type *>(of);
}
template <class T> auto *numbers(T *of) {
  return reinterpret_cast<typename Number<T>::Type *>(of);
}

template <class T> T conjugate(T value, bool really) {
  if constexpr (IS_COMPLEX<T>)
    return really ? std::conj(value) : value;
  return value;
}

bool is_operation(cublasOperation_t operation) {
  return operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C;
}

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

//===-- Products of mixed types -------------------------------------------===//

namespace {

struct Bfloat16 {
  uint16_t bits;
  template <class T> explicit operator T() const {
    const uint32_t wide = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return T(value);
  }
  static Bfloat16 from(float value) {
    uint32_t wide;
    memcpy(&wide, &value, sizeof wide);
    if (value != value)
      return {uint16_t(wide >> 16 | 0x40)};
    return {uint16_t((wide + 0x7fff + (wide >> 16 & 1)) >> 16)};
  }
};

/// The numbers of a matrix by columns, as T.
template <class T, class From>
std::vector<T> converted(const void *matrix, int rows, int columns, int ld) {
  std::vector<T> to(size_t(rows) * size_t(columns));
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      to[at(i, j, rows)] = T(static_cast<const From *>(matrix)[at(i, j, ld)]);
  return to;
}
template <class T>
std::vector<T> load(const void *matrix, cudaDataType type, int rows,
                    int columns, int ld) {
  switch (type) {
  case CUDA_R_16F:
    return converted<T, _Float16>(matrix, rows, columns, ld);
  case CUDA_R_16BF:
    return converted<T, Bfloat16>(matrix, rows, columns, ld);
  case CUDA_R_8I:
    return converted<T, int8_t>(matrix, rows, columns, ld);
  case CUDA_R_32I:
    return converted<T, int32_t>(matrix, rows, columns, ld);
  default:
    return converted<T, float>(matrix, rows, columns, ld);
  }
}
template <class T>
void store(const std::vector<T> &from, void *matrix, cudaDataType type,
           int rows, int columns, int ld) {
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      const T value = from[at(i, j, rows)];
      const size_t place = at(i, j, ld);
      if (type == CUDA_R_16F)
        static_cast<_Float16 *>(matrix)[place] = _Float16(value);
      else if (type == CUDA_R_16BF)
        static_cast<Bfloat16 *>(matrix)[place] = Bfloat16::from(float(value));
      else if (type == CUDA_R_32I)
        static_cast<int32_t *>(matrix)[place] = int32_t(int64_t(value));
      else
        static_cast<float *>(matrix)[place] = float(value);
    }
}

struct Product {
  cublasOperation_t transa, transb;
  int m, n, k;
  const void *A;
  cudaDataType type_a;
  int lda;
  const void *B;
  cudaDataType type_b;
  int ldb;
  void *C;
  cudaDataType type_c;
  int ldc;
};

/// By numbers of type T, whose product is `gemm`.
template <class T, class Gemm>
void multiply(const Product &p, T alpha, T beta, Gemm gemm) {
  const int rows_a = p.transa ? p.k : p.m, rows_b = p.transb ? p.n : p.k;
  const auto a = load<T>(p.A, p.type_a, rows_a, p.transa ? p.m : p.k, p.lda);
  const auto b = load<T>(p.B, p.type_b, rows_b, p.transb ? p.k : p.n, p.ldb);
  std::vector<T> c(size_t(p.m) * size_t(p.n));
  if (beta != 0)
    c = load<T>(p.C, p.type_c, p.m, p.n, p.ldc);
  gemm(CblasColMajor, CBLAS_TRANSPOSE(p.transa + 111),
       CBLAS_TRANSPOSE(p.transb + 111), p.m, p.n, p.k, alpha, a.data(),
       std::max(1, rows_a), b.data(), std::max(1, rows_b), beta, c.data(),
       std::max(1, p.m));
  store(c, p.C, p.type_c, p.m, p.n, p.ldc);
}

bool is_valid(const Product &p) {
  return is_operation(p.transa) && is_operation(p.transb) && p.m >= 0 &&
         p.n >= 0 && p.k >= 0 && p.lda >= std::max(1, p.transa ? p.k : p.m) &&
         p.ldb >= std::max(1, p.transb ? p.n : p.k) &&
         p.ldc >= std::max(1, p.m);
}

bool is_small_float(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}

/// The types of a product whose sums are float (compute: 32 bits) or half.
bool has_float_sums(const Product &p, cublasComputeType_t compute) {
  if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC)
    return p.type_a == CUDA_R_16F && p.type_b == p.type_a &&
           p.type_c == p.type_a;
  if (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_32I ||
      compute == CUBLAS_COMPUTE_64F_PEDANTIC ||
      compute == CUBLAS_COMPUTE_32I_PEDANTIC)
    return false;
  return p.type_a == p.type_b &&
         ((is_small_float(p.type_a) &&
           (p.type_c == p.type_a || p.type_c == CUDA_R_32F)) ||
          (p.type_a == CUDA_R_8I && p.type_c == CUDA_R_32F) ||
          (p.type_a == CUDA_R_32F && p.type_c == CUDA_R_32F));
}

} // namespace

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k,
                            const void *alpha, const void *A,
                            cudaDataType type_a, int lda, const void *B,
                            cudaDataType type_b, int ldb, const void *beta,
                            void *C, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (cublasStatus_t status = begin(handle))
    return status;
  const Product product{transa, transb, m,      n,   k, A,      type_a,
                        lda,    B,      type_b, ldb, C, type_c, ldc};
  if (!is_valid(product))
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool is_one_type = type_a == type_b && type_b == type_c;
#define GPUEXEC_GEMM(TYPE, ELEMENT)                                            \
  cublas##TYPE##gemm_v2(                                                       \
      handle, transa, transb, m, n, k, static_cast<const ELEMENT *>(alpha),    \
      static_cast<const ELEMENT *>(A), lda, static_cast<const ELEMENT *>(B),   \
      ldb, static_cast<const ELEMENT *>(beta), static_cast<ELEMENT *>(C), ldc)
  if (is_one_type && type_a == CUDA_R_64F)
    return GPUEXEC_GEMM(D, double);
  if (is_one_type && type_a == CUDA_C_32F)
    return GPUEXEC_GEMM(C, cuComplex);
  if (is_one_type && type_a == CUDA_C_64F)
    return GPUEXEC_GEMM(Z, cuDoubleComplex);
  if ((compute == CUBLAS_COMPUTE_32I ||
       compute == CUBLAS_COMPUTE_32I_PEDANTIC) &&
      type_a == CUDA_R_8I && type_b == CUDA_R_8I && type_c == CUDA_R_32I) {
    // Whole numbers of this size are exact as double.
    multiply<double>(product, *static_cast<const int32_t *>(alpha),
                     *static_cast<const int32_t *>(beta),
                     GPUEXEC_CBLAS(cblas_dgemm));
    return CUBLAS_STATUS_SUCCESS;
  }
  if (!has_float_sums(product, compute))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (type_a == CUDA_R_32F)
    return GPUEXEC_GEMM(S, float);
  const bool is_half =
      compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  auto factor = [=](const void *of) {
    return is_half ? float(*static_cast<const _Float16 *>(of))
                   : *static_cast<const float *>(of);
  };
  multiply<float>(product, factor(alpha), factor(beta),
                  GPUEXEC_CBLAS(cblas_sgemm));
  return CUBLAS_STATUS_SUCCESS;
#undef GPUEXEC_GEMM
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k,
                             const float *alpha, const void *A,
                             cudaDataType type_a, int lda, const void *B,
                             cudaDataType type_b, int ldb, const float *beta,
                             void *C, cudaDataType type_c, int ldc) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, type_a, lda, B,
                      type_b, ldb, beta, C, type_c, ldc, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const void *alpha, const void *A, cudaDataType type_a,
    int lda, long long stepa, const void *B, cudaDataType type_b, int ldb,
    long long stepb, const void *beta, void *C, cudaDataType type_c, int ldc,
    long long stepc, int count, cublasComputeType_t compute,
    cublasGemmAlgo_t algorithm) {
  auto size_of = [](cudaDataType type) -> long long {
    switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 4;
    }
  };
  for (int i = 0; i < count; ++i)
    if (cublasStatus_t status = cublasGemmEx(
            handle, transa, transb, m, n, k, alpha,
            static_cast<const char *>(A) + i * stepa * size_of(type_a), type_a,
            lda, static_cast<const char *>(B) + i * stepb * size_of(type_b),
            type_b, ldb, beta,
            static_cast<char *>(C) + i * stepc * size_of(type_c), type_c, ldc,
            compute, algorithm))
      return status;
  return count < 0 ? CUBLAS_STATUS_INVALID_VALUE : begin(handle);
}
// NOLINTEND(readability-identifier-naming)
