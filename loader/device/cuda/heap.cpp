//===-- loader/device/cuda/heap.cpp - The program's heap ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/heap.h"
#include <algorithm>
#include <cstring>

namespace gpuexec::cuda {

/// Offsets in the pinned memory, behind the memory of Copies: small_buffer() of
/// SMALL_SIZE bytes, then mark().
static constexpr uint64_t SMALL_OFFSET = Heap::COPIES_END;
static constexpr uint64_t SMALL_SIZE = 16 * 1024;
static constexpr uint64_t MARK_OFFSET = SMALL_OFFSET + SMALL_SIZE;
static constexpr uint64_t BUFFER_SIZE = MARK_OFFSET + 64;
/// The alignment of the heap, which LLVM's device heap needs for its slabs.
static constexpr uint64_t ALIGNMENT = 2u << 20;

/// A heap that grows doubles, but maps no more bytes than this at a time.
static constexpr uint64_t LARGEST_STEP = uint64_t(4) << 30;
/// A heap that grows leaves 1/16 of the device's memory to other programs: each
/// needs some to begin.
static constexpr uint64_t SHARE_OF_OTHERS = 16;

Heap::~Heap() {
  if (grower.joinable())
    grower.join();
  if (allocation)
    api.cuMemFree_v2(allocation);
  if (bounce)
    api.cuMemFreeHost(bounce);
  for (CUstream each : {stream, half_streams[0], half_streams[1]})
    if (each)
      api.cuStreamDestroy_v2(each);
}

llvm::Error Heap::initialise() {
  for (CUstream *each : {&stream, &half_streams[0], &half_streams[1]})
    if (llvm::Error error =
            api.check(api.cuStreamCreate(each, CU_STREAM_NON_BLOCKING),
                      "creating the streams for copies"))
      return error;
  void *buffer = nullptr;
  if (llvm::Error error = api.check(
          api.cuMemHostAlloc(&buffer, BUFFER_SIZE, CU_MEMHOSTALLOC_DEVICEMAP),
          "allocating pinned memory for copies"))
    return error;
  bounce = static_cast<std::byte *>(buffer);
  constexpr uint64_t END_WORDS = BOUNCE_SIZE + 2 * HALF_SIZE;
  std::memset(bounce + END_WORDS, 0, SMALL_OFFSET - END_WORDS);
  if (api.cuMemHostGetDevicePointer_v2(&bounce_address, buffer, 0))
    bounce_address = 0;
  return llvm::Error::success();
}

CUresult Heap::map(uint64_t size, uint64_t limit, const char *&what) {
  if (!device_memory.is_supported()) {
    // The heap is one allocation, with room to align its first slab.
    what = "allocating the heap";
    if (CUresult result = api.cuMemAlloc_v2(&allocation, size + ALIGNMENT))
      return result;
    ranges = RangeAllocator(allocation, size + ALIGNMENT);
    return CUDA_SUCCESS;
  }
  // Reserving addresses costs nothing, but the device may have too few of them.
  if (!device_memory.room())
    if (device_memory.reserve(limit, ALIGNMENT, what))
      if (CUresult result = device_memory.reserve(size, ALIGNMENT, what))
        return result;
  if (CUresult result = device_memory.extend(size, what))
    return result;
  in_ranges = device_memory.size();
  ranges = RangeAllocator(device_memory.begin(), in_ranges);
  return CUDA_SUCCESS;
}

DeviceAddress Heap::allocate(uint64_t size, uint64_t alignment) {
  // Other requests may take the new memory before this one looks again.
  for (;;) {
    {
      std::lock_guard lock(range_mutex);
      const uint64_t most = limit;
      if (size > most - std::min(used, most))
        return {};
      if (uint64_t address = ranges.allocate(size, alignment)) {
        used += std::max<uint64_t>(size, 1);
        touched = std::max(touched, address + size);
        return DeviceAddress(address);
      }
    }
    if (size > UINT64_MAX - alignment || !grow(size + alignment))
      return {};
  }
}

/// Maps more memory, or waits until another thread has. True when the caller
/// should look for a piece again; false when there is no more memory, or none
/// in time.
bool Heap::grow(uint64_t needed) {
  std::unique_lock lock(range_mutex);
  auto ends = [&] { return !growing; };
  if (growing) // for another request; its size may be more than there is
    return grown.wait_for(lock, api.growth_timeout, ends);
  if (needed > device_memory.room())
    return false;
  if (grower.joinable())
    grower.join();
  const uint64_t before = in_ranges;
  growing = grower.start([this, needed] { map_more(needed); },
                         Thread::Signals::blocked);
  grown.wait_for(lock, api.growth_timeout, ends);
  return in_ranges > before;
}

/// Runs in the thread `grower`: maps at least `needed` bytes more.
void Heap::map_more(uint64_t needed) {
  api.cuCtxSetCurrent(context);
  size_t unused = 0, total = 0;
  const char *what = "";
  if (api.cuMemGetInfo_v2(&unused, &total) == CUDA_SUCCESS) {
    const uint64_t unit = device_memory.unit();
    needed = (needed + unit - 1) / unit * unit;
    const uint64_t others = total / SHARE_OF_OTHERS,
                   most =
                       std::min<uint64_t>(unused > others ? unused - others : 0,
                                          device_memory.room());
    uint64_t step =
        std::max(needed, std::min(device_memory.size(), LARGEST_STEP));
    step = std::min(step, most / unit * unit);
    // Other programs take memory, too: then only `needed` is mapped.
    if (step >= needed && device_memory.extend(step, what) && step > needed)
      device_memory.extend(needed, what);
  }
  std::lock_guard lock(range_mutex);
  ranges.extend(device_memory.size() - in_ranges);
  in_ranges = device_memory.size();
  growing = false;
  grown.notify_all();
}

void Heap::free(DeviceAddress address) { take_back(address); }

bool Heap::take_back(DeviceAddress address) {
  std::lock_guard lock(range_mutex);
  const uint64_t size = ranges.free(address.value);
  used -= size;
  return size != 0;
}

llvm::MutableArrayRef<std::byte> Heap::small_buffer() {
  return {bounce + SMALL_OFFSET, SMALL_SIZE};
}

std::atomic_ref<uint32_t> Heap::mark() const {
  return std::atomic_ref(*reinterpret_cast<uint32_t *>(bounce + MARK_OFFSET));
}

CUdeviceptr Heap::mark_address() const {
  return bounce_address ? bounce_address + MARK_OFFSET : 0;
}

DeviceAddress Heap::allocate_zeroed(uint64_t size, CUstream stream) {
  constexpr uint64_t LINE = 256;
  DeviceAddress address = allocate(size, LINE);
  if (!address)
    return address;
  // An earlier program may have written outside of its own pieces.
  if (api.cuMemsetD8Async(address.value, 0, size, stream) == CUDA_SUCCESS)
    return address;
  take_back(address);
  return {};
}

CUresult Heap::clear(CUstream stream) {
  std::lock_guard lock(range_mutex);
  const uint64_t begin = allocation ? allocation : device_memory.begin();
  const uint64_t size =
      allocation ? ranges.bytes_free() + used : device_memory.size();
  if (touched > begin)
    if (CUresult result =
            api.cuMemsetD8Async(begin, 0, touched - begin, stream))
      return result;
  ranges = RangeAllocator(begin, size);
  used = touched = 0;
  {
    std::lock_guard known_lock(known_mutex);
    known.clear(); // ranges of the program's variables
  }
  return CUDA_SUCCESS;
}

std::optional<MemoryRange> Heap::range_of(DeviceAddress address) {
  api.cuCtxSetCurrent(context);
  std::optional<Range> range = find_range(address, 1);
  if (!range)
    return std::nullopt;
  return MemoryRange{range->begin, range->size, /*writable=*/true};
}

/// The allocation that holds the whole range, if the driver knows one. Found
/// allocations are kept, because asking the driver takes as long as copying a
/// page and no allocation of a program is freed while it runs.
std::optional<Heap::Range> Heap::find_range(DeviceAddress address,
                                            uint64_t size) {
  auto holds = [&](const Range &range) {
    return lies_in(address, size, range.begin, range.size);
  };
  // The heap's memory is mapped in several pieces, but counts as one
  // allocation.
  if (Range own{DeviceAddress(device_memory.begin()), device_memory.size(),
                nullptr};
      holds(own))
    return own;
  {
    std::lock_guard lock(known_mutex);
    for (const Range &range : known)
      if (holds(range))
        return range;
  }
  CUdeviceptr start = 0;
  size_t length = 0;
  if (api.cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                address.value) != CUDA_SUCCESS ||
      api.cuPointerGetAttribute(&length, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                address.value) != CUDA_SUCCESS)
    return std::nullopt;
  Range range{DeviceAddress(start), length, nullptr};
  if (!holds(range))
    return std::nullopt;
  if (api.cuPointerGetAttribute(&range.host, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                start) != CUDA_SUCCESS)
    range.host = nullptr;
  std::lock_guard lock(known_mutex);
  if (known.size() < 64)
    known.push_back(range);
  return range;
}

