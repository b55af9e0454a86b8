//===-- emulator/cuda/driver/texture_reference.h ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references: variables of a module (.texref, .surfref)
// that the program binds to memory. Device code reads `facts` in the variable's
// place, where every change is written at once. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_TEXTURE_REFERENCE_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_TEXTURE_REFERENCE_H

#include "emulator/cuda/driver/texture.h"

#include <mutex>

namespace gpuexec::cuda {

class Context;

class TextureReference {
public:
  /// What the program has set.
  struct State {
    bool is_bound = false;
    CUDA_RESOURCE_DESC resource{};
    CUDA_TEXTURE_DESC sampling{};
    // Of linear memory that is bound.
    CUarray_format format = CU_AD_FORMAT_FLOAT;
    int channels = 1;

    /// Whether a resource of this type is bound.
    bool is_of(CUresourcetype type) const {
      return is_bound && resource.resType == type;
    }
    /// Binds a resource of this type, which the caller fills in.
    decltype(resource.res) &bind(CUresourcetype type) {
      is_bound = true;
      resource = {};
      resource.resType = type;
      return resource.res;
    }
  };

  /// `place`: of the variable; 0: none, as of cuTexRefCreate().
  TextureReference(uint64_t place, const void *module, const void *context)
      : module(module), context(context), place(place) {
    for (CUaddress_mode &mode : state.sampling.addressMode)
      mode = CU_TR_ADDRESS_MODE_CLAMP;
  }
  State get() const;
  /// Changes the state by `change(State &)`, waits for the context's work,
  /// which may use the old one, and writes the variable. After an error
  /// everything is as before.
  template <typename Change> CUresult set(Context &context, Change change) {
    std::lock_guard guard(mutex);
    State next = state;
    change(next);
    return write(context, next);
  }

  const void *const module; ///< whose variable it is, or null
  const void *const context;

private:
  CUresult write(Context &context, const State &next);
  mutable std::mutex mutex; // guards `state`
  State state;
  const uint64_t place;
};

} // namespace gpuexec::cuda

#endif
