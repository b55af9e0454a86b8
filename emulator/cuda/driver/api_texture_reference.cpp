//===-- emulator/cuda/driver/api_texture_reference.cpp --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA Driver API, "Texture Reference Management" and "Surface Reference
// Management", which CUDA 12 still has for old programs.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/driver/api.h"

#include <algorithm>

using namespace gpuexec::cuda;
using State = TextureReference::State;

namespace {

/// `reference`: the object of a handle; `context`: the one that it belongs to.
#define GPUEXEC_REFERENCE(reference, handle)                                   \
  std::shared_ptr<Context> context;                                            \
  std::shared_ptr<TextureReference> reference;                                 \
  GPUEXEC_TRY(find_owned(Driver::get().references, handle, reference, context))

template <typename Handle>
CUresult find(Handle *handle, CUmodule module_handle, const char *name) {
  std::shared_ptr<Context> context;
  std::shared_ptr<Module> module;
  GPUEXEC_TRY(
      find_owned(Driver::get().modules, module_handle, module, context));
  GPUEXEC_REQUIRE(handle && name, INVALID_VALUE);
  std::shared_ptr<TextureReference> reference;
  GPUEXEC_TRY(module->reference(name, reference));
  *handle = Driver::get().references.add<Handle>(reference);
  return CUDA_SUCCESS;
}

/// Changes one thing of a reference.
template <typename Handle, typename Change>
CUresult set(Handle handle, Change change) {
  GPUEXEC_REFERENCE(reference, handle);
  return reference->set(*context, change);
}
/// Answers from what is set.
template <typename Answer, typename Handle, typename Get>
CUresult get(Answer *answer, Handle handle, Get get) {
  GPUEXEC_REFERENCE(reference, handle);
  GPUEXEC_REQUIRE(answer, INVALID_VALUE);
  *answer = get(reference->get());
  return CUDA_SUCCESS;
}

CUresult set_array(const void *handle, CUarray array) {
  return set(handle, [&](State &state) {
    state.bind(CU_RESOURCE_TYPE_ARRAY).array.hArray = array;
  });
}

CUresult get_array(CUarray *array, const void *handle) {
  GPUEXEC_REFERENCE(reference, handle);
  GPUEXEC_REQUIRE(array, INVALID_VALUE);
  const State state = reference->get();
  GPUEXEC_REQUIRE(state.is_of(CU_RESOURCE_TYPE_ARRAY), INVALID_VALUE);
  *array = state.resource.res.array.hArray;
  return CUDA_SUCCESS;
}

} // namespace

//===-- References --------------------------------------------------------===//

CUresult cuModuleGetTexRef(CUtexref *handle, CUmodule module,
                           const char *name) {
  return find(handle, module, name);
}

CUresult cuModuleGetSurfRef(CUsurfref *handle, CUmodule module,
                            const char *name) {
  return find(handle, module, name);
}

CUresult cuTexRefCreate(CUtexref *handle) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle, INVALID_VALUE);
  *handle = Driver::get().references.add<CUtexref>(
      std::make_shared<TextureReference>(0, nullptr, context.get()));
  return CUDA_SUCCESS;
}

CUresult cuTexRefDestroy(CUtexref handle) {
  GPUEXEC_REFERENCE(reference, handle);
  GPUEXEC_REQUIRE(!reference->module, INVALID_VALUE);
  Driver::get().references.take(handle);
  return CUDA_SUCCESS;
}

CUresult cuParamSetTexRef(CUfunction function, int, CUtexref handle) {
  GPUEXEC_REFERENCE(reference, handle);
  GPUEXEC_REQUIRE(Driver::get().functions.find(function), INVALID_HANDLE);
  return CUDA_SUCCESS; // without effect since CUDA 3.2
}

//===-- What is bound -----------------------------------------------------===//

CUresult cuTexRefSetArray(CUtexref handle, CUarray array, unsigned) {
  return set_array(handle, array);
}

CUresult cuTexRefGetArray(CUarray *array, CUtexref handle) {
  return get_array(array, handle);
}

CUresult cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned) {
  return set_array(handle, array);
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref handle) {
  return get_array(array, handle);
}

CUresult cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray array,
                                   unsigned) {
  return set(handle, [&](State &state) {
    state.bind(CU_RESOURCE_TYPE_MIPMAPPED_ARRAY).mipmap.hMipmappedArray = array;
  });
}

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *array, CUtexref handle) {
  GPUEXEC_REFERENCE(reference, handle);
  const State state = reference->get();
  GPUEXEC_REQUIRE(array && state.is_of(CU_RESOURCE_TYPE_MIPMAPPED_ARRAY),
                  INVALID_VALUE);
  *array = state.resource.res.mipmap.hMipmappedArray;
  return CUDA_SUCCESS;
}

// Programs bind all memory from an address on by a size that is too large. An
// address needs no alignment here, so the offset is 0.
CUresult cuTexRefSetAddress(size_t *offset, CUtexref handle,
                            CUdeviceptr address, size_t bytes) {
  GPUEXEC_REFERENCE(reference, handle);
  if (offset)
    *offset = 0;
  if (!address)
    return reference->set(*context, [](State &s) { s.is_bound = false; });
  const auto range = context->memory.find(address);
  const size_t there = range ? range->begin + range->size - address : bytes;
  return reference->set(*context, [&](State &state) {
    auto &linear = state.bind(CU_RESOURCE_TYPE_LINEAR).linear;
    linear.devPtr = address;
    linear.sizeInBytes = std::min(bytes, there);
    linear.format = state.format;
    linear.numChannels = unsigned(state.channels);
  });
}

