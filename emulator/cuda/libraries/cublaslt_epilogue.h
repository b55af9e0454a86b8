//===-- emulator/cuda/libraries/cublaslt_epilogue.h - After a product -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cublasLtMatmul() does with the numbers of a product before it stores
// them: biases, ReLU, GELU and their gradients.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUBLASLT_EPILOGUE_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUBLASLT_EPILOGUE_H

#include "emulator/cuda/libraries/cublaslt_numbers.h"

namespace gpuexec::cublaslt {

struct Problem {
  const Operation *operation;
  const Layout *a, *b, *c, *d;
  int m, n, k;
};

// The parts of a cublasLtEpilogue_t.
inline constexpr unsigned RELU = 2, BIAS = 4, RELU_GRADIENT = 8, SUM_ROWS = 16,
                          GELU = 32, GELU_GRADIENT = 64, AUX = 128, SUM_A = 256,
                          SUM_B = 512;

inline bool is_known(unsigned epilogue) {
  switch (epilogue) {
  case CUBLASLT_EPILOGUE_DEFAULT:
  case RELU:
  case RELU | AUX:
  case BIAS:
  case RELU | BIAS:
  case RELU | AUX | BIAS:
  case RELU_GRADIENT | AUX:
  case RELU_GRADIENT | AUX | SUM_ROWS:
  case GELU:
  case GELU | AUX:
  case GELU | BIAS:
  case GELU | AUX | BIAS:
  case GELU_GRADIENT | AUX:
  case GELU_GRADIENT | AUX | SUM_ROWS:
  case SUM_A:
  case SUM_B:
    return true;
  default:
    return false;
  }
}

/// sqrt(2 / pi) and the factor of the cube: GELU by a hyperbolic tangent, as
/// cuBLASLt has it.
inline constexpr double GELU_SCALE = 0.7978845608028654, GELU_CUBE = 0.044715;

template <class T> T gelu(T x) {
  return T(0.5) * x *
         (T(1) + std::tanh(T(GELU_SCALE) * (x + T(GELU_CUBE) * x * x * x)));
}
template <class T> T gelu_gradient(T x) {
  const T tanh = std::tanh(T(GELU_SCALE) * (x + T(GELU_CUBE) * x * x * x));
  return T(0.5) * (T(1) + tanh) + T(0.5) * x * (T(1) - tanh * tanh) *
                                      T(GELU_SCALE) *
                                      (T(1) + T(3 * GELU_CUBE) * x * x);
}

/// What an epilogue reads and writes beside the matrices, of one batch.
struct Extra {
  unsigned epilogue;
  char *bias;
  int32_t bias_type;
  char *aux;
  int32_t aux_type;
  int64_t aux_ld;

  Extra(const Problem &problem, int batch) {
    const Operation &operation = *problem.operation;
    auto start = [&](void *data, int64_t step, size_t size) {
      return data ? static_cast<char *>(data) + batch * step * int64_t(size)
                  : nullptr;
    };
    // A bias of 8 bit results is of the type of their factors.
    const int32_t type_of_d =
        problem.d->type == CUDA_R_8I ? CUDA_R_32F : problem.d->type;
    epilogue = operation.epilogue;
    bias_type =
        operation.bias_type == TYPE_OF_D ? type_of_d : operation.bias_type;
    bias = start(operation.bias, operation.bias_step,
                 size_of(cudaDataType(bias_type)));
    aux_type =
        operation.aux_type == TYPE_OF_D ? problem.d->type : operation.aux_type;
    const bool is_bits = epilogue & (RELU | RELU_GRADIENT);
    aux = is_bits ? start(operation.aux, operation.aux_step / 8, 1)
                  : start(operation.aux, operation.aux_step,
                          size_of(cudaDataType(aux_type)));
    aux_ld = operation.aux_ld;
  }

  bool has_memory() const {
    return (aux || !(epilogue & AUX)) &&
           (bias || !(epilogue & (BIAS | SUM_ROWS | SUM_A | SUM_B)));
  }

  /// A number of the result, after the epilogue.
  template <class T> T apply(T x, int row, int column) const {
    const int64_t place = row + column * aux_ld;
    if (epilogue & BIAS)
      x += number_at<T>(bias, bias_type, row);
    if (epilogue & RELU) {
      const bool is_positive = x > 0;
      if (epilogue & AUX)
        set_bit(place, is_positive);
      return is_positive ? x : T(0);
    }
    if (epilogue & RELU_GRADIENT)
      return aux[place / 8] >> (place % 8) & 1 ? x : T(0);
    if (epilogue & GELU) {
      if (epilogue & AUX)
        put(aux, aux_type, place, x);
      return gelu(x);
    }
    if (epilogue & GELU_GRADIENT)
      return x * gelu_gradient(number_at<T>(aux, aux_type, place));
    return x;
  }

private:
  void set_bit(int64_t place, bool value) const {
    const int bit = 1 << (place % 8);
    aux[place / 8] = char(value ? aux[place / 8] | bit : aux[place / 8] & ~bit);
  }
};

/// Writes the sums of a matrix's rows, or of its columns, as a bias.
template <class T>
void put_sums(const Extra &extra, const std::vector<T> &numbers, int rows,
              int columns, bool of_rows) {
  std::vector<T> sums(size_t(of_rows ? rows : columns));
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      sums[size_t(of_rows ? i : j)] +=
          numbers[size_t(j) * size_t(rows) + size_t(i)];
  for (size_t i = 0; i < sums.size(); ++i)
    put(extra.bias, extra.bias_type, int64_t(i), sums[i]);
}

} // namespace gpuexec::cublaslt

#endif
