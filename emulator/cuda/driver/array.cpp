//===-- emulator/cuda/driver/array.cpp - See array.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/array.h"

#include <algorithm>

namespace gpuexec::cuda {

namespace {

constexpr size_t ROW_ALIGNMENT = 64; // bytes
constexpr size_t LARGEST_SIDE = size_t(1) << 27;

bool channel_facts(CUarray_format format, gpuexec_cuda_channel &channel,
                   unsigned &bytes) {
  switch (format) {
#define GPUEXEC_FORMAT(NAME, CHANNEL, BYTES)                                   \
  case CU_AD_FORMAT_##NAME:                                                    \
    channel = GPUEXEC_CUDA_##CHANNEL;                                          \
    bytes = BYTES;                                                             \
    return true;
    GPUEXEC_FORMAT(UNSIGNED_INT8, U8, 1)
    GPUEXEC_FORMAT(UNSIGNED_INT16, U16, 2)
    GPUEXEC_FORMAT(UNSIGNED_INT32, U32, 4)
    GPUEXEC_FORMAT(SIGNED_INT8, S8, 1)
    GPUEXEC_FORMAT(SIGNED_INT16, S16, 2)
    GPUEXEC_FORMAT(SIGNED_INT32, S32, 4)
    GPUEXEC_FORMAT(HALF, F16, 2)
    GPUEXEC_FORMAT(FLOAT, F32, 4)
#undef GPUEXEC_FORMAT
  default:
    return false;
  }
}

/// What CUDA demands of the sizes.
bool is_valid(const CUDA_ARRAY3D_DESCRIPTOR &d) {
  const bool is_layered = d.Flags & CUDA_ARRAY3D_LAYERED;
  if (!d.Width || (!d.Height && d.Depth && !is_layered) ||
      (is_layered && !d.Depth))
    return false;
  if (d.Width > LARGEST_SIDE || d.Height > LARGEST_SIDE ||
      d.Depth > LARGEST_SIDE)
    return false;
  if (d.Flags & CUDA_ARRAY3D_CUBEMAP)
    return d.Width == d.Height && d.Depth &&
           (is_layered ? d.Depth % 6 == 0 : d.Depth == 6);
  return true;
}

} // namespace

bool element_facts(CUarray_format format, unsigned channels,
                   ElementFacts &facts) {
  unsigned bytes = 0;
  if ((channels != 1 && channels != 2 && channels != 4) ||
      !channel_facts(format, facts.channel, bytes))
    return false;
  facts.channels = channels;
  facts.bytes = bytes * channels;
  return true;
}

CUresult Array::make(Memory &memory, const void *context,
                     const CUDA_ARRAY3D_DESCRIPTOR &description,
                     std::shared_ptr<Array> &array) {
  if (!is_valid(description))
    return CUDA_ERROR_INVALID_VALUE;
  constexpr unsigned KNOWN =
      CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_SURFACE_LDST |
      CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;
  auto made = std::make_shared<Array>(memory, context);
  if (description.Flags & ~KNOWN ||
      !element_facts(description.Format, description.NumChannels,
                     made->element))
    return CUDA_ERROR_NOT_SUPPORTED;
  gpuexec_cuda_level &place = made->place;
  place.width = uint32_t(description.Width);
  place.height = uint32_t(std::max<size_t>(description.Height, 1));
  place.depth = uint32_t(std::max<size_t>(description.Depth, 1));
  place.pitch =
      (made->row_bytes() + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
  size_t bytes = 0;
  if (__builtin_mul_overflow(place.pitch, place.height, &place.slice) ||
      __builtin_mul_overflow(place.slice, place.depth, &bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  void *data = nullptr;
  if (CUresult error =
          memory.allocate(bytes, MemoryUse::array, 0, context, &data))
    return error;
  place.data = reinterpret_cast<uint64_t>(data);
  made->description = description;
  array = std::move(made);
  return CUDA_SUCCESS;
}

Array::~Array() {
  if (place.data)
    memory.free(place.data, MemoryUse::array);
}

CUresult MipmappedArray::make(Memory &memory, const void *context,
                              const CUDA_ARRAY3D_DESCRIPTOR &description,
                              unsigned levels,
                              std::shared_ptr<MipmappedArray> &array) {
  if (!levels || !is_valid(description))
    return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_shared<MipmappedArray>(memory, context);
  CUDA_ARRAY3D_DESCRIPTOR one = description;
  const bool has_slices =
      !(one.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP));
  auto halve = [](size_t &size) { size = size > 1 ? size / 2 : size; };
  while (made->levels.size() < levels) {
    std::shared_ptr<Array> level;
    if (CUresult error = Array::make(memory, context, one, level))
      return error;
    made->levels.push_back(std::move(level));
    if (std::max({one.Width, one.Height, has_slices ? one.Depth : 0}) == 1)
      break; // CUDA clamps the number of levels
    halve(one.Width);
    halve(one.Height);
    if (has_slices)
      halve(one.Depth);
  }
  void *places = nullptr;
  if (CUresult error =
          memory.allocate(made->levels.size() * sizeof(gpuexec_cuda_level),
                          MemoryUse::array, 0, context, &places))
    return error;
  made->places = static_cast<gpuexec_cuda_level *>(places);
  for (size_t n = 0; n < made->levels.size(); ++n)
    made->places[n] = made->levels[n]->place;
  memory.wrote(places, made->levels.size() * sizeof(gpuexec_cuda_level));
  array = std::move(made);
  return CUDA_SUCCESS;
}

MipmappedArray::~MipmappedArray() {
  if (places)
    memory.free(reinterpret_cast<uint64_t>(places), MemoryUse::array);
}

} // namespace gpuexec::cuda
