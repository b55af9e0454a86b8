//===-- emulator/cuda/driver/texture_reference.cpp ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/texture_reference.h"
#include "emulator/cuda/driver/driver.h"

#include <cstring>

namespace gpuexec::cuda {

TextureReference::State TextureReference::get() const {
  std::lock_guard guard(mutex);
  return state;
}

CUresult TextureReference::write(Context &context, const State &next) {
  gpuexec_cuda_texture facts{};
  if (next.is_bound) {
    if (CUresult error =
            set_resource(facts, context.memory, find_resource(next.resource)))
      return error;
    if (CUresult error = set_sampling(facts, next.sampling))
      return error;
  }
  if (place) {
    context.synchronize();
    void *variable = reinterpret_cast<void *>(place);
    memcpy(variable, &facts, sizeof(facts));
    context.memory.wrote(variable, sizeof(facts));
  }
  state = next;
  return CUDA_SUCCESS;
}

} // namespace gpuexec::cuda
