//===-- lending/cuda/client/api_stream.cpp - Streams, events, textures ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/client/api.h"

using namespace gpuexec::lent_cuda;

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuStreamDestroy(CUstream stream) {
  GPUEXEC_CURRENT(context);
  return Session::get().destroy(Kind::stream, number_of(stream));
}

CUresult cuStreamSynchronize(CUstream stream) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(check_stream(stream));
  return Session::get().wait(WaitFor::stream, number_of(stream));
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  GPUEXEC_CURRENT(number);
  GPUEXEC_TRY(check_stream(stream));
  GPUEXEC_REQUIRE(context, INVALID_VALUE);
  *context = context_stack().back();
  return CUDA_SUCCESS;
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  GPUEXEC_CURRENT(number);
  GPUEXEC_TRY(check_stream(stream));
  GPUEXEC_REQUIRE(device, INVALID_VALUE);
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  GPUEXEC_CURRENT(number);
  GPUEXEC_TRY(check_stream(stream));
  GPUEXEC_REQUIRE(status, INVALID_VALUE);
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  GPUEXEC_CURRENT(number);
  GPUEXEC_TRY(check_stream(stream));
  GPUEXEC_REQUIRE(function, INVALID_VALUE);
  return Session::get().call_later(stream, {function, nullptr, stream, data});
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function,
                             void *data, unsigned flags) {
  GPUEXEC_CURRENT(number);
  GPUEXEC_TRY(check_stream(stream));
  GPUEXEC_REQUIRE(function && flags == 0, INVALID_VALUE);
  return Session::get().call_later(stream, {nullptr, function, stream, data});
}

CUresult cuEventDestroy(CUevent event) {
  GPUEXEC_CURRENT(number);
  return Session::get().destroy(Kind::event, number_of(event));
}

CUresult cuEventSynchronize(CUevent event) {
  GPUEXEC_CURRENT(number);
  GPUEXEC_REQUIRE(Session::get().has(Kind::event, number_of(event)),
                  INVALID_HANDLE);
  return Session::get().wait(WaitFor::event, number_of(event));
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent begin,
                               CUevent end) {
  return cuEventElapsedTime(milliseconds, begin, end);
}

CUresult cuArrayDestroy(CUarray array) {
  GPUEXEC_CURRENT(number);
  return Session::get().destroy(Kind::array, number_of(array));
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  GPUEXEC_CURRENT(number);
  return Session::get().destroy(Kind::mipmap, number_of(array));
}

CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray array,
                                  unsigned which) {
  GPUEXEC_CURRENT(number);
  Session &session = Session::get();
  GPUEXEC_REQUIRE(session.has(Kind::mipmap, number_of(array)), INVALID_HANDLE);
  GPUEXEC_REQUIRE(level, INVALID_VALUE);
  const uint64_t handle = session.add(Kind::array);
  Writer writer;
  writer.put(handle);
  writer.put(number_of(array));
  writer.put(uint32_t(which));
  const CUresult result = session.ask(Call::MipmapLevel, writer);
  if (result != CUDA_SUCCESS)
    session.remove(Kind::array, handle);
  else
    *level = reinterpret_cast<CUarray>(handle);
  return result;
}

// Textures and surfaces have the driver's own numbers, which kernels use. What
// they were made of is kept here.

namespace {

struct Texture {
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC sampling{};
  CUDA_RESOURCE_VIEW_DESC view{};
  bool has_view = false;
};

struct Textures {
  std::mutex mutex;
  std::map<uint64_t, Texture> all[2]; // textures, surfaces
};
Textures &textures() {
  static Textures *made = new Textures;
  return *made;
}

CUresult make(bool is_surface, unsigned long long *handle,
              const Texture &texture) {
  GPUEXEC_CURRENT(number);
  Writer writer;
  writer.put(uint32_t(is_surface));
  writer.put(uint32_t(texture.has_view));
  writer.put(texture.resource);
  writer.put(texture.sampling);
  writer.put(texture.view);
  GPUEXEC_TRY(Session::get().ask(Call::MakeTexture, writer, [&](Reader &from) {
    *handle = from.take<uint64_t>();
  }));
  std::lock_guard guard(textures().mutex);
  textures().all[is_surface][*handle] = texture;
  return CUDA_SUCCESS;
}

CUresult destroy(bool is_surface, uint64_t handle) {
  GPUEXEC_CURRENT(number);
  {
    std::lock_guard guard(textures().mutex);
    GPUEXEC_REQUIRE(textures().all[is_surface].erase(handle), INVALID_HANDLE);
  }
  Writer writer;
  writer.put(uint32_t(is_surface));
  writer.put(handle);
  return Session::get().post(Call::DestroyTexture, writer);
}

CUresult find(bool is_surface, uint64_t handle, const void *wanted,
              Texture &texture) {
  GPUEXEC_CURRENT(number);
  std::lock_guard guard(textures().mutex);
  auto found = textures().all[is_surface].find(handle);
  GPUEXEC_REQUIRE(found != textures().all[is_surface].end(), INVALID_HANDLE);
  GPUEXEC_REQUIRE(wanted, INVALID_VALUE);
  texture = found->second;
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuTexObjectCreate(CUtexObject *handle,
                           const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *sampling,
                           const CUDA_RESOURCE_VIEW_DESC *view) {
  GPUEXEC_REQUIRE(handle && resource && sampling, INVALID_VALUE);
  Texture texture{*resource, *sampling, {}, view != nullptr};
  if (view)
    texture.view = *view;
  return make(false, handle, texture);
}

CUresult cuTexObjectDestroy(CUtexObject handle) {
  return destroy(false, handle);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *description,
                                    CUtexObject handle) {
  Texture texture;
  GPUEXEC_TRY(find(false, handle, description, texture));
  *description = texture.resource;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *description,
                                   CUtexObject handle) {
  Texture texture;
  GPUEXEC_TRY(find(false, handle, description, texture));
  *description = texture.sampling;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *description,
                                        CUtexObject handle) {
  Texture texture;
  GPUEXEC_TRY(find(false, handle, description, texture));
  GPUEXEC_REQUIRE(texture.has_view, INVALID_VALUE);
  *description = texture.view;
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(CUsurfObject *handle,
                            const CUDA_RESOURCE_DESC *resource) {
  GPUEXEC_REQUIRE(handle && resource &&
                      resource->resType == CU_RESOURCE_TYPE_ARRAY,
                  INVALID_VALUE);
  return make(true, handle, {*resource, {}, {}, false});
}

CUresult cuSurfObjectDestroy(CUsurfObject handle) {
  return destroy(true, handle);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *description,
                                     CUsurfObject handle) {
  Texture texture;
  GPUEXEC_TRY(find(true, handle, description, texture));
  *description = texture.resource;
  return CUDA_SUCCESS;
}
