//===-- emulator/cuda/driver/api_texture.cpp - Textures and surfaces ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"

using namespace gpuexec::cuda;

namespace {

const void *pointer(unsigned long long handle) {
  return reinterpret_cast<const void *>(handle);
}

/// Places the texture on the device and gives it a handle of its kind.
CUresult add(Context &context, Texture &texture, Handles<Texture> &handles,
             unsigned long long &handle) {
  texture.context = &context;
  auto placed = place_on_device(context.hsa, texture);
  GPUEXEC_REQUIRE(placed, OUT_OF_MEMORY);
  handle = reinterpret_cast<unsigned long long>(handles.add<void *>(placed));
  return CUDA_SUCCESS;
}

CUresult destroy(Handles<Texture> &handles, unsigned long long handle) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handles.find(pointer(handle)), INVALID_HANDLE);
  context->synchronize(); // work may still use it
  handles.take(pointer(handle));
  return CUDA_SUCCESS;
}

CUresult get_resource(CUDA_RESOURCE_DESC *description,
                      Handles<Texture> &handles, unsigned long long handle) {
  GPUEXEC_CURRENT(context);
  auto texture = handles.find(pointer(handle));
  GPUEXEC_REQUIRE(texture, INVALID_HANDLE);
  GPUEXEC_REQUIRE(description, INVALID_VALUE);
  *description = texture->resource;
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuTexObjectCreate(CUtexObject *handle,
                           const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *sampling,
                           const CUDA_RESOURCE_VIEW_DESC *view) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && resource && sampling, INVALID_VALUE);
  Texture texture;
  texture.resource = *resource;
  texture.texture = *sampling;
  GPUEXEC_TRY(
      set_resource(texture.facts, context->memory, find_resource(*resource)));
  if (view) {
    texture.view = *view;
    GPUEXEC_TRY(set_view(texture.facts, *view));
  }
  GPUEXEC_TRY(set_sampling(texture.facts, *sampling));
  return add(*context, texture, Driver::get().textures, *handle);
}

CUresult cuTexObjectDestroy(CUtexObject handle) {
  return destroy(Driver::get().textures, handle);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *description,
                                    CUtexObject handle) {
  return get_resource(description, Driver::get().textures, handle);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *description,
                                   CUtexObject handle) {
  GPUEXEC_CURRENT(context);
  auto texture = Driver::get().textures.find(pointer(handle));
  GPUEXEC_REQUIRE(texture, INVALID_HANDLE);
  GPUEXEC_REQUIRE(description, INVALID_VALUE);
  *description = texture->texture;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *description,
                                        CUtexObject handle) {
  GPUEXEC_CURRENT(context);
  auto texture = Driver::get().textures.find(pointer(handle));
  GPUEXEC_REQUIRE(texture, INVALID_HANDLE);
  GPUEXEC_REQUIRE(description && texture->view, INVALID_VALUE);
  *description = *texture->view;
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(CUsurfObject *handle,
                            const CUDA_RESOURCE_DESC *resource) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && resource &&
                      resource->resType == CU_RESOURCE_TYPE_ARRAY,
                  INVALID_VALUE);
  Texture surface;
  surface.resource = *resource;
  GPUEXEC_TRY(
      set_resource(surface.facts, context->memory, find_resource(*resource)));
  return add(*context, surface, Driver::get().surfaces, *handle);
}

CUresult cuSurfObjectDestroy(CUsurfObject handle) {
  return destroy(Driver::get().surfaces, handle);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *description,
                                     CUsurfObject handle) {
  return get_resource(description, Driver::get().surfaces, handle);
}
