//===-- emulator/cuda/driver/api_array.cpp - Arrays -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"

using namespace gpuexec::cuda;

CUresult cuArray3DCreate(CUarray *handle,
                         const CUDA_ARRAY3D_DESCRIPTOR *description) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && description, INVALID_VALUE);
  std::shared_ptr<Array> array;
  GPUEXEC_TRY(Array::make(context->memory, context.get(), *description, array));
  *handle = Driver::get().arrays.add<CUarray>(array);
  return CUDA_SUCCESS;
}

CUresult cuArrayCreate(CUarray *handle,
                       const CUDA_ARRAY_DESCRIPTOR *description) {
  GPUEXEC_REQUIRE(description, INVALID_VALUE);
  const CUDA_ARRAY3D_DESCRIPTOR all = {
      description->Width,  description->Height,      0,
      description->Format, description->NumChannels, 0};
  return cuArray3DCreate(handle, &all);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *description,
                                CUarray handle) {
  GPUEXEC_CURRENT(context);
  auto array = Driver::get().arrays.find(handle);
  GPUEXEC_REQUIRE(array, INVALID_HANDLE);
  GPUEXEC_REQUIRE(description, INVALID_VALUE);
  *description = array->description;
  return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *description,
                              CUarray handle) {
  GPUEXEC_REQUIRE(description, INVALID_VALUE);
  CUDA_ARRAY3D_DESCRIPTOR all{};
  GPUEXEC_TRY(cuArray3DGetDescriptor(&all, handle));
  *description = {all.Width, all.Height, all.Format, all.NumChannels};
  return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray handle) {
  GPUEXEC_CURRENT(context);
  auto array = Driver::get().arrays.find(handle);
  GPUEXEC_REQUIRE(array, INVALID_HANDLE);
  context->synchronize(); // work may still use it
  Driver::get().arrays.take(handle);
  return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *handle,
                                const CUDA_ARRAY3D_DESCRIPTOR *description,
                                unsigned levels) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && description, INVALID_VALUE);
  std::shared_ptr<MipmappedArray> array;
  GPUEXEC_TRY(MipmappedArray::make(context->memory, context.get(), *description,
                                   levels, array));
  *handle = Driver::get().mipmaps.add<CUmipmappedArray>(array);
  return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray handle,
                                  unsigned number) {
  GPUEXEC_CURRENT(context);
  auto array = Driver::get().mipmaps.find(handle);
  GPUEXEC_REQUIRE(array, INVALID_HANDLE);
  GPUEXEC_REQUIRE(level && number < array->levels.size(), INVALID_VALUE);
  *level = Driver::get().arrays.add<CUarray>(array->levels[number]);
  return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  GPUEXEC_CURRENT(context);
  auto array = Driver::get().mipmaps.find(handle);
  GPUEXEC_REQUIRE(array, INVALID_HANDLE);
  context->synchronize();
  for (const auto &level : array->levels)
    Driver::get().arrays.take(level.get());
  Driver::get().mipmaps.take(handle);
  return CUDA_SUCCESS;
}
