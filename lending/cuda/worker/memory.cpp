//===-- lending/cuda/worker/memory.cpp - Memory and copies ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/words.h"
#include "lending/cuda/worker/arguments.h"
#include "lending/wire/channel.h"
#include "lending/wire/messages.h"
#include "lending/wire/shared_memory.h"

#include <sys/mman.h>

namespace gpuexec::lent_cuda {

CUresult Session::own_Allocate(Reader &from, Reply &reply) {
  const auto size = from.take<uint64_t>();
  CUdeviceptr address = 0;
  if (auto kept = freed.find(size); kept != freed.end() && !current) {
    address = kept->second;
    freed.erase(kept);
    freed_bytes -= size;
    add_range(address, size, Range::device);
    reply.put(address);
    return CUDA_SUCCESS;
  }
  if (!may_take(size) || !may_take(size + freed_bytes))
    give_back_freed();
  if (!may_take(size))
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = driver.cuMemAlloc_v2(&address, size);
  if (result == CUDA_ERROR_OUT_OF_MEMORY && !freed.empty()) {
    give_back_freed();
    result = driver.cuMemAlloc_v2(&address, size);
  }
  if (result == CUDA_SUCCESS)
    add_range(address, size, Range::device);
  reply.put(address);
  return result;
}

/// Gives the driver what the client has freed.
void Session::give_back_freed() {
  for (const auto &[size, address] : std::exchange(freed, {}))
    driver.cuMemFree_v2(address);
  freed_bytes = 0;
}

CUresult Session::own_AllocatePitch(Reader &from, Reply &reply) {
  const auto width = from.take<uint64_t>(), height = from.take<uint64_t>();
  const auto element = from.take<uint32_t>();
  uint64_t least = 0;
  if (__builtin_mul_overflow(width, height, &least) || !may_take(least))
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUdeviceptr address = 0;
  size_t pitch = 0;
  const CUresult result =
      driver.cuMemAllocPitch_v2(&address, &pitch, width, height, element);
  if (result == CUDA_SUCCESS)
    add_range(address, pitch * height, Range::device);
  reply.put(address);
  reply.put(uint64_t(pitch));
  return result;
}

CUresult Session::own_AllocateAsync(Reader &from, Reply &reply) {
  const auto size = from.take<uint64_t>(), of = from.take<uint64_t>();
  CUstream stream = nullptr;
  CUmemoryPool pool = nullptr;
  if (!find(from.take<uint64_t>(), stream) || (of && !find(of, pool)))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!may_take(size))
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUdeviceptr address = 0;
  const CUresult result =
      of ? driver.cuMemAllocFromPoolAsync(&address, size, pool, stream)
         : driver.cuMemAllocAsync(&address, size, stream);
  if (result == CUDA_SUCCESS)
    add_range(address, size, Range::ordered);
  reply.put(address);
  return result;
}

CUresult Session::own_Free(Reader &from, Reply &) {
  constexpr uint64_t LARGEST_KEPT = 4 << 20, MOST_KEPT = 64 << 20;
  const auto address = from.take<uint64_t>();
  auto found = ranges.find(address);
  if (found == ranges.end() || found->second.use == Range::variable ||
      found->second.use == Range::pinned)
    return CUDA_ERROR_INVALID_VALUE;
  const Range range = found->second;
  const bool keeps = range.use == Range::device && !range.context && !current &&
                     range.size <= LARGEST_KEPT &&
                     freed_bytes <= MOST_KEPT - range.size;
  // To free memory waits for what uses it.
  const CUresult result =
      keeps ? driver.cuCtxSynchronize() : driver.cuMemFree_v2(address);
  used -= range.size;
  ranges.erase(found);
  if (keeps) {
    freed.emplace(range.size, address);
    freed_bytes += range.size;
  }
  return result;
}

CUresult Session::own_FreeAsync(Reader &from, Reply &) {
  const auto address = from.take<uint64_t>();
  CUstream stream = nullptr;
  if (!find(from.take<uint64_t>(), stream))
    return CUDA_ERROR_INVALID_HANDLE;
  auto found = ranges.find(address);
  if (found == ranges.end() || found->second.use == Range::variable ||
      found->second.use == Range::pinned)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = driver.cuMemFreeAsync(address, stream);
  if (result == CUDA_SUCCESS) {
    used -= found->second.size;
    ranges.erase(found);
  }
  return result;
}

