//===-- emulator/cuda/driver/texture.cpp - See texture.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/texture.h"

#include <algorithm>
#include <new>

namespace gpuexec::cuda {

namespace {

void set_element(gpuexec_cuda_texture &facts, const ElementFacts &element) {
  facts.channel = element.channel;
  facts.channels = element.channels;
  facts.element = element.bytes;
}

CUresult set_linear(gpuexec_cuda_texture &facts, const Memory &memory,
                    const CUDA_RESOURCE_DESC &description) {
  const auto &linear = description.res.linear;
  ElementFacts element;
  if (!element_facts(linear.format, linear.numChannels, element))
    return CUDA_ERROR_INVALID_VALUE;
  const size_t count = linear.sizeInBytes / element.bytes;
  if (!count || count > INT32_MAX ||
      !memory.is_device_range(linear.devPtr, linear.sizeInBytes))
    return CUDA_ERROR_INVALID_VALUE;
  set_element(facts, element);
  facts.base = {linear.devPtr,
                linear.sizeInBytes,
                linear.sizeInBytes,
                uint32_t(count),
                1,
                1,
                0};
  facts.flags |= GPUEXEC_CUDA_RANGE;
  return CUDA_SUCCESS;
}

CUresult set_pitched(gpuexec_cuda_texture &facts, const Memory &memory,
                     const CUDA_RESOURCE_DESC &description) {
  const auto &plane = description.res.pitch2D;
  ElementFacts element;
  if (!element_facts(plane.format, plane.numChannels, element))
    return CUDA_ERROR_INVALID_VALUE;
  size_t bytes = 0;
  if (!plane.width || !plane.height || plane.width > INT32_MAX ||
      plane.height > INT32_MAX ||
      plane.pitchInBytes < plane.width * element.bytes ||
      __builtin_mul_overflow(plane.pitchInBytes, plane.height - 1, &bytes) ||
      __builtin_add_overflow(bytes, plane.width * element.bytes, &bytes) ||
      !memory.is_device_range(plane.devPtr, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  set_element(facts, element);
  facts.base = {plane.devPtr,
                plane.pitchInBytes,
                plane.pitchInBytes * plane.height,
                uint32_t(plane.width),
                uint32_t(plane.height),
                1,
                0};
  return CUDA_SUCCESS;
}

/// The elements that a format of a view stands for.
bool view_facts(CUresourceViewFormat format, ElementFacts &facts) {
  static constexpr CUarray_format FORMATS[] = {
      CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_SIGNED_INT8,
      CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16,
      CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32,
      CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
  // In groups of three: one, two and four channels.
  const int n = int(format) - CU_RES_VIEW_FORMAT_UINT_1X8;
  return n >= 0 && n < 3 * 8 &&
         element_facts(FORMATS[n / 3], 1u << n % 3, facts);
}

} // namespace

CUresult set_resource(gpuexec_cuda_texture &facts, const Memory &memory,
                      const Resource &resource) {
  facts.level_count = 1;
  switch (resource.description.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    if (!resource.array)
      return CUDA_ERROR_INVALID_VALUE;
    facts.base = resource.array->place;
    set_element(facts, resource.array->element);
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    if (!resource.mipmap)
      return CUDA_ERROR_INVALID_VALUE;
    facts.base = resource.mipmap->places[0];
    facts.levels = reinterpret_cast<uint64_t>(resource.mipmap->places);
    facts.level_count = uint32_t(resource.mipmap->levels.size());
    set_element(facts, resource.mipmap->levels[0]->element);
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_LINEAR:
    return set_linear(facts, memory, resource.description);
  case CU_RESOURCE_TYPE_PITCH2D:
    return set_pitched(facts, memory, resource.description);
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult set_sampling(gpuexec_cuda_texture &facts,
                      const CUDA_TEXTURE_DESC &description) {
  if (description.flags & CU_TRSF_SRGB)
    return CUDA_ERROR_NOT_SUPPORTED;
  const bool is_narrow = facts.channel != GPUEXEC_CUDA_U32 &&
                         facts.channel < GPUEXEC_CUDA_F16 &&
                         facts.channel != GPUEXEC_CUDA_S32;
  const bool is_float = facts.channel >= GPUEXEC_CUDA_F16;
  const bool normalizes =
      is_narrow && !(description.flags & CU_TRSF_READ_AS_INTEGER);
  if (description.filterMode == CU_TR_FILTER_MODE_LINEAR) {
    if (!is_float && !normalizes)
      return CUDA_ERROR_INVALID_VALUE; // only floats are filtered
    facts.flags |= GPUEXEC_CUDA_LINEAR_FILTER;
  }
  if (description.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR)
    facts.flags |= GPUEXEC_CUDA_LINEAR_BETWEEN_LEVELS;
  if (description.flags & CU_TRSF_NORMALIZED_COORDINATES)
    facts.flags |= GPUEXEC_CUDA_NORMALIZED_COORDINATES;
  if (normalizes)
    facts.flags |= GPUEXEC_CUDA_NORMALIZED_VALUES;
  for (unsigned n = 0; n < 3; ++n) {
    if (description.addressMode[n] > CU_TR_ADDRESS_MODE_BORDER)
      return CUDA_ERROR_INVALID_VALUE;
    facts.address_mode[n] = description.addressMode[n];
  }
  std::copy_n(description.borderColor, 4, facts.border);
  facts.level_bias = description.mipmapLevelBias;
  facts.least_level = description.minMipmapLevelClamp;
  facts.greatest_level = description.maxMipmapLevelClamp;
  return CUDA_SUCCESS;
}

CUresult set_view(gpuexec_cuda_texture &facts,
                  const CUDA_RESOURCE_VIEW_DESC &view) {
  if (view.format != CU_RES_VIEW_FORMAT_NONE) {
    ElementFacts element;
    if (!view_facts(view.format, element))
      return CUDA_ERROR_NOT_SUPPORTED;
    if (element.bytes != facts.element)
      return CUDA_ERROR_INVALID_VALUE;
    set_element(facts, element);
  }
  if (view.lastMipmapLevel >= facts.level_count ||
      view.firstMipmapLevel > view.lastMipmapLevel)
    return CUDA_ERROR_INVALID_VALUE;
  if (facts.levels) {
    facts.levels += view.firstMipmapLevel * sizeof(gpuexec_cuda_level);
    facts.level_count = view.lastMipmapLevel - view.firstMipmapLevel + 1;
    facts.base = *reinterpret_cast<const gpuexec_cuda_level *>(facts.levels);
  }
  if (view.firstLayer > view.lastLayer || view.lastLayer >= facts.base.depth ||
      (facts.levels && view.firstLayer))
    return CUDA_ERROR_INVALID_VALUE;
  if (view.lastLayer) {
    facts.base.data += view.firstLayer * facts.base.slice;
    facts.base.depth = view.lastLayer - view.firstLayer + 1;
  }
  return CUDA_SUCCESS;
}

std::shared_ptr<Texture> place_on_device(const Hsa &hsa,
                                         const Texture &texture) {
  void *memory = hsa.allocate(sizeof(Texture));
  if (!memory)
    return nullptr;
  auto *placed = new (memory) Texture(texture);
  hsa.wrote(memory, sizeof(Texture));
  return std::shared_ptr<Texture>(placed, [&hsa](Texture *old) {
    old->~Texture();
    hsa.free(old);
  });
}

} // namespace gpuexec::cuda
