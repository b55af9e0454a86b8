//===-- emulator/cuda/driver/handles.h - Objects by handle ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle of the interface is the address of an object, which is looked up and
// never dereferenced: a handle that is wrong is found out. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_HANDLES_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_HANDLES_H

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace gpuexec::cuda {

template <typename T> class Handles {
public:
  /// Adds the object, if it is not there, and returns its handle.
  template <typename Handle> Handle add(std::shared_ptr<T> object) {
    T *address = object.get();
    std::lock_guard guard(mutex);
    objects.emplace(address, std::move(object));
    return reinterpret_cast<Handle>(address);
  }
  /// Null for a handle of nothing.
  std::shared_ptr<T> find(const void *handle) const {
    std::lock_guard guard(mutex);
    auto found = objects.find(handle);
    return found == objects.end() ? nullptr : found->second;
  }
  /// find(), and the handle is no longer one.
  std::shared_ptr<T> take(const void *handle) {
    std::lock_guard guard(mutex);
    auto found = objects.find(handle);
    if (found == objects.end())
      return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    objects.erase(found);
    return object;
  }
  /// Takes all objects for which `wanted` holds.
  template <typename Wanted>
  std::vector<std::shared_ptr<T>> take_all(Wanted wanted) {
    std::vector<std::shared_ptr<T>> taken;
    std::lock_guard guard(mutex);
    for (auto at = objects.begin(); at != objects.end();)
      if (wanted(*at->second)) {
        taken.push_back(std::move(at->second));
        at = objects.erase(at);
      } else {
        ++at;
      }
    return taken;
  }

private:
  mutable std::mutex mutex;
  std::unordered_map<const void *, std::shared_ptr<T>> objects;
};

} // namespace gpuexec::cuda

#endif
