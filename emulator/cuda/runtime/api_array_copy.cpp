//===-- emulator/cuda/runtime/api_array_copy.cpp - Copies of arrays -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/channels.h"
#include "emulator/cuda/runtime/copies.h"
#include "emulator/cuda/runtime/thread.h"

#include <algorithm>

using namespace gpuexec::cudart;

namespace {

/// A row and a byte in it of an array, or an address and a pitch.
struct Place {
  cudaArray_const_t array = nullptr;
  size_t x = 0, y = 0;
  const void *memory = nullptr;
  size_t pitch = 0;
};

void set_to(CUDA_MEMCPY3D &what, const Place &place) {
  if (place.array) {
    what.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    what.dstArray =
        reinterpret_cast<CUarray>(const_cast<cudaArray_t>(place.array));
  }
  what.dstXInBytes = place.x;
  what.dstY = place.y;
  what.dstDevice = reinterpret_cast<CUdeviceptr>(place.memory);
  what.dstPitch = place.pitch;
}

void set_from(CUDA_MEMCPY3D &what, const Place &place) {
  if (place.array) {
    what.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    what.srcArray =
        reinterpret_cast<CUarray>(const_cast<cudaArray_t>(place.array));
  }
  what.srcXInBytes = place.x;
  what.srcY = place.y;
  what.srcDevice = reinterpret_cast<CUdeviceptr>(place.memory);
  what.srcPitch = place.pitch;
}

cudaError_t copy_rows(const Place &to, const Place &from, size_t width,
                      size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                      Waits waits) {
  CUDA_MEMCPY3D what = {};
  set_to(what, to);
  set_from(what, from);
  what.WidthInBytes = width;
  what.Height = height;
  what.Depth = 1;
  return copy(what, kind, stream, waits);
}

/// Bytes of an array's row; 0 for what is no array, with an error.
cudaError_t row_bytes(cudaArray_const_t array, size_t &bytes) {
  cudaChannelFormatDesc description{};
  cudaExtent extent{};
  GPUEXEC_CUDART_TRY(cudaArrayGetInfo(&description, &extent, nullptr,
                                      const_cast<cudaArray_t>(array)));
  Channels channels;
  GPUEXEC_CUDART_REQUIRE(channels_of(description, channels), InvalidValue);
  bytes = extent.width * channels.bytes();
  return cudaSuccess;
}

/// Moves on by `size` bytes, to a later row where this one ends.
void advance(Place &place, size_t size, size_t row) {
  if (!place.array) {
    place.memory = static_cast<const char *>(place.memory) + size;
    return;
  }
  place.x += size;
  place.y += place.x / row;
  place.x %= row;
}

/// Copies bytes in the order of rows, piece by piece: each ends where a row of
/// an array does.
cudaError_t copy_bytes(Place to, Place from, size_t size, cudaMemcpyKind kind,
                       cudaStream_t stream, Waits waits) {
  size_t to_row = 0, from_row = 0;
  if (to.array)
    GPUEXEC_CUDART_TRY(row_bytes(to.array, to_row));
  if (from.array)
    GPUEXEC_CUDART_TRY(row_bytes(from.array, from_row));
  GPUEXEC_CUDART_REQUIRE((!to_row || to.x < to_row) &&
                             (!from_row || from.x < from_row),
                         InvalidValue);
  while (size) {
    size_t piece = size, rows = 1;
    if (to_row)
      piece = std::min(piece, to_row - to.x);
    if (from_row)
      piece = std::min(piece, from_row - from.x);
    // Whole rows go together where one side is memory without rows.
    if (!to_row != !from_row && piece == std::max(to_row, from_row))
      rows = size / piece;
    to.pitch = from.pitch = piece;
    GPUEXEC_CUDART_TRY(copy_rows(to, from, piece, rows, kind, stream, waits));
    advance(to, piece * rows, to_row);
    advance(from, piece * rows, from_row);
    size -= piece * rows;
  }
  return cudaSuccess;
}

Place in(cudaArray_const_t array, size_t x, size_t y) {
  return {array, x, y, nullptr, 0};
}
Place at(const void *memory, size_t pitch = 0) {
  return {nullptr, 0, 0, memory, pitch};
}

} // namespace

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                     const void *from, size_t pitch,
                                     size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  GPUEXEC_CUDART_REQUIRE(to, InvalidResourceHandle);
  GPUEXEC_CUDART_REQUIRE(pitch >= width || height <= 1, InvalidPitchValue);
  return copy_rows(in(to, x, y), at(from, pitch), width, height, kind, stream,
                   Waits::no);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y,
                                const void *from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  GPUEXEC_CUDART_REQUIRE(to, InvalidResourceHandle);
  GPUEXEC_CUDART_REQUIRE(pitch >= width || height <= 1, InvalidPitchValue);
  return copy_rows(in(to, x, y), at(from, pitch), width, height, kind, nullptr,
                   Waits::yes);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch,
                                       cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  GPUEXEC_CUDART_REQUIRE(from, InvalidResourceHandle);
  GPUEXEC_CUDART_REQUIRE(pitch >= width || height <= 1, InvalidPitchValue);
  return copy_rows(at(to, pitch), in(from, x, y), width, height, kind, stream,
                   Waits::no);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch,
                                  cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  GPUEXEC_CUDART_REQUIRE(from, InvalidResourceHandle);
  GPUEXEC_CUDART_REQUIRE(pitch >= width || height <= 1, InvalidPitchValue);
  return copy_rows(at(to, pitch), in(from, x, y), width, height, kind, nullptr,
                   Waits::yes);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  GPUEXEC_CUDART_REQUIRE(to && from, InvalidResourceHandle);
  return copy_rows(in(to, to_x, to_y), in(from, from_x, from_y), width, height,
                   kind, nullptr, Waits::yes);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y,
                              const void *from, size_t size,
                              cudaMemcpyKind kind) {
  GPUEXEC_CUDART_REQUIRE(to, InvalidResourceHandle);
  return copy_bytes(in(to, x, y), at(from), size, kind, nullptr, Waits::yes);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                   const void *from, size_t size,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  GPUEXEC_CUDART_REQUIRE(to, InvalidResourceHandle);
  return copy_bytes(in(to, x, y), at(from), size, kind, stream, Waits::no);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x,
                                size_t y, size_t size, cudaMemcpyKind kind) {
  GPUEXEC_CUDART_REQUIRE(from, InvalidResourceHandle);
  return copy_bytes(at(to), in(from, x, y), size, kind, nullptr, Waits::yes);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x,
                                     size_t y, size_t size, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  GPUEXEC_CUDART_REQUIRE(from, InvalidResourceHandle);
  return copy_bytes(at(to), in(from, x, y), size, kind, stream, Waits::no);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                   cudaArray_const_t from, size_t from_x,
                                   size_t from_y, size_t size,
                                   cudaMemcpyKind kind) {
  GPUEXEC_CUDART_REQUIRE(to && from, InvalidResourceHandle);
  return copy_bytes(in(to, to_x, to_y), in(from, from_x, from_y), size, kind,
                    nullptr, Waits::yes);
}
