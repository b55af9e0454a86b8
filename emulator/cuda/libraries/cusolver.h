//===-- emulator/cuda/libraries/cusolver.h - What libcusolver shares -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle, and calls of the host's LAPACK, in the memory that it shares with
// the emulated device.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUSOLVER_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUSOLVER_H

#pragma GCC visibility push(default)
#include "toolchain/cuda/include/cusolverDn.h"
#pragma GCC visibility pop
#include "emulator/cuda/libraries/host_blas.h"
#include "emulator/cuda/libraries/numbers.h"
#include "emulator/cuda/libraries/stream.h"
#include <string>

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};

namespace gpuexec::cusolver {

using namespace gpuexec::cuda_libraries;

/// Of a number that may be complex, the type of its parts.
template <class T> struct RealOf { using Type = T; };
template <class T> struct RealOf<std::complex<T>> { using Type = T; };
template <class T> using Real = typename RealOf<T>::Type;

template <class T>
constexpr char LETTER = IS_COMPLEX<T> ? (sizeof(Real<T>) == 4 ? 'c' : 'z')
                                      : (sizeof(T) == 4 ? 's' : 'd');

/// What each function does first: waits for the handle's stream.
inline cusolverStatus_t begin(cusolverDnHandle_t handle) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  return wait_for(handle->stream) ? CUSOLVER_STATUS_SUCCESS
                                  : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/// Calls the function of LAPACK for T whose name goes on with `real`, or with
/// `complex` of complex numbers. Arguments are addresses, as Fortran's are. The
/// lengths of letters, which Fortran passes behind them, are 1.
template <class T, class... Arguments>
void call(const char *real, const char *complex, Arguments... arguments) {
  const std::string name =
      LETTER<T> + std::string(IS_COMPLEX<T> ? complex : real) + "_";
  reinterpret_cast<void (*)(Arguments..., size_t, size_t, size_t)>(
      host_blas::find_lapack(name.c_str()))(arguments..., 1, 1, 1);
}

/// The elements of workspace where LAPACK asks for `asked`: a float may be a
/// little less than the number that it stands for.
inline int work_length(double asked) {
  return int(std::clamp(asked * (1 + 1e-6) + 1, 1.0, 2147483647.0));
}

/// Calls `function` with workspace of as many elements as it asks for when it
/// is called with the length -1.
template <class T, class Function> void with_work(Function function) {
  T best{};
  const int query = -1;
  function(&best, &query);
  const int length = work_length(std::real(best));
  std::vector<T> work(static_cast<size_t>(length));
  function(work.data(), &length);
}

inline char letter_of(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
}
inline char letter_of(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
}
inline char letter_of(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
}
inline char letter_of(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T ? 'T' : 'C';
}

inline bool is_triangle(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_UPPER || uplo == CUBLAS_FILL_MODE_LOWER;
}
inline bool is_mode(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_VECTOR || mode == CUSOLVER_EIG_MODE_NOVECTOR;
}
/// Whether a matrix of `rows` can have this leading dimension.
inline bool fits(int rows, int ld) {
  return rows >= 0 && ld >= std::max(1, rows);
}

/// Ends a function: `info` is in the device's memory, and may be null.
inline cusolverStatus_t end(int result, int *info) {
  if (info)
    *info = result;
  return CUSOLVER_STATUS_SUCCESS;
}

/// What the ..._bufferSize functions answer. Workspace of the program's is not
/// used; 1 is the least that can be allocated.
inline cusolverStatus_t answer_size(cusolverDnHandle_t handle, bool is_valid,
                                    int *length) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!is_valid || !length)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *length = 1;
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace gpuexec::cusolver

#endif
