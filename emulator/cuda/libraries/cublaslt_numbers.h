//===-- emulator/cuda/libraries/cublaslt_numbers.h - Matrices of cuBLASLt -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What products and sums of matrices with layouts share.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUBLASLT_NUMBERS_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUBLASLT_NUMBERS_H

#include "emulator/cuda/libraries/cublaslt.h"
#include "emulator/cuda/libraries/numbers.h"
#include <climits>

namespace gpuexec::cublaslt {

using namespace gpuexec::cuda_libraries;

inline bool is_valid(const Layout &layout) {
  const uint64_t least =
      layout.order == CUBLASLT_ORDER_ROW ? layout.columns : layout.rows;
  return layout.ld >= 0 && uint64_t(layout.ld) >= least && layout.count >= 1;
}
inline bool is_plain(const Layout &layout) {
  return (layout.order == CUBLASLT_ORDER_COL ||
          layout.order == CUBLASLT_ORDER_ROW) &&
         layout.rows <= INT_MAX && layout.columns <= INT_MAX;
}

/// The matrix of a batch.
inline Matrix matrix_of(const Layout &layout, const void *data, int batch) {
  const bool by_rows = layout.order == CUBLASLT_ORDER_ROW;
  return {static_cast<const char *>(data) + int64_t(batch) * layout.batch_step *
                                                int64_t(size_of(layout.type)),
          layout.type,
          int(layout.rows),
          int(layout.columns),
          by_rows ? layout.ld : 1,
          by_rows ? 1 : layout.ld};
}

template <class T> T number_at(const void *data, int32_t type, int64_t place) {
  T value{};
  with_type(cudaDataType(type), [&](auto number) {
    value = to_number<T>(static_cast<const decltype(number) *>(data)[place]);
  });
  return value;
}
template <class T> void put(void *data, int32_t type, int64_t place, T value) {
  with_type(cudaDataType(type), [&](auto number) {
    static_cast<decltype(number) *>(data)[place] =
        from_number<decltype(number)>(value);
  });
}

/// Calls `function` with a number of the type that the host computes in.
template <class Function>
void with_sums(cudaDataType type, int32_t scale_type, Function function) {
  if (type == CUDA_R_8I || scale_type == CUDA_R_32I || scale_type == CUDA_R_64F)
    function(double()); // whole numbers of this size are exact
  else if (scale_type == CUDA_C_32F)
    function(std::complex<float>());
  else if (scale_type == CUDA_C_64F)
    function(std::complex<double>());
  else
    function(float());
}

} // namespace gpuexec::cublaslt

#endif
