//===-- emulator/cuda/runtime/api_texture.cpp - Textures and surfaces -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's descriptions as the driver's, and back.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/runtime/channels.h"
#include "emulator/cuda/runtime/thread.h"

#include <algorithm>
#include <cstring>

using namespace gpuexec::cudart;

namespace {

cudaError_t to_driver(const cudaResourceDesc *from, CUDA_RESOURCE_DESC &to) {
  GPUEXEC_CUDART_REQUIRE(from, InvalidValue);
  Channels channels;
  to.resType = CUresourcetype(from->resType);
  switch (from->resType) {
  case cudaResourceTypeArray:
    to.res.array.hArray = reinterpret_cast<CUarray>(from->res.array.array);
    return cudaSuccess;
  case cudaResourceTypeMipmappedArray:
    to.res.mipmap.hMipmappedArray =
        reinterpret_cast<CUmipmappedArray>(from->res.mipmap.mipmap);
    return cudaSuccess;
  case cudaResourceTypeLinear:
    GPUEXEC_CUDART_REQUIRE(channels_of(from->res.linear.desc, channels),
                           InvalidChannelDescriptor);
    to.res.linear.devPtr =
        reinterpret_cast<CUdeviceptr>(from->res.linear.devPtr);
    to.res.linear.format = channels.format;
    to.res.linear.numChannels = channels.count;
    to.res.linear.sizeInBytes = from->res.linear.sizeInBytes;
    return cudaSuccess;
  case cudaResourceTypePitch2D:
    GPUEXEC_CUDART_REQUIRE(channels_of(from->res.pitch2D.desc, channels),
                           InvalidChannelDescriptor);
    to.res.pitch2D.devPtr =
        reinterpret_cast<CUdeviceptr>(from->res.pitch2D.devPtr);
    to.res.pitch2D.format = channels.format;
    to.res.pitch2D.numChannels = channels.count;
    to.res.pitch2D.width = from->res.pitch2D.width;
    to.res.pitch2D.height = from->res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
    return cudaSuccess;
  }
  return record(cudaErrorInvalidValue);
}

cudaResourceDesc from_driver(const CUDA_RESOURCE_DESC &from) {
  cudaResourceDesc to;
  memset(&to, 0, sizeof(to));
  to.resType = cudaResourceType(from.resType);
  switch (from.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    to.res.array.array = reinterpret_cast<cudaArray_t>(from.res.array.hArray);
    break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    to.res.mipmap.mipmap =
        reinterpret_cast<cudaMipmappedArray_t>(from.res.mipmap.hMipmappedArray);
    break;
  case CU_RESOURCE_TYPE_LINEAR:
    to.res.linear.devPtr = reinterpret_cast<void *>(from.res.linear.devPtr);
    to.res.linear.desc =
        description_of({from.res.linear.format, from.res.linear.numChannels});
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    break;
  case CU_RESOURCE_TYPE_PITCH2D:
    to.res.pitch2D.devPtr = reinterpret_cast<void *>(from.res.pitch2D.devPtr);
    to.res.pitch2D.desc =
        description_of({from.res.pitch2D.format, from.res.pitch2D.numChannels});
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    break;
  }
  return to;
}

CUDA_TEXTURE_DESC to_driver(const cudaTextureDesc &from) {
  CUDA_TEXTURE_DESC to{};
  for (unsigned n = 0; n < 3; ++n)
    to.addressMode[n] = CUaddress_mode(from.addressMode[n]);
  to.filterMode = CUfilter_mode(from.filterMode);
  if (from.readMode == cudaReadModeElementType)
    to.flags |= CU_TRSF_READ_AS_INTEGER;
  if (from.normalizedCoords)
    to.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (from.sRGB)
    to.flags |= CU_TRSF_SRGB;
  if (from.disableTrilinearOptimization)
    to.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  if (from.seamlessCubemap)
    to.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = CUfilter_mode(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::copy_n(from.borderColor, 4, to.borderColor);
  return to;
}

cudaTextureDesc from_driver(const CUDA_TEXTURE_DESC &from) {
  cudaTextureDesc to{};
  for (unsigned n = 0; n < 3; ++n)
    to.addressMode[n] = cudaTextureAddressMode(from.addressMode[n]);
  to.filterMode = cudaTextureFilterMode(from.filterMode);
  to.readMode = from.flags & CU_TRSF_READ_AS_INTEGER
                    ? cudaReadModeElementType
                    : cudaReadModeNormalizedFloat;
  to.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  to.sRGB = (from.flags & CU_TRSF_SRGB) != 0;
  to.disableTrilinearOptimization =
      (from.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  to.seamlessCubemap = (from.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = cudaTextureFilterMode(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::copy_n(from.borderColor, 4, to.borderColor);
  return to;
}

// Both interfaces give a view the same members and numbers.
static_assert(sizeof(cudaResourceViewDesc) == sizeof(CUDA_RESOURCE_VIEW_DESC));

} // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture,
                                    const cudaResourceViewDesc *view) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(object && texture, InvalidValue);
  CUDA_RESOURCE_DESC driver_resource{};
  GPUEXEC_CUDART_TRY(to_driver(resource, driver_resource));
  const CUDA_TEXTURE_DESC driver_texture = to_driver(*texture);
  CUDA_RESOURCE_VIEW_DESC driver_view{};
  if (view)
    memcpy(&driver_view, view, sizeof(driver_view));
  return record(cuTexObjectCreate(object, &driver_resource, &driver_texture,
                                  view ? &driver_view : nullptr));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  GPUEXEC_CUDART_CONTEXT();
  return object ? record(cuTexObjectDestroy(object)) : cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaTextureObject_t object) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(resource, InvalidValue);
  CUDA_RESOURCE_DESC from{};
  GPUEXEC_CUDART_TRY(cuTexObjectGetResourceDesc(&from, object));
  *resource = from_driver(from);
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture,
                                            cudaTextureObject_t object) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(texture, InvalidValue);
  CUDA_TEXTURE_DESC from{};
  GPUEXEC_CUDART_TRY(cuTexObjectGetTextureDesc(&from, object));
  *texture = from_driver(from);
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view,
                                                 cudaTextureObject_t object) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(view, InvalidValue);
  CUDA_RESOURCE_VIEW_DESC from{};
  GPUEXEC_CUDART_TRY(cuTexObjectGetResourceViewDesc(&from, object));
  memcpy(view, &from, sizeof(*view));
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const cudaResourceDesc *resource) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(object, InvalidValue);
  CUDA_RESOURCE_DESC driver_resource{};
  GPUEXEC_CUDART_TRY(to_driver(resource, driver_resource));
  return record(cuSurfObjectCreate(object, &driver_resource));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  GPUEXEC_CUDART_CONTEXT();
  return object ? record(cuSurfObjectDestroy(object)) : cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(resource, InvalidValue);
  CUDA_RESOURCE_DESC from{};
  GPUEXEC_CUDART_TRY(cuSurfObjectGetResourceDesc(&from, object));
  *resource = from_driver(from);
  return cudaSuccess;
}
