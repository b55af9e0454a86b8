//===-- lending/cuda/worker/arguments.h - Parameters of calls ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Session::forward(): reads the arguments of a function by the types of its
// parameters, calls it, and writes what comes back.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_WORKER_ARGUMENTS_H
#define GPUEXEC_LENDING_CUDA_WORKER_ARGUMENTS_H

#include "lending/cuda/worker/session.h"

#include <tuple>

namespace gpuexec::lent_cuda {

/// A handle of the client; streams may have the driver's fixed numbers.
template <typename T> bool Session::find(uint64_t handle, T &real) {
  real = static_cast<T>(find_object(handle, KIND_OF<T>));
  if constexpr (std::is_same_v<T, CUstream>)
    if (!real && handle <= 2) {
      real = reinterpret_cast<T>(handle);
      return true;
    }
  return real != nullptr;
}

/// By value: numbers, structures.
template <typename T> struct Session::Argument {
  T value;
  CUresult wrong = CUDA_SUCCESS;
  Argument(Session &session, Reader &from) {
    if constexpr (IS_HANDLE<T>) {
      if (!session.find(from.take<uint64_t>(), value))
        wrong = CUDA_ERROR_INVALID_HANDLE;
    } else {
      value = from.take<T>();
      if constexpr (std::is_same_v<T, CUdeviceptr>)
        if (!session.knows(value))
          wrong = CUDA_ERROR_INVALID_VALUE;
    }
  }
  T get() { return value; }
  void finish(Session &, CUresult, Reply &) {}
};

/// A structure that is read.
template <typename T>
requires(!IS_HANDLE<const T *>) struct Session::Argument<const T *> {
  T value;
  bool there;
  CUresult wrong = CUDA_SUCCESS;
  Argument(Session &, Reader &from)
      : value(from.take<T>()), there(from.take<uint64_t>() != 0) {}
  const T *get() { return there ? &value : nullptr; }
  void finish(Session &, CUresult, Reply &) {}
};

/// What is written: a new handle, whose number the client has chosen, or bytes
/// of the reply.
template <typename T>
requires(!IS_HANDLE<T *>) struct Session::Argument<T *> {
  T value{};
  uint64_t handle; ///< or not 0: wanted
  CUresult wrong = CUDA_SUCCESS;
  Argument(Session &, Reader &from) : handle(from.take<uint64_t>()) {}
  T *get() { return handle ? &value : nullptr; }
  void finish(Session &session, CUresult result, Reply &reply) {
    if constexpr (IS_HANDLE<T>) {
      if (result == CUDA_SUCCESS && handle &&
          !session.add_object(handle, KIND_OF<T>, value))
        session.nonsense = true;
    } else {
      reply.put(value);
    }
  }
};

template <typename... A>
CUresult Session::forward(CUresult (*function)(A...), Reader &from,
                          Reply &reply) {
  std::tuple<Argument<A>...> arguments{Argument<A>(*this, from)...};
  return std::apply(
      [&](auto &...each) {
        CUresult result = from.ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        ((result = result == CUDA_SUCCESS ? each.wrong : result), ...);
        if (result == CUDA_SUCCESS)
          result = function(each.get()...);
        (each.finish(*this, result, reply), ...);
        return result;
      },
      arguments);
}

} // namespace gpuexec::lent_cuda

#endif