CUresult cuTexRefSetAddress2D(CUtexref handle,
                              const CUDA_ARRAY_DESCRIPTOR *description,
                              CUdeviceptr address, size_t pitch) {
  GPUEXEC_REQUIRE(description, INVALID_VALUE);
  return set(handle, [&](State &state) {
    auto &plane = state.bind(CU_RESOURCE_TYPE_PITCH2D).pitch2D;
    plane.devPtr = address;
    plane.pitchInBytes = pitch;
    plane.width = description->Width;
    plane.height = description->Height;
    plane.format = description->Format;
    plane.numChannels = description->NumChannels;
  });
}

CUresult cuTexRefGetAddress(CUdeviceptr *address, CUtexref handle) {
  GPUEXEC_REFERENCE(reference, handle);
  GPUEXEC_REQUIRE(address, INVALID_VALUE);
  const State state = reference->get();
  const bool is_linear = state.is_of(CU_RESOURCE_TYPE_LINEAR);
  GPUEXEC_REQUIRE(is_linear || state.is_of(CU_RESOURCE_TYPE_PITCH2D),
                  INVALID_VALUE);
  *address = is_linear ? state.resource.res.linear.devPtr
                       : state.resource.res.pitch2D.devPtr;
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format,
                           int channels) {
  return set(handle, [&](State &state) {
    state.format = format;
    state.channels = channels;
    if (state.resource.resType != CU_RESOURCE_TYPE_LINEAR)
      return;
    state.resource.res.linear.format = format;
    state.resource.res.linear.numChannels = unsigned(channels);
  });
}

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels,
                           CUtexref handle) {
  GPUEXEC_REFERENCE(reference, handle);
  GPUEXEC_REQUIRE(format || channels, INVALID_VALUE);
  const State state = reference->get();
  if (format)
    *format = state.format;
  if (channels)
    *channels = state.channels;
  return CUDA_SUCCESS;
}

//===-- How it is read ----------------------------------------------------===//

CUresult cuTexRefSetAddressMode(CUtexref handle, int dimension,
                                CUaddress_mode mode) {
  GPUEXEC_REQUIRE(dimension >= 0 && dimension < 3, INVALID_VALUE);
  return set(handle,
             [&](State &s) { s.sampling.addressMode[dimension] = mode; });
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref handle,
                                int dimension) {
  GPUEXEC_REQUIRE(dimension >= 0 && dimension < 3, INVALID_VALUE);
  return get(mode, handle,
             [&](const State &s) { return s.sampling.addressMode[dimension]; });
}

/// Two functions that set and get a member of the description.
#define GPUEXEC_MEMBER(NAME, TYPE, GET_TYPE, member)                           \
  CUresult cuTexRefSet##NAME(CUtexref handle, TYPE value) {                    \
    return set(handle, [&](State &state) { state.sampling.member = value; });  \
  }                                                                            \
  CUresult cuTexRefGet##NAME(GET_TYPE *value, CUtexref handle) {               \
    return get(value, handle, [](const State &state) {                         \
      return GET_TYPE(state.sampling.member);                                  \
    });                                                                        \
  }
GPUEXEC_MEMBER(FilterMode, CUfilter_mode, CUfilter_mode, filterMode)
GPUEXEC_MEMBER(MipmapFilterMode, CUfilter_mode, CUfilter_mode, mipmapFilterMode)
GPUEXEC_MEMBER(MipmapLevelBias, float, float, mipmapLevelBias)
GPUEXEC_MEMBER(MaxAnisotropy, unsigned, int, maxAnisotropy)
GPUEXEC_MEMBER(Flags, unsigned, unsigned, flags)

CUresult cuTexRefSetMipmapLevelClamp(CUtexref handle, float least,
                                     float greatest) {
  return set(handle, [&](State &state) {
    state.sampling.minMipmapLevelClamp = least;
    state.sampling.maxMipmapLevelClamp = greatest;
  });
}

CUresult cuTexRefGetMipmapLevelClamp(float *least, float *greatest,
                                     CUtexref handle) {
  GPUEXEC_REFERENCE(reference, handle);
  GPUEXEC_REQUIRE(least && greatest, INVALID_VALUE);
  const State state = reference->get();
  *least = state.sampling.minMipmapLevelClamp;
  *greatest = state.sampling.maxMipmapLevelClamp;
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetBorderColor(CUtexref handle, float *color) {
  GPUEXEC_REQUIRE(color, INVALID_VALUE);
  return set(handle, [&](State &state) {
    std::copy_n(color, 4, state.sampling.borderColor);
  });
}

CUresult cuTexRefGetBorderColor(float *color, CUtexref handle) {
  GPUEXEC_REFERENCE(reference, handle);
  GPUEXEC_REQUIRE(color, INVALID_VALUE);
  std::copy_n(reference->get().sampling.borderColor, 4, color);
  return CUDA_SUCCESS;
}
