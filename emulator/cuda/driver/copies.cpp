//===-- emulator/cuda/driver/copies.cpp - See copies.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/copies.h"

#include <cstring>

namespace gpuexec::cuda {

namespace {

char *row_of(const Plane &plane, size_t row, size_t slice) {
  return plane.base + plane.pitch * (row + slice * plane.slice_rows);
}

/// The bytes from the first row's beginning to the last row's end; 0 when they
/// are more than a size_t holds.
size_t extent(const Plane &plane, size_t width, size_t height, size_t depth) {
  size_t rows = 0, bytes = 0;
  if (__builtin_mul_overflow(depth - 1, plane.slice_rows, &rows) ||
      __builtin_add_overflow(rows, height - 1, &rows) ||
      __builtin_mul_overflow(rows, plane.pitch, &bytes) ||
      __builtin_add_overflow(bytes, width, &bytes))
    return 0;
  return bytes;
}

/// True if the side may be what the caller says.
bool fits(const Memory &memory, const Plane &plane, Side side, size_t size) {
  if (!plane.base || !size)
    return false;
  const auto address = reinterpret_cast<uint64_t>(plane.base);
  return side != Side::device || memory.is_device_range(address, size);
}

bool do_copy(const Hsa &hsa, const Copy &copy) {
  for (size_t slice = 0; slice < copy.depth; ++slice)
    for (size_t row = 0; row < copy.height; ++row)
      if (!hsa.copy(row_of(copy.to, row, slice), row_of(copy.from, row, slice),
                    copy.width))
        return false;
  return true;
}

void do_fill(const Hsa &hsa, const Fill &fill) {
  for (size_t row = 0; row < fill.height; ++row) {
    char *to = row_of(fill.to, row, 0);
    const size_t bytes = fill.width * fill.value_size;
    if (fill.value_size == 1)
      memset(to, int(fill.value), bytes);
    else if (fill.value_size == 2)
      std::fill_n(reinterpret_cast<uint16_t *>(to), fill.width,
                  uint16_t(fill.value));
    else
      std::fill_n(reinterpret_cast<uint32_t *>(to), fill.width, fill.value);
    hsa.wrote(to, bytes);
  }
}

} // namespace

CUresult copy(Context &context, Stream &stream, const Copy &copy, Waits waits) {
  if (!copy.width || !copy.height || !copy.depth)
    return CUDA_SUCCESS;
  const Memory &memory = context.memory;
  if (!fits(memory, copy.to, copy.to_side,
            extent(copy.to, copy.width, copy.height, copy.depth)) ||
      !fits(memory, copy.from, copy.from_side,
            extent(copy.from, copy.width, copy.height, copy.depth)))
    return CUDA_ERROR_INVALID_VALUE;
  auto is_pageable = [&](const Plane &plane, Side side) {
    return side != Side::device && !memory.is_pinned(plane.base) &&
           !memory.is_device_range(reinterpret_cast<uint64_t>(plane.base), 1);
  };
  if (is_pageable(copy.to, copy.to_side) ||
      is_pageable(copy.from, copy.from_side))
    waits = Waits::yes;
  auto work = [copy, &hsa = context.hsa](Dispatcher &) {
    return do_copy(hsa, copy) ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS;
  };
  if (waits == Waits::yes)
    return context.run(stream, work);
  return context.submit(stream, work) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult fill(Context &context, Stream &stream, const Fill &fill, Waits waits) {
  if (!fill.width || !fill.height)
    return CUDA_SUCCESS;
  size_t bytes = 0;
  if (__builtin_mul_overflow(fill.width, fill.value_size, &bytes) ||
      reinterpret_cast<uint64_t>(fill.to.base) % fill.value_size ||
      fill.to.pitch % fill.value_size ||
      !fits(context.memory, fill.to, Side::device,
            extent(fill.to, bytes, fill.height, 1)))
    return CUDA_ERROR_INVALID_VALUE;
  auto work = [fill, &hsa = context.hsa](Dispatcher &) {
    do_fill(hsa, fill);
    return CUDA_SUCCESS;
  };
  if (waits == Waits::yes)
    return context.run(stream, work);
  return context.submit(stream, work) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

} // namespace gpuexec::cuda
