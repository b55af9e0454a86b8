//===-- emulator/cuda/libraries/cublaslt_transform.cpp - Sums of matrices -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha op(A) + beta op(B), of matrices by rows or by columns, and of
// different types.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cublaslt_numbers.h"
#include "emulator/cuda/libraries/stream.h"

using namespace gpuexec::cublaslt;
using namespace gpuexec::cuda_libraries;

namespace {

/// A matrix that is added, with its factor.
struct Part {
  const void *data;
  const Layout *layout;
  const void *factor;
  int32_t operation;
};

bool is_valid_part(const Part &part, const Layout &c) {
  if (!is_operation(cublasOperation_t(part.operation)))
    return false;
  const bool turns = part.operation != CUBLAS_OP_N;
  const Layout &layout = *part.layout;
  return is_valid(layout) && layout.count == c.count &&
         (turns ? layout.columns : layout.rows) == c.rows &&
         (turns ? layout.rows : layout.columns) == c.columns;
}

template <class T>
void add(const Part &part, int32_t scale_type, int batch,
         std::vector<T> &sums) {
  const T factor = part.factor ? number_at<T>(part.factor, scale_type, 0) : T();
  if (!part.data || factor == T())
    return;
  const auto numbers = load<T>(matrix_of(*part.layout, part.data, batch),
                               cublasOperation_t(part.operation));
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] += factor * numbers[i];
}

} // namespace

cublasStatus_t cublasLtMatrixTransform(
    cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t descriptor,
    const void *alpha, const void *a, cublasLtMatrixLayout_t layout_a,
    const void *beta, const void *b, cublasLtMatrixLayout_t layout_b, void *c,
    cublasLtMatrixLayout_t layout_c, cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!descriptor || !c || !layout_c || (a && !layout_a) || (b && !layout_b))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Transform &transform = *contents(descriptor);
  const Layout &to = *contents(layout_c);
  const Part parts[] = {{a, contents(layout_a), alpha, transform.transa},
                        {b, contents(layout_b), beta, transform.transb}};
  if (!is_valid(to))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_plain(to) || !size_of(to.type) ||
      transform.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  for (const Part &part : parts)
    if (part.data && !is_valid_part(part, to))
      return CUBLAS_STATUS_INVALID_VALUE;
    else if (part.data &&
             (!is_plain(*part.layout) || !size_of(part.layout->type)))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!wait_for(stream))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  with_sums(to.type, transform.scale_type, [&](auto number) {
    for (int batch = 0; batch < to.count; ++batch) {
      std::vector<decltype(number)> sums(size_t(to.rows) * size_t(to.columns));
      for (const Part &part : parts)
        add(part, transform.scale_type, batch, sums);
      const Matrix matrix = matrix_of(to, c, batch);
      store(sums, matrix, const_cast<void *>(matrix.data));
    }
  });
  return CUBLAS_STATUS_SUCCESS;
}
