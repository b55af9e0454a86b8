//===-- emulator/cuda/libraries/cublaslt.h - Descriptors of cuBLASLt -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the opaque descriptors of cublasLt.h hold. A program may have them on
// its stack.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUBLASLT_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUBLASLT_H

#pragma GCC visibility push(default)
#include "toolchain/cuda/include/cublasLt.h"
#pragma GCC visibility pop

struct cublasLtContext {};

namespace gpuexec::cublaslt {

/// An attribute of a data type that has not been set: the output's type.
inline constexpr int32_t TYPE_OF_D = -1;

struct Layout {
  cudaDataType type = CUDA_R_32F;
  int32_t order = CUBLASLT_ORDER_COL;
  uint64_t rows = 0, columns = 0;
  int64_t ld = 0;
  int32_t count = 1;
  int64_t batch_step = 0; // in elements
};
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));

/// Of a product. Strides are in elements.
struct Operation {
  int32_t compute = CUBLAS_COMPUTE_32F, scale_type = CUDA_R_32F;
  int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  int32_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N, transc = CUBLAS_OP_N;
  int32_t fill_mode = CUBLAS_FILL_MODE_FULL;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void *bias = nullptr;
  int64_t bias_step = 0;
  int32_t bias_type = TYPE_OF_D;
  int32_t aux_type = TYPE_OF_D;
  void *aux = nullptr;
  int64_t aux_ld = 0, aux_step = 0;
  int64_t alpha_step = 0;
  int32_t sm_count = 0;  // has no effect
  int8_t fast_accum = 0; // has no effect on the types that there are
};
static_assert(sizeof(Operation) <= sizeof(cublasLtMatmulDescOpaque_t));

/// None of these has an effect: there is one algorithm.
struct Preference {
  uint32_t search_mode = CUBLASLT_SEARCH_BEST_FIT;
  uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  uint64_t workspace = 0;
  uint32_t alignment_a = 256, alignment_b = 256, alignment_c = 256,
           alignment_d = 256;
  float waves = 0;
  uint64_t implementations = ~uint64_t();
};
static_assert(sizeof(Preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));

struct Transform {
  int32_t scale_type = CUDA_R_32F;
  int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  int32_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
};
static_assert(sizeof(Transform) <= sizeof(cublasLtMatrixTransformDescOpaque_t));

inline const Layout *contents(cublasLtMatrixLayout_t layout) {
  return reinterpret_cast<const Layout *>(layout);
}
inline const Operation *contents(cublasLtMatmulDesc_t operation) {
  return reinterpret_cast<const Operation *>(operation);
}
inline const Transform *contents(cublasLtMatrixTransformDesc_t operation) {
  return reinterpret_cast<const Transform *>(operation);
}

} // namespace gpuexec::cublaslt

#endif
