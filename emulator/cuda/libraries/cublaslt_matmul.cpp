//===-- emulator/cuda/libraries/cublaslt_matmul.cpp - Products of cuBLASLt ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// D = epilogue(alpha op(A) op(B) + beta C), by the host's BLAS in float or
// double; what the epilogue adds is computed in the same type.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cublaslt_epilogue.h"
#include "emulator/cuda/libraries/host_blas.h"
#include "emulator/cuda/libraries/stream.h"
#include <initializer_list>

using namespace gpuexec::cublaslt;
using namespace gpuexec::cuda_libraries;

namespace {

//===-- Which products there are ------------------------------------------===//

bool is_of(cudaDataType type, std::initializer_list<cudaDataType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// The combinations of types that NVIDIA's documentation has, without those of
/// 8 bit floats and of 4 bits.
bool has_types(int32_t compute, int32_t scale, cudaDataType a, cudaDataType b,
               cudaDataType c, cudaDataType d) {
  if (a != b || c != d)
    return false;
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return scale == CUDA_R_16F && a == CUDA_R_16F && d == CUDA_R_16F;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return a == CUDA_R_8I && ((scale == CUDA_R_32I && d == CUDA_R_32I) ||
                              (scale == CUDA_R_32F && d == CUDA_R_8I));
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return is_of(a, {CUDA_R_64F, CUDA_C_64F}) && d == a && scale == a;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    if (a == CUDA_C_32F)
      return scale == a && d == a;
    return scale == CUDA_R_32F &&
           ((is_of(a, {CUDA_R_16F, CUDA_R_16BF}) && d == a) ||
            (is_of(a, {CUDA_R_16F, CUDA_R_16BF, CUDA_R_8I, CUDA_R_32F}) &&
             d == CUDA_R_32F));
  default:
    return false;
  }
}

/// Whether matrices with these shapes have a product.
bool fit(const Operation &operation, const Layout &a, const Layout &b,
         const Layout &c, const Layout &d) {
  const bool ta = operation.transa != CUBLAS_OP_N,
             tb = operation.transb != CUBLAS_OP_N;
  return (ta ? a.columns : a.rows) == d.rows &&
         (ta ? a.rows : a.columns) == (tb ? b.columns : b.rows) &&
         (tb ? b.rows : b.columns) == d.columns && c.rows == d.rows &&
         c.columns == d.columns && a.count == d.count && b.count == d.count &&
         c.count == d.count;
}

/// The auxiliary matrix: bits for ReLU, numbers for GELU.
bool has_aux_shape(const Operation &operation, int m) {
  if (!(operation.epilogue & AUX))
    return true;
  const int unit = operation.epilogue & (RELU | RELU_GRADIENT) ? 128 : 8;
  return operation.aux_ld >= m && operation.aux_ld % unit == 0;
}

/// Fills `problem`; what it then holds can be computed.
cublasStatus_t check(cublasLtMatmulDesc_t descriptor, cublasLtMatrixLayout_t a,
                     cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                     cublasLtMatrixLayout_t d, Problem &problem) {
  if (!descriptor || !a || !b || !c || !d)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Operation &operation = *contents(descriptor);
  const Layout &la = *contents(a), &lb = *contents(b), &lc = *contents(c),
               &ld = *contents(d);
  if (!is_operation(cublasOperation_t(operation.transa)) ||
      !is_operation(cublasOperation_t(operation.transb)) ||
      !fit(operation, la, lb, lc, ld))
    return CUBLAS_STATUS_INVALID_VALUE;
  for (const Layout *layout : {&la, &lb, &lc, &ld})
    if (!is_valid(*layout))
      return CUBLAS_STATUS_INVALID_VALUE;
    else if (!is_plain(*layout))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool is_plain_type = is_of(
      ld.type, {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F, CUDA_R_8I});
  if (operation.transc != CUBLAS_OP_N ||
      operation.fill_mode != CUBLAS_FILL_MODE_FULL ||
      operation.pointer_mode < CUBLASLT_POINTER_MODE_HOST ||
      operation.pointer_mode >
          CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST ||
      !has_types(operation.compute, operation.scale_type, la.type, lb.type,
                 lc.type, ld.type) ||
      !is_known(operation.epilogue) ||
      (operation.epilogue != CUBLASLT_EPILOGUE_DEFAULT && !is_plain_type) ||
      !has_aux_shape(operation, int(ld.rows)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  problem = {&operation,
             &la,
             &lb,
             &lc,
             &ld,
             int(ld.rows),
             int(ld.columns),
             int(operation.transa == CUBLAS_OP_N ? la.columns : la.rows)};
  return CUBLAS_STATUS_SUCCESS;
}

//===-- Numbers -----------------------------------------------------------===//

/// alpha or beta: one number, or one for each row.
class Factor {
public:
  Factor(const void *data, int32_t type, bool is_vector)
      : data(data), type(type), is_vector(is_vector) {}
  template <class T> T of_row(int row) const {
    return data ? number_at<T>(data, type, is_vector ? row : 0) : T();
  }
  template <class T> bool is_zero(int rows) const {
    for (int i = 0; i < (is_vector ? rows : 1); ++i)
      if (of_row<T>(i) != T())
        return false;
    return true;
  }

private:
  const void *data;
  int32_t type;
  bool is_vector;
};

void gemm(int m, int n, int k, const float *a, const float *b, float *c) {
  GPUEXEC_CBLAS(cblas_sgemm)
  (CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, std::max(1, m), b,
   std::max(1, k), 0, c, std::max(1, m));
}
void gemm(int m, int n, int k, const double *a, const double *b, double *c) {
  GPUEXEC_CBLAS(cblas_dgemm)
  (CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, std::max(1, m), b,
   std::max(1, k), 0, c, std::max(1, m));
}
void gemm(int m, int n, int k, const std::complex<float> *a,
          const std::complex<float> *b, std::complex<float> *c) {
  const std::complex<float> one = 1, zero = 0;
  GPUEXEC_CBLAS(cblas_cgemm)
  (CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, &one, a, std::max(1, m),
   b, std::max(1, k), &zero, c, std::max(1, m));
}
void gemm(int m, int n, int k, const std::complex<double> *a,
          const std::complex<double> *b, std::complex<double> *c) {
  const std::complex<double> one = 1, zero = 0;
  GPUEXEC_CBLAS(cblas_zgemm)
  (CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, &one, a, std::max(1, m),
   b, std::max(1, k), &zero, c, std::max(1, m));
}

//===-- A product ---------------------------------------------------------===//

struct Arrays {
  const void *a, *b, *c;
  void *d;
};

template <class T>
void multiply(const Problem &p, const Arrays &arrays, const Factor &alpha,
              const Factor &beta, int batch) {
  const int m = p.m, n = p.n;
  const Extra extra(p, batch);
  std::vector<T> sums(size_t(m) * size_t(n)), a, b, c;
  const bool has_product = !alpha.is_zero<T>(m);
  if (has_product || extra.epilogue == SUM_A)
    a = load<T>(matrix_of(*p.a, arrays.a, batch),
                cublasOperation_t(p.operation->transa));
  if (has_product || extra.epilogue == SUM_B)
    b = load<T>(matrix_of(*p.b, arrays.b, batch),
                cublasOperation_t(p.operation->transb));
  if (has_product)
    gemm(m, n, p.k, a.data(), b.data(), sums.data());
  const bool has_c = !beta.is_zero<T>(m);
  if (has_c)
    c = load<T>(matrix_of(*p.c, arrays.c, batch));
  for (int i = 0; i < m; ++i) {
    const T of_sum = alpha.of_row<T>(i), of_c = beta.of_row<T>(i);
    for (int j = 0; j < n; ++j) {
      const size_t place = size_t(j) * size_t(m) + size_t(i);
      T x = has_product ? of_sum * sums[place] : T();
      if (has_c)
        x += of_c * c[place];
      if constexpr (IS_COMPLEX<T>)
        sums[place] = x; // which have no epilogue
      else
        sums[place] = extra.apply(x, i, j);
    }
  }
  const Matrix d = matrix_of(*p.d, arrays.d, batch);
  store(sums, d, const_cast<void *>(d.data));
  if (extra.epilogue & SUM_ROWS)
    put_sums(extra, sums, m, n, true);
  if (extra.epilogue == SUM_A)
    put_sums(extra, a, m, p.k, true);
  if (extra.epilogue == SUM_B)
    put_sums(extra, b, p.k, n, false);
}

/// The factors of a batch.
Factor alpha_of(const Operation &operation, const void *alpha, int batch) {
  const bool is_vector =
      operation.pointer_mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  const int64_t step = is_vector ? operation.alpha_step : 0;
  const size_t size = size_of(cudaDataType(operation.scale_type));
  return {static_cast<const char *>(alpha) + batch * step * int64_t(size),
          operation.scale_type, is_vector};
}
Factor beta_of(const Operation &operation, const void *beta) {
  const bool is_zero = operation.pointer_mode ==
                       CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
  return {is_zero ? nullptr : beta, operation.scale_type,
          operation.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR};
}

constexpr cublasLtMatmulAlgo_t THE_ALGORITHM = {};

cublasLtMatmulHeuristicResult_t result_with(cublasStatus_t status) {
  cublasLtMatmulHeuristicResult_t result = {};
  result.algo = THE_ALGORITHM;
  result.state = status;
  result.wavesCount = 1;
  return result;
}

} // namespace

cublasStatus_t cublasLtMatmul(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void *alpha,
    const void *a, cublasLtMatrixLayout_t layout_a, const void *b,
    cublasLtMatrixLayout_t layout_b, const void *beta, const void *c,
    cublasLtMatrixLayout_t layout_c, void *d, cublasLtMatrixLayout_t layout_d,
    const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream) {
  Problem problem;
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (cublasStatus_t status =
          check(operation, layout_a, layout_b, layout_c, layout_d, problem))
    return status;
  if (problem.m == 0 || problem.n == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (!alpha || !a || !b || !d || !Extra(problem, 0).has_memory())
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!wait_for(stream))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Factor factor_of_c = beta_of(*problem.operation, beta);
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  with_sums(problem.a->type, problem.operation->scale_type, [&](auto number) {
    using T = decltype(number);
    if (!c && !factor_of_c.is_zero<T>(problem.m)) {
      status = CUBLAS_STATUS_INVALID_VALUE;
      return;
    }
    for (int batch = 0; batch < problem.d->count; ++batch)
      multiply<T>(problem, {a, b, c, d},
                  alpha_of(*problem.operation, alpha, batch), factor_of_c,
                  batch);
  });
  return status;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted,
    cublasLtMatmulHeuristicResult_t results[], int *found) {
  Problem problem;
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!preference || wanted < 1 || !results || !found)
    return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  if (cublasStatus_t status = check(operation, a, b, c, d, problem))
    return status;
  results[0] = result_with(CUBLAS_STATUS_SUCCESS);
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                         cudaDataType scale_type, cudaDataType type_a,
                         cudaDataType type_b, cudaDataType type_c,
                         cudaDataType type_d, int wanted, int ids[],
                         int *found) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wanted < 1 || !ids || !found)
    return CUBLAS_STATUS_INVALID_VALUE;
  *found = has_types(compute, scale_type, type_a, type_b, type_c, type_d);
  ids[0] = 0;
  return *found ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle,
                                      cublasComputeType_t compute,
                                      cudaDataType scale_type,
                                      cudaDataType type_a, cudaDataType type_b,
                                      cudaDataType type_c, cudaDataType type_d,
                                      int id, cublasLtMatmulAlgo_t *algo) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (id != 0 || !algo)
    return CUBLAS_STATUS_INVALID_VALUE;
  *algo = THE_ALGORITHM;
  return has_types(compute, scale_type, type_a, type_b, type_c, type_d)
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t
cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                        cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                        cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                        const cublasLtMatmulAlgo_t *algo,
                        cublasLtMatmulHeuristicResult_t *result) {
  Problem problem;
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!algo || !result)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cublasStatus_t status = check(operation, a, b, c, d, problem);
  *result = result_with(status);
  return status;
}