/// Pinned memory: a file that both processes map at the same address. It is
/// sent over the socket, before the reply.
CUresult Session::own_AllocateHost(Reader &from, Reply &reply) {
  const auto size = from.take<uint64_t>();
  const uint64_t mapped = (size + 4095) / 4096 * 4096;
  if (!size || mapped < size || !may_take(mapped))
    return CUDA_ERROR_OUT_OF_MEMORY;
  UniqueFd file = wire::sealed_memory("gpuexec-pinned", mapped);
  if (!file)
    return CUDA_ERROR_OUT_OF_MEMORY;
  void *memory = MAP_FAILED;
  constexpr uint64_t STEP = uint64_t(2) << 20; // large pages start there
  for (unsigned tries = 0; tries < 64 && memory == MAP_FAILED; ++tries) {
    if (mapped > PINNED_END - next_pinned)
      next_pinned = PINNED_BEGIN;
    if (mapped > PINNED_END - PINNED_BEGIN)
      return CUDA_ERROR_OUT_OF_MEMORY;
    memory = ::mmap(reinterpret_cast<void *>(next_pinned), mapped,
                    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
                    file.get(), 0);
    next_pinned += (mapped + STEP - 1) / STEP * STEP;
  }
  if (memory == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  ::madvise(memory, mapped, MADV_DONTDUMP);
  const auto address = reinterpret_cast<uint64_t>(memory);
  CUresult result = driver.cuMemHostRegister_v2(
      memory, mapped,
      CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
  CUdeviceptr seen = 0;
  if (result == CUDA_SUCCESS &&
      (driver.cuMemHostGetDevicePointer_v2(&seen, memory, 0) != CUDA_SUCCESS ||
       seen != address)) {
    driver.cuMemHostUnregister(memory);
    result = CUDA_ERROR_NOT_SUPPORTED; // host and device addresses differ
  }
  if (result != CUDA_SUCCESS) {
    ::munmap(memory, mapped);
    return result;
  }
  add_range(address, mapped, Range::pinned);
  reply.put(address);
  nonsense |= !wire::Channel(socket).send(wire::CudaPinned{address, mapped},
                                          {file.get()});
  return CUDA_SUCCESS;
}

CUresult Session::own_FreeHost(Reader &from, Reply &) {
  driver.cuCtxSynchronize();
  return unmap_pinned(from.take<uint64_t>());
}

namespace {

/// Bytes from the first to behind the last that a side of a copy touches; 0
/// when there are too many.
uint64_t extent(uint64_t pitch, uint64_t height, uint64_t width, uint64_t rows,
                uint64_t slices) {
  uint64_t slice = 0, all = 0, more = 0;
  if (!width || !rows || !slices ||
      __builtin_mul_overflow(pitch, height, &slice) ||
      __builtin_mul_overflow(slice, slices - 1, &all) ||
      __builtin_mul_overflow(pitch, rows - 1, &more) ||
      __builtin_add_overflow(all, more, &all) ||
      __builtin_add_overflow(all, width, &all))
    return 0;
  return all;
}

} // namespace

/// Copies of so many bytes may wait in the driver.
static constexpr size_t LARGEST_DIRECT = 1 << 20;

static bool is_linear(const CUDA_MEMCPY3D &what) {
  return what.Height == 1 && what.Depth == 1 &&
         what.srcMemoryType != CU_MEMORYTYPE_ARRAY &&
         what.dstMemoryType != CU_MEMORYTYPE_ARRAY;
}

CUresult Session::own_Copy(Reader &from, Reply &) {
  auto call = from.take<CopyCall>();
  CUDA_MEMCPY3D &what = call.what;
  const bool staged = call.stage != NO_STAGE;
  // A stage of a copy that fails stays the client's.
  auto fail = [&](CUresult why) {
    if (staged && call.stage < STAGES)
      set_word(shared.stages[call.stage].state,
               call.to_stage ? STAGE_FULL : STAGE_FREE);
    return why;
  };
  CUstream stream = nullptr;
  if (!find(call.stream, stream))
    return fail(CUDA_ERROR_INVALID_HANDLE);
  if (staged) {
    const uint64_t size = extent(what.WidthInBytes, what.Height,
                                 what.WidthInBytes, what.Height, what.Depth);
    if (call.stage >= STAGES || !size || size > STAGE_SIZE)
      return fail(CUDA_ERROR_INVALID_VALUE);
    void *place = shared.staging[call.stage];
    if (call.to_stage) {
      what.dstMemoryType = CU_MEMORYTYPE_HOST;
      what.dstHost = place;
      what.dstPitch = what.WidthInBytes;
      what.dstHeight = what.Height;
      what.dstXInBytes = what.dstY = what.dstZ = 0;
    } else {
      what.srcMemoryType = CU_MEMORYTYPE_HOST;
      what.srcHost = place;
      what.srcPitch = what.WidthInBytes;
      what.srcHeight = what.Height;
      what.srcXInBytes = what.srcY = what.srcZ = 0;
    }
  }
  struct Side {
    CUmemorytype &type;
    CUdeviceptr &device;
    const void *host;
    CUarray &array;
    uint64_t x, y, z, pitch, height;
    bool is_stage;
  };
  for (const Side &side :
       {Side{what.srcMemoryType, what.srcDevice, what.srcHost, what.srcArray,
             what.srcXInBytes, what.srcY, what.srcZ, what.srcPitch,
             what.srcHeight, staged && !call.to_stage},
        Side{what.dstMemoryType, what.dstDevice, what.dstHost, what.dstArray,
             what.dstXInBytes, what.dstY, what.dstZ, what.dstPitch,
             what.dstHeight, staged && call.to_stage}}) {
    if (side.is_stage)
      continue;
    if (side.type == CU_MEMORYTYPE_ARRAY) {
      CUarray real = nullptr;
      if (!find(reinterpret_cast<uint64_t>(side.array), real))
        return fail(CUDA_ERROR_INVALID_HANDLE);
      side.array = real;
      continue;
    }
    if (side.type != CU_MEMORYTYPE_DEVICE && side.type != CU_MEMORYTYPE_HOST)
      return fail(CUDA_ERROR_INVALID_VALUE);
    const uint64_t begin = side.type == CU_MEMORYTYPE_DEVICE
                               ? side.device
                               : reinterpret_cast<uint64_t>(side.host);
    const uint64_t before =
        extent(side.pitch, side.height, side.x + 1, side.y + 1, side.z + 1);
    const uint64_t size = extent(side.pitch, side.height, what.WidthInBytes,
                                 what.Height, what.Depth);
    if (!before || !size || begin + before < begin ||
        !knows(begin + before - 1, size) || !knows(begin))
      return fail(CUDA_ERROR_INVALID_VALUE);
  }
  if (!staged && call.waits && is_alone && waiting.empty() &&
      what.WidthInBytes <= LARGEST_DIRECT && is_linear(what))
    return copy_directly(call);
  const CUresult result = start_copy(call, stream);
  if (result != CUDA_SUCCESS)
    return fail(result);
  if (!staged && call.waits && slot != NO_REPLY &&
      waiting.size() < REPLY_SLOTS) {
    waiting.push_back({WaitFor::copy, stream, slot, contexts[current]});
    replies_later = true;
  }
  if (!staged)
    return result;
  CUevent event = nullptr;
  if (!free_events.empty()) {
    event = free_events.back();
    free_events.pop_back();
  } else if (driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING)) {
    driver.cuStreamSynchronize(stream);
    return fail(CUDA_ERROR_OUT_OF_MEMORY);
  }
  driver.cuEventRecord(event, stream);
  copying.push_back(
      {event, call.stage, uint32_t(call.to_stage ? STAGE_FULL : STAGE_FREE)});
  return CUDA_SUCCESS;
}

namespace {

/// The two sides of a linear copy.
struct Line {
  bool to_host, from_host;
  std::byte *to;
  const std::byte *from;
};
Line line_of(const CUDA_MEMCPY3D &what) {
  const bool to_host = what.dstMemoryType == CU_MEMORYTYPE_HOST,
             from_host = what.srcMemoryType == CU_MEMORYTYPE_HOST;
  auto *to = static_cast<std::byte *>(
      to_host ? what.dstHost : reinterpret_cast<void *>(what.dstDevice));
  auto *from = static_cast<const std::byte *>(
      from_host ? what.srcHost : reinterpret_cast<void *>(what.srcDevice));
  return {to_host, from_host,
          to + what.dstXInBytes +
              what.dstPitch * (what.dstY + what.dstHeight * what.dstZ),
          from + what.srcXInBytes +
              what.srcPitch * (what.srcY + what.srcHeight * what.srcZ)};
}

} // namespace

/// The driver waits by itself: faster for small copies, and nobody else needs
/// this thread meanwhile.
CUresult Session::copy_directly(CopyCall &call) {
  const Line line = line_of(call.what);
  if (line.from_host && !line.to_host)
    return driver.cuMemcpyHtoD_v2(reinterpret_cast<CUdeviceptr>(line.to),
                                  line.from, call.what.WidthInBytes);
  if (line.to_host && !line.from_host)
    return driver.cuMemcpyDtoH_v2(line.to,
                                  reinterpret_cast<CUdeviceptr>(line.from),
                                  call.what.WidthInBytes);
  return CUDA_ERROR_INVALID_VALUE; // the client copies between its own memory
}

CUresult Session::start_copy(CopyCall &call, CUstream stream) {
  const CUDA_MEMCPY3D &what = call.what;
  if (!is_linear(what))
    return driver.cuMemcpy3DAsync_v2(&what, stream);
  const auto [to_host, from_host, to, from] = line_of(what);
  if (from_host && !to_host)
    return driver.cuMemcpyHtoDAsync_v2(reinterpret_cast<CUdeviceptr>(to), from,
                                       what.WidthInBytes, stream);
  if (to_host && !from_host)
    return driver.cuMemcpyDtoHAsync_v2(to, reinterpret_cast<CUdeviceptr>(from),
                                       what.WidthInBytes, stream);
  if (!to_host)
    return driver.cuMemcpyDtoDAsync_v2(reinterpret_cast<CUdeviceptr>(to),
                                       reinterpret_cast<CUdeviceptr>(from),
                                       what.WidthInBytes, stream);
  return driver.cuMemcpy3DAsync_v2(&what, stream);
}

} // namespace gpuexec::lent_cuda
