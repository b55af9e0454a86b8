//===-- emulator/cuda/libraries/cublas_mixed.cpp - Products of mixed types ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN(readability-identifier-naming): matrices have BLAS's names.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cublas.h"
#include "emulator/cuda/libraries/numbers.h"
#include <algorithm>
#include <vector>

using namespace gpuexec::cublas;
using namespace gpuexec::cuda_libraries;

namespace {

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
  const auto a = load<T>(by_columns(p.A, p.type_a, p.transa ? p.k : p.m,
                                    p.transa ? p.m : p.k, p.lda),
                         p.transa);
  const auto b = load<T>(by_columns(p.B, p.type_b, p.transb ? p.n : p.k,
                                    p.transb ? p.k : p.n, p.ldb),
                         p.transb);
  const Matrix to = by_columns(p.C, p.type_c, p.m, p.n, p.ldc);
  std::vector<T> c(size_t(p.m) * size_t(p.n));
  if (beta != 0)
    c = load<T>(to);
  gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p.m, p.n, p.k, alpha,
       a.data(), std::max(1, p.m), b.data(), std::max(1, p.k), beta, c.data(),
       std::max(1, p.m));
  store(c, to, p.C);
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
  auto bytes = [](cudaDataType type, long long elements) {
    return elements * static_cast<long long>(size_of(type));
  };
  for (int i = 0; i < count; ++i)
    if (cublasStatus_t status = cublasGemmEx(
            handle, transa, transb, m, n, k, alpha,
            static_cast<const char *>(A) + bytes(type_a, i * stepa), type_a,
            lda, static_cast<const char *>(B) + bytes(type_b, i * stepb),
            type_b, ldb, beta,
            static_cast<char *>(C) + bytes(type_c, i * stepc), type_c, ldc,
            compute, algorithm))
      return status;
  return count < 0 ? CUBLAS_STATUS_INVALID_VALUE : begin(handle);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const __half *alpha, const __half *A, int lda,
                           const __half *B, int ldb, const __half *beta,
                           __half *C, int ldc) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, CUDA_R_16F,
                      lda, B, CUDA_R_16F, ldb, beta, C, CUDA_R_16F, ldc,
                      CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemmStridedBatched(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const __half *alpha, const __half *A, int lda,
    long long stepa, const __half *B, int ldb, long long stepb,
    const __half *beta, __half *C, int ldc, long long stepc, int count) {
  return cublasGemmStridedBatchedEx(
      handle, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda, stepa, B,
      CUDA_R_16F, ldb, stepb, beta, C, CUDA_R_16F, ldc, stepc, count,
      CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
// NOLINTEND(readability-identifier-naming)
