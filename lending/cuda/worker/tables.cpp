//===-- lending/cuda/worker/tables.cpp - What a client has ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/worker/session.h"

#include <sys/mman.h>

namespace gpuexec::lent_cuda {

Session::Object *Session::object(uint64_t handle, Kind kind) {
  if (!Handle::is(handle, kind))
    return nullptr;
  auto &table = objects[uint32_t(kind)];
  const uint32_t index = Handle::index(handle);
  if (index >= table.size() || !table[index].real ||
      table[index].generation != Handle::generation(handle))
    return nullptr;
  return &table[index];
}

/// What the driver calls the object, if it is one of the current context.
void *Session::find_object(uint64_t handle, Kind kind) {
  Object *found = object(handle, kind);
  return found ? found->real : nullptr;
}

bool Session::add_object(uint64_t handle, Kind kind, void *real,
                         bool borrowed) {
  auto &table = objects[uint32_t(kind)];
  const uint32_t index = Handle::index(handle);
  if (!Handle::is(handle, kind) || index > table.size() + 4096)
    return borrowed ? false : (destroy_real(kind, real), false);
  if (index >= table.size())
    table.resize(index + 1);
  if (table[index].real)
    return borrowed ? false : (destroy_real(kind, real), false);
  table[index] = {real, Handle::generation(handle), current, borrowed};
  return true;
}

void Session::destroy_real(Kind kind, void *real) {
  switch (kind) {
  case Kind::stream:
    driver.cuStreamDestroy_v2(CUstream(real));
    break;
  case Kind::event:
    driver.cuEventDestroy_v2(CUevent(real));
    break;
  case Kind::module:
    driver.cuModuleUnload(CUmodule(real));
    break;
  case Kind::array:
    driver.cuArrayDestroy(CUarray(real));
    break;
  case Kind::mipmap:
    driver.cuMipmappedArrayDestroy(CUmipmappedArray(real));
    break;
  case Kind::pool:
    driver.cuMemPoolDestroy(CUmemoryPool(real));
    break;
  default:
    break;
  }
}

/// Is all of it memory that the client was given?
bool Session::knows(uint64_t address, uint64_t size) const {
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin())
    return false;
  const auto &[begin, range] = *std::prev(after);
  const uint64_t offset = address - begin;
  return offset < range.size && size <= range.size - offset;
}

void Session::add_range(uint64_t begin, uint64_t size,
                        decltype(Range::use) use) {
  auto [place, added] = ranges.try_emplace(begin, Range{size, use, current});
  if (!added) { // a variable that was asked for before
    if (place->second.use != Range::variable)
      used -= place->second.size;
    place->second = {size, use, current};
  }
  if (use != Range::variable)
    used += size;
}

CUresult Session::unmap_pinned(uint64_t address) {
  auto found = ranges.find(address);
  if (found == ranges.end() || found->second.use != Range::pinned)
    return CUDA_ERROR_INVALID_VALUE;
  void *memory = reinterpret_cast<void *>(address);
  const CUresult result = driver.cuMemHostUnregister(memory);
  ::munmap(memory, (found->second.size + 4095) / 4096 * 4096);
  used -= found->second.size;
  ranges.erase(found);
  return result;
}

void Session::free_ranges(uint32_t context, bool all) {
  for (auto at = ranges.begin(); at != ranges.end();) {
    const auto [begin, range] = *at;
    if (!all && range.context != context) {
      ++at;
      continue;
    }
    ++at;
    if (range.use == Range::pinned) {
      unmap_pinned(begin);
      continue;
    }
    if (range.use != Range::variable) {
      // Nobody else is to see what the program has left there.
      driver.cuMemsetD8Async(begin, 0, range.size, nullptr);
      driver.cuMemFree_v2(begin);
      used -= range.size;
    }
    ranges.erase(begin);
  }
}

void Session::free_objects(uint32_t context, bool all) {
  for (Kind kind : {Kind::event, Kind::stream, Kind::mipmap, Kind::array,
                    Kind::module, Kind::pool, Kind::function})
    for (Object &object : objects[uint32_t(kind)])
      if (object.real && (all || object.context == context))
        if (void *real = std::exchange(object.real, nullptr); !object.borrowed)
          destroy_real(kind, real);
}

bool Session::clean_up() {
  ended = true;
  for (Callback &each : shared.callbacks)
    each.state.store(CALLBACK_DONE);
  broken |= driver.cuCtxSetCurrent(contexts[0]) != CUDA_SUCCESS;
  if (broken || contexts.size() > 1)
    return false; // the driver gives all back when the process ends
  // A kernel that does not end: the server ends this process.
  if (driver.cuCtxSynchronize() != CUDA_SUCCESS)
    return false;
  for (auto [texture, is_surface] : textures)
    if (is_surface)
      driver.cuSurfObjectDestroy(texture);
    else
      driver.cuTexObjectDestroy(texture);
  for (const Copying &each : copying)
    driver.cuEventDestroy_v2(each.event);
  for (CUevent event : free_events)
    driver.cuEventDestroy_v2(event);
  for (const auto &[size, address] : freed)
    driver.cuMemsetD8Async(address, 0, size, nullptr);
  give_back_freed();
  free_ranges(0, /*all=*/true);
  free_objects(0, /*all=*/true);
  return driver.cuCtxSynchronize() == CUDA_SUCCESS && !limits_changed;
}

} // namespace gpuexec::lent_cuda