llvm::Error Heap::check_range(DeviceAddress address, uint64_t size) {
  if (find_range(address, size))
    return llvm::Error::success();
  return failure(Reason::failed, "{0} bytes at {1:x16} are not the device's",
                 size, address.value);
}

llvm::Error Heap::read(void *to, DeviceAddress from, uint64_t size) {
  if (size == 0)
    return llvm::Error::success();
  std::lock_guard lock(copy_mutex);
  api.cuCtxSetCurrent(context);
  if (llvm::Error error = check_range(from, size))
    return error;
  for (uint64_t done = 0; done < size;) {
    uint64_t step = std::min(size - done, BOUNCE_SIZE);
    CUresult result =
        api.cuMemcpyDtoHAsync_v2(bounce, from.value + done, step, stream);
    if (result == CUDA_SUCCESS)
      result = api.wait(stream);
    if (llvm::Error error = api.check(result, "copying from the device"))
      return error;
    std::memcpy(static_cast<std::byte *>(to) + done, bounce, step);
    done += step;
  }
  return llvm::Error::success();
}

llvm::Error Heap::write(DeviceAddress to, const void *from, uint64_t size) {
  if (size == 0)
    return llvm::Error::success();
  std::lock_guard lock(copy_mutex);
  api.cuCtxSetCurrent(context);
  if (llvm::Error error = check_range(to, size))
    return error;
  for (uint64_t done = 0; done < size;) {
    uint64_t step = std::min(size - done, BOUNCE_SIZE);
    std::memcpy(bounce, static_cast<const std::byte *>(from) + done, step);
    CUresult result =
        api.cuMemcpyHtoDAsync_v2(to.value + done, bounce, step, stream);
    if (result == CUDA_SUCCESS)
      result = api.wait(stream);
    if (llvm::Error error = api.check(result, "copying to the device"))
      return error;
    done += step;
  }
  return llvm::Error::success();
}

// All memory that the driver knows can be written to: code is not among it, and
// global constants are ordinary variables.
bool Heap::holds(DeviceAddress address, uint64_t size, bool) {
  api.cuCtxSetCurrent(context);
  return find_range(address, size).has_value();
}

void *Heap::host_view(DeviceAddress address, uint64_t size, bool) {
  api.cuCtxSetCurrent(context);
  std::optional<Range> range = find_range(address, size);
  if (!range || !range->host)
    return nullptr;
  return static_cast<std::byte *>(range->host) + (address - range->begin);
}

} // namespace gpuexec::cuda
