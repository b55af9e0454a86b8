//===-- emulator/cuda/libraries/numbers.h - Elements of matrices -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of cudaDataType as types of C++, and matrices of them as matrices
// of what the host computes with.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_NUMBERS_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_NUMBERS_H

#include "toolchain/cuda/include/cublas_api.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace gpuexec::cuda_libraries {

template <class T> inline constexpr bool IS_COMPLEX = false;
template <class T> inline constexpr bool IS_COMPLEX<std::complex<T>> = true;

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

inline bool is_operation(cublasOperation_t operation) {
  return operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C;
}

struct Bfloat16 {
  uint16_t bits;
  explicit operator float() const {
    const uint32_t wide = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
  }
  static Bfloat16 from(float value) {
    uint32_t wide;
    memcpy(&wide, &value, sizeof wide);
    if (value != value)
      return {uint16_t(wide >> 16 | 0x40)};
    return {uint16_t((wide + 0x7fff + (wide >> 16 & 1)) >> 16)};
  }
};

/// Calls `function` with a value of the type's. False: no type of these.
template <class Function> bool with_type(cudaDataType type, Function function) {
  switch (type) {
  case CUDA_R_16F:
    function(_Float16());
    return true;
  case CUDA_R_16BF:
    function(Bfloat16());
    return true;
  case CUDA_R_32F:
    function(float());
    return true;
  case CUDA_R_64F:
    function(double());
    return true;
  case CUDA_R_8I:
    function(int8_t());
    return true;
  case CUDA_R_32I:
    function(int32_t());
    return true;
  case CUDA_C_32F:
    function(std::complex<float>());
    return true;
  case CUDA_C_64F:
    function(std::complex<double>());
    return true;
  default:
    return false;
  }
}

/// The bytes of a number; 0: none of with_type()'s.
inline size_t size_of(cudaDataType type) {
  size_t size = 0;
  with_type(type, [&](auto number) { size = sizeof number; });
  return size;
}

/// A number of memory as T. The real part of a complex one, where T is real.
template <class T, class From> T to_number(From value) {
  if constexpr (IS_COMPLEX<From> && !IS_COMPLEX<T>)
    return T(value.real());
  else if constexpr (IS_COMPLEX<From>)
    return T(typename T::value_type(value.real()),
             typename T::value_type(value.imag()));
  else if constexpr (std::is_same_v<From, Bfloat16>)
    return T(float(value));
  else if constexpr (IS_COMPLEX<T>)
    return T(typename T::value_type(value));
  else
    return T(value);
}

/// A result as a number of memory. Integers of 32 bits wrap, those of 8 bits
/// are rounded and saturated.
template <class To, class T> To from_number(T value) {
  if constexpr (IS_COMPLEX<T> && !IS_COMPLEX<To>)
    return from_number<To>(value.real());
  else if constexpr (std::is_same_v<To, Bfloat16>)
    return Bfloat16::from(float(value));
  else if constexpr (std::is_same_v<To, int32_t>)
    return int32_t(int64_t(value));
  else if constexpr (std::is_same_v<To, int8_t>)
    return value == value
               ? int8_t(std::clamp<T>(std::nearbyint(value), -128, 127))
               : int8_t(0);
  else
    return to_number<To>(value);
}

/// A matrix in memory. Steps are in elements: of a matrix by columns the one
/// from row to row is 1.
struct Matrix {
  const void *data;
  cudaDataType type;
  int rows, columns;
  int64_t row_step, column_step;
};
inline Matrix by_columns(const void *data, cudaDataType type, int rows,
                         int columns, int ld) {
  return {data, type, rows, columns, 1, ld};
}

/// The numbers of op(matrix), by columns without gaps.
template <class T>
std::vector<T> load(const Matrix &matrix,
                    cublasOperation_t operation = CUBLAS_OP_N) {
  std::vector<T> to(size_t(matrix.rows) * size_t(matrix.columns));
  const bool turns = operation != CUBLAS_OP_N;
  const int64_t row_step = turns ? matrix.column_step : matrix.row_step,
                column_step = turns ? matrix.row_step : matrix.column_step;
  const int rows = turns ? matrix.columns : matrix.rows,
            columns = turns ? matrix.rows : matrix.columns;
  with_type(matrix.type, [&](auto number) {
    const auto *from = static_cast<const decltype(number) *>(matrix.data);
    for (int64_t j = 0, place = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i, ++place)
        to[size_t(place)] =
            conjugate(to_number<T>(from[i * row_step + j * column_step]),
                      operation == CUBLAS_OP_C);
  });
  return to;
}

/// Writes numbers that are by columns without gaps to `matrix`, whose data is
/// `to`.
template <class T>
void store(const std::vector<T> &numbers, const Matrix &matrix, void *to) {
  with_type(matrix.type, [&](auto number) {
    auto *place = static_cast<decltype(number) *>(to);
    const T *from = numbers.data();
    for (int64_t j = 0; j < matrix.columns; ++j)
      for (int64_t i = 0; i < matrix.rows; ++i)
        place[i * matrix.row_step + j * matrix.column_step] =
            from_number<decltype(number)>(*from++);
  });
}

} // namespace gpuexec::cuda_libraries

#endif
