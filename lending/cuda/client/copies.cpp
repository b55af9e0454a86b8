//===-- lending/cuda/client/copies.cpp - Copies ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the program that CUDA has not given it goes through the stages, in
// pieces: while the device copies one, the program's thread copies the next.
// All other memory is copied by the driver alone.
#include "lending/cuda/client/bulk_copy.h"
#include "lending/cuda/client/session.h"

#include <algorithm>
#include <deque>

namespace gpuexec::lent_cuda {

namespace {

/// A block of rows of a copy: from x, y, z on.
struct Piece {
  size_t x, y, z, width, rows;
};

/// Calls `each` for pieces of at most `most` bytes.
template <typename Each>
CUresult cut(const CUDA_MEMCPY3D &what, size_t most, Each each) {
  for (size_t z = 0; z < what.Depth; ++z)
    for (size_t y = 0; y < what.Height;) {
      if (what.WidthInBytes > most) {
        for (size_t x = 0; x < what.WidthInBytes; x += most)
          GPUEXEC_TRY(
              each(Piece{x, y, z, std::min(most, what.WidthInBytes - x), 1}));
        ++y;
        continue;
      }
      const size_t rows = std::min(
          what.Height - y, std::max<size_t>(most / what.WidthInBytes, 1));
      GPUEXEC_TRY(each(Piece{0, y, z, what.WidthInBytes, rows}));
      y += rows;
    }
  return CUDA_SUCCESS;
}

size_t bytes_of(const CUDA_MEMCPY3D &what) {
  return what.WidthInBytes * what.Height * what.Depth;
}

/// Where a row of the host's side is.
std::byte *to_row(const CUDA_MEMCPY3D &what, size_t x, size_t y, size_t z) {
  return static_cast<std::byte *>(what.dstHost) + what.dstXInBytes + x +
         what.dstPitch * (what.dstY + y + what.dstHeight * (what.dstZ + z));
}
const std::byte *from_row(const CUDA_MEMCPY3D &what, size_t x, size_t y,
                          size_t z) {
  return static_cast<const std::byte *>(what.srcHost) + what.srcXInBytes + x +
         what.srcPitch * (what.srcY + y + what.srcHeight * (what.srcZ + z));
}

/// The copy of one piece.
CUDA_MEMCPY3D part_of(const CUDA_MEMCPY3D &what, const Piece &piece) {
  CUDA_MEMCPY3D part = what;
  part.srcXInBytes += piece.x;
  part.srcY += piece.y;
  part.srcZ += piece.z;
  part.dstXInBytes += piece.x;
  part.dstY += piece.y;
  part.dstZ += piece.z;
  part.WidthInBytes = piece.width;
  part.Height = piece.rows;
  part.Depth = 1;
  return part;
}

/// Larger copies do not fit into the caches of a processor.
constexpr size_t LARGEST_CACHED = 8 << 20;

/// Small copies are one piece; larger ones begin to be copied early.
size_t piece_size(size_t all) {
  constexpr size_t SMALLEST = 128 << 10, LARGEST = 512 << 10;
  static_assert(LARGEST <= STAGE_SIZE);
  return std::clamp(all / 4 / 4096 * 4096, SMALLEST, LARGEST);
}

} // namespace

/// A stage that nobody uses, or NO_STAGE.
uint32_t Session::try_stage() {
  for (uint32_t i = 0; i < STAGES; ++i) {
    uint32_t state = STAGE_FREE;
    if (shared->stages[i].state.compare_exchange_strong(state, STAGE_CLIENTS))
      return i;
  }
  return NO_STAGE;
}

/// Waits for a stage. The caller has none that only it can set free. NO_STAGE:
/// the device is lost.
uint32_t Session::take_stage() {
  for (;;) {
    if (const uint32_t stage = try_stage(); stage != NO_STAGE)
      return stage;
    const uint32_t next = next_stage++ % STAGES;
    const bool alive = wait_word(
        shared->stages[next].state, std::chrono::microseconds(200),
        [](uint32_t state) { return state == STAGE_FREE; },
        [&] { return goes_on(); });
    if (!alive)
      return NO_STAGE;
  }
}

CUresult Session::post_copy(const CUDA_MEMCPY3D &what, CUstream stream,
                            uint32_t stage, bool to_stage, bool waits) {
  Writer writer;
  writer.put(CopyCall{what, reinterpret_cast<uint64_t>(stream), stage,
                      uint16_t(to_stage), uint16_t(waits)});
  // Only the worker knows whether an array is large enough.
  const bool has_array = what.srcMemoryType == CU_MEMORYTYPE_ARRAY ||
                         what.dstMemoryType == CU_MEMORYTYPE_ARRAY;
  return has_array || waits ? ask(Call::Copy, writer)
                            : post(Call::Copy, writer);
}

CUresult Session::copy_from_stages(const CUDA_MEMCPY3D &what, CUstream stream) {
  BulkCopy &bulk = BulkCopy::get();
  return cut(what, piece_size(bytes_of(what)), [&](const Piece &piece) {
    const uint32_t stage = take_stage();
    if (stage == NO_STAGE)
      return lost();
    std::byte *to = shared->staging[stage];
    for (size_t row = 0; row < piece.rows; ++row)
      bulk.copy(to + row * piece.width,
                from_row(what, piece.x, piece.y + row, piece.z), piece.width,
                /*streams=*/false);
    return post_copy(part_of(what, piece), stream, stage, /*to_stage=*/false);
  });
}

CUresult Session::copy_to_stages(const CUDA_MEMCPY3D &what, CUstream stream) {
  struct Begun {
    uint32_t stage;
    Piece piece;
  };
  std::deque<Begun> begun;
  BulkCopy &bulk = BulkCopy::get();
  const bool streams = bytes_of(what) >= LARGEST_CACHED;
  auto finish = [&] {
    const Begun first = begun.front();
    begun.pop_front();
    Word &state = shared->stages[first.stage].state;
    const bool alive = wait_word(
        state, std::chrono::microseconds(200),
        [](uint32_t value) { return value == STAGE_FULL; },
        [&] { return goes_on(); });
    if (!alive)
      return lost();
    const std::byte *from = shared->staging[first.stage];
    const Piece &piece = first.piece;
    for (size_t row = 0; row < piece.rows; ++row)
      bulk.copy(to_row(what, piece.x, piece.y + row, piece.z),
                from + row * piece.width, piece.width, streams);
    set_word(state, STAGE_FREE);
    return CUDA_SUCCESS;
  };
  constexpr size_t AHEAD = STAGES / 2; // others may copy too
  CUresult result =
      cut(what, piece_size(bytes_of(what)), [&](const Piece &piece) {
        if (begun.size() >= AHEAD)
          GPUEXEC_TRY(finish());
        uint32_t stage = try_stage();
        while (stage == NO_STAGE && !begun.empty()) {
          GPUEXEC_TRY(finish());
          stage = try_stage();
        }
        if (stage == NO_STAGE)
          stage = take_stage();
        if (stage == NO_STAGE)
          return lost();
        begun.push_back({stage, piece}); // it gets full after an error too
        return post_copy(part_of(what, piece), stream, stage, true);
      });
  while (!begun.empty())
    if (CUresult error = finish(); result == CUDA_SUCCESS)
      result = error;
  return take_late(result);
}

CUresult Session::copy_on_host(const CUDA_MEMCPY3D &what, CUstream stream) {
  GPUEXEC_TRY(wait(WaitFor::stream, reinterpret_cast<uint64_t>(stream)));
  for (size_t z = 0; z < what.Depth; ++z)
    for (size_t y = 0; y < what.Height; ++y)
      std::memmove(to_row(what, 0, y, z), from_row(what, 0, y, z),
                   what.WidthInBytes);
  return CUDA_SUCCESS;
}

CUresult Session::copy(const CUDA_MEMCPY3D &wanted, CUstream stream,
                       bool waits) {
  GPUEXEC_CURRENT(context);
  const auto handle = reinterpret_cast<uint64_t>(stream);
  GPUEXEC_REQUIRE(handle <= 2 || has(Kind::stream, handle), INVALID_HANDLE);
  CUDA_MEMCPY3D what = wanted;
  if (!what.WidthInBytes || !what.Height || !what.Depth)
    return CUDA_SUCCESS;
  // Which side is whose memory: pageable memory is neither CUDA's nor pinned.
  auto settle = [&](CUmemorytype &type, void *&host, CUdeviceptr &address,
                    CUarray array, size_t first, size_t pitch, size_t height,
                    bool &pageable) {
    pageable = false;
    if (type == CU_MEMORYTYPE_ARRAY)
      return has(Kind::array, reinterpret_cast<uint64_t>(array))
                 ? CUDA_SUCCESS
                 : CUDA_ERROR_INVALID_HANDLE;
    if (type == CU_MEMORYTYPE_HOST)
      address = reinterpret_cast<CUdeviceptr>(host);
    else if (type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_UNIFIED)
      return CUDA_ERROR_INVALID_VALUE;
    host = reinterpret_cast<void *>(address);
    Memory memory;
    const bool known = find_memory(address, memory);
    // The worker's errors come late.
    const size_t last = first + pitch * (what.Height - 1) +
                        pitch * height * (what.Depth - 1) + what.WidthInBytes;
    if (known && type != CU_MEMORYTYPE_HOST &&
        last > memory.size - (address - memory.begin))
      return CUDA_ERROR_INVALID_VALUE;
    if (known && (memory.use == Use::pinned || memory.use == Use::managed)) {
      type = CU_MEMORYTYPE_HOST;
    } else if (known && memory.use != Use::registered &&
               (memory.is_ours || type != CU_MEMORYTYPE_HOST)) {
      if (type == CU_MEMORYTYPE_HOST)
        return CUDA_ERROR_INVALID_VALUE;
      type = CU_MEMORYTYPE_DEVICE;
    } else {
      if (type == CU_MEMORYTYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
      GPUEXEC_REQUIRE(address, INVALID_VALUE);
      type = CU_MEMORYTYPE_HOST;
      pageable = true;
    }
    return CUDA_SUCCESS;
  };
  bool to_pageable = false, from_pageable = false;
  GPUEXEC_TRY(
      settle(what.dstMemoryType, what.dstHost, what.dstDevice, what.dstArray,
             what.dstXInBytes +
                 what.dstPitch * (what.dstY + what.dstHeight * what.dstZ),
             what.dstPitch, what.dstHeight, to_pageable));
  void *from = const_cast<void *>(what.srcHost);
  GPUEXEC_TRY(
      settle(what.srcMemoryType, from, what.srcDevice, what.srcArray,
             what.srcXInBytes +
                 what.srcPitch * (what.srcY + what.srcHeight * what.srcZ),
             what.srcPitch, what.srcHeight, from_pageable));
  what.srcHost = from;
  if (what.srcMemoryType == CU_MEMORYTYPE_HOST &&
      what.dstMemoryType == CU_MEMORYTYPE_HOST)
    return copy_on_host(what, stream);
  if (from_pageable)
    return copy_from_stages(what, stream);
  if (to_pageable)
    return copy_to_stages(what, stream);
  const bool to_device_only = what.srcMemoryType != CU_MEMORYTYPE_HOST &&
                              what.dstMemoryType != CU_MEMORYTYPE_HOST;
  return post_copy(what, stream, NO_STAGE, /*to_stage=*/false,
                   waits && !to_device_only);
}

} // namespace gpuexec::lent_cuda
