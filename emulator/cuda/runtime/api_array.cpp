//===-- emulator/cuda/runtime/api_array.cpp - Arrays ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of the runtime is the driver's, by the same handle.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/runtime/channels.h"
#include "emulator/cuda/runtime/thread.h"

using namespace gpuexec::cudart;

namespace {

CUarray driver_handle(cudaArray_const_t array) {
  return reinterpret_cast<CUarray>(const_cast<cudaArray_t>(array));
}

cudaError_t describe(const cudaChannelFormatDesc *channels,
                     const cudaExtent &extent, unsigned flags,
                     CUDA_ARRAY3D_DESCRIPTOR &description) {
  GPUEXEC_CUDART_REQUIRE(channels, InvalidValue);
  Channels element;
  GPUEXEC_CUDART_REQUIRE(channels_of(*channels, element),
                         InvalidChannelDescriptor);
  description = {extent.width,   extent.height, extent.depth,
                 element.format, element.count, flags};
  return cudaSuccess;
}

} // namespace

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const cudaChannelFormatDesc *channels,
                              cudaExtent extent, unsigned flags) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(array, InvalidValue);
  CUDA_ARRAY3D_DESCRIPTOR description{};
  GPUEXEC_CUDART_TRY(describe(channels, extent, flags, description));
  return record(
      cuArray3DCreate(reinterpret_cast<CUarray *>(array), &description));
}

cudaError_t cudaMallocArray(cudaArray_t *array,
                            const cudaChannelFormatDesc *channels, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, channels, {width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  GPUEXEC_CUDART_CONTEXT();
  if (!array)
    return cudaSuccess;
  return record(cuArrayDestroy(driver_handle(array)));
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *channels,
                             cudaExtent *extent, unsigned *flags,
                             cudaArray_t array) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_ARRAY3D_DESCRIPTOR description{};
  GPUEXEC_CUDART_TRY(
      cuArray3DGetDescriptor(&description, driver_handle(array)));
  if (channels)
    *channels = description_of({description.Format, description.NumChannels});
  if (extent)
    *extent = {description.Width, description.Height, description.Depth};
  if (flags)
    *flags = description.Flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *channels,
                               cudaArray_const_t array) {
  GPUEXEC_CUDART_REQUIRE(channels, InvalidValue);
  return cudaArrayGetInfo(channels, nullptr, nullptr,
                          const_cast<cudaArray_t>(array));
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                     const cudaChannelFormatDesc *channels,
                                     cudaExtent extent, unsigned levels,
                                     unsigned flags) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(array, InvalidValue);
  CUDA_ARRAY3D_DESCRIPTOR description{};
  GPUEXEC_CUDART_TRY(describe(channels, extent, flags, description));
  return record(cuMipmappedArrayCreate(
      reinterpret_cast<CUmipmappedArray *>(array), &description, levels));
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level,
                                       cudaMipmappedArray_const_t array,
                                       unsigned number) {
  GPUEXEC_CUDART_CONTEXT();
  return record(
      cuMipmappedArrayGetLevel(reinterpret_cast<CUarray *>(level),
                               reinterpret_cast<CUmipmappedArray>(
                                   const_cast<cudaMipmappedArray_t>(array)),
                               number));
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  GPUEXEC_CUDART_CONTEXT();
  if (!array)
    return cudaSuccess;
  return record(
      cuMipmappedArrayDestroy(reinterpret_cast<CUmipmappedArray>(array)));
}
