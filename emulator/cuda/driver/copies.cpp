//===-- emulator/cuda/driver/copies.cpp - See copies.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/copies.h"
#include "emulator/cuda/driver/capture.h"

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

CUresult prepare(Context &context, const Copy &copy, Stream::Work &work,
                 bool &is_pageable) {
  is_pageable = false;
  if (!copy.width || !copy.height || !copy.depth)
    return CUDA_SUCCESS;
  const Memory &memory = context.memory;
  if (!fits(memory, copy.to, copy.to_side,
            extent(copy.to, copy.width, copy.height, copy.depth)) ||
      !fits(memory, copy.from, copy.from_side,
            extent(copy.from, copy.width, copy.height, copy.depth)))
    return CUDA_ERROR_INVALID_VALUE;
  auto is_host = [&](const Plane &plane, Side side) {
    return side != Side::device && !memory.is_pinned(plane.base) &&
           !memory.is_device_range(reinterpret_cast<uint64_t>(plane.base), 1);
  };
  is_pageable =
      is_host(copy.to, copy.to_side) || is_host(copy.from, copy.from_side);
  work = [copy, &hsa = context.hsa](Dispatcher &) {
    return do_copy(hsa, copy) ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS;
  };
  return CUDA_SUCCESS;
}

CUresult prepare(Context &context, const Fill &fill, Stream::Work &work) {
  if (!fill.width || !fill.height)
    return CUDA_SUCCESS;
  size_t bytes = 0;
  if (__builtin_mul_overflow(fill.width, fill.value_size, &bytes) ||
      reinterpret_cast<uint64_t>(fill.to.base) % fill.value_size ||
      fill.to.pitch % fill.value_size ||
      !fits(context.memory, fill.to, Side::device,
            extent(fill.to, bytes, fill.height, 1)))
    return CUDA_ERROR_INVALID_VALUE;
  work = [fill, &hsa = context.hsa](Dispatcher &) {
    do_fill(hsa, fill);
    return CUDA_SUCCESS;
  };
  return CUDA_SUCCESS;
}

Fill to_fill(const CUDA_MEMSET_NODE_PARAMS &from) {
  const Plane plane{reinterpret_cast<char *>(from.dst), from.pitch, 0};
  return {plane, from.value, from.elementSize, from.width, from.height};
}

/// Adds work to the stream, and waits for it.
static CUresult start(Context &context, Stream &stream, Stream::Work work,
                      Waits waits,
                      const std::function<NodeContent()> &describe) {
  if (!work)
    return CUDA_SUCCESS;
  if (waits == Waits::no || stream.is_captured)
    return add_work(context, stream, std::move(work), describe);
  if (CUresult error = refuse_captured(context, stream); error != CUDA_SUCCESS)
    return error;
  return context.run(stream, std::move(work));
}

/// A copy as a program describes it. Arrays are memory by now.
static CUDA_MEMCPY3D box_of(const Copy &copy) {
  auto type = [](Side side) {
    return side == Side::host     ? CU_MEMORYTYPE_HOST
           : side == Side::device ? CU_MEMORYTYPE_DEVICE
                                  : CU_MEMORYTYPE_UNIFIED;
  };
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): set below
  CUDA_MEMCPY3D box = {};
  box.dstMemoryType = type(copy.to_side);
  box.dstHost = copy.to.base;
  box.dstDevice = reinterpret_cast<CUdeviceptr>(copy.to.base);
  box.dstPitch = copy.to.pitch;
  box.dstHeight = copy.to.slice_rows;
  box.srcMemoryType = type(copy.from_side);
  box.srcHost = copy.from.base;
  box.srcDevice = reinterpret_cast<CUdeviceptr>(copy.from.base);
  box.srcPitch = copy.from.pitch;
  box.srcHeight = copy.from.slice_rows;
  box.WidthInBytes = copy.width;
  box.Height = copy.height;
  box.Depth = copy.depth;
  return box;
}

CUresult copy(Context &context, Stream &stream, const Copy &copy, Waits waits) {
  Stream::Work work;
  bool is_pageable = false;
  if (CUresult error = prepare(context, copy, work, is_pageable);
      error != CUDA_SUCCESS)
    return error;
  return start(
      context, stream, std::move(work), is_pageable ? Waits::yes : waits, [&] {
        return NodeContent{CU_GRAPH_NODE_TYPE_MEMCPY, box_of(copy), nullptr};
      });
}

CUresult fill(Context &context, Stream &stream, const Fill &fill, Waits waits) {
  Stream::Work work;
  if (CUresult error = prepare(context, fill, work); error != CUDA_SUCCESS)
    return error;
  return start(context, stream, std::move(work), waits, [&] {
    const CUDA_MEMSET_NODE_PARAMS parameters{
        reinterpret_cast<CUdeviceptr>(fill.to.base),
        fill.to.pitch,
        fill.value,
        fill.value_size,
        fill.width,
        fill.height};
    return NodeContent{CU_GRAPH_NODE_TYPE_MEMSET, parameters, nullptr};
  });
}

} // namespace gpuexec::cuda
