//===-- emulator/cuda/driver/texture.h - Textures and surfaces --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A texture or surface object lies in memory that the device reaches, and its
// handle is its address: device code reads `facts` there.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_TEXTURE_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_TEXTURE_H

#include "emulator/cuda/driver/array.h"

#include <cstddef>
#include <optional>

namespace gpuexec::cuda {

struct Texture {
  gpuexec_cuda_texture facts{};
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC texture{};
  std::optional<CUDA_RESOURCE_VIEW_DESC> view;
  const void *context = nullptr;
};
static_assert(offsetof(Texture, facts) == 0 &&
                  sizeof(gpuexec_cuda_texture) == GPUEXEC_CUDA_TEXTURE_BYTES,
              "the address of a texture is that of its facts");

/// What a resource consists of. The arrays are null unless it is one.
struct Resource {
  const CUDA_RESOURCE_DESC &description;
  std::shared_ptr<Array> array;
  std::shared_ptr<MipmappedArray> mipmap;
};

/// Fills in where the elements are, and what they are. INVALID_VALUE for a
/// resource that CUDA does not allow.
CUresult set_resource(gpuexec_cuda_texture &facts, const Memory &memory,
                      const Resource &resource);
/// Fills in how coordinates and elements are read.
CUresult set_sampling(gpuexec_cuda_texture &facts,
                      const CUDA_TEXTURE_DESC &description);
/// Narrows the resource to levels and layers, or changes its format.
CUresult set_view(gpuexec_cuda_texture &facts,
                  const CUDA_RESOURCE_VIEW_DESC &view);

/// A copy of the texture in memory of the device; null: there is no more.
std::shared_ptr<Texture> place_on_device(const Hsa &hsa,
                                         const Texture &texture);

} // namespace gpuexec::cuda

#endif
