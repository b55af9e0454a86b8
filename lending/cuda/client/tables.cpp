//===-- lending/cuda/client/tables.cpp - Handles and memory ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/client/session.h"

#include <sys/mman.h>
#include <thread>

namespace gpuexec::lent_cuda {

uint64_t Session::add(Kind kind, uint32_t number,
                      std::shared_ptr<Function> function) {
  uint32_t context = 0;
  if (kind != Kind::context)
    current_or_failed(context);
  std::lock_guard guard(handles);
  auto &table = objects[uint32_t(kind)];
  auto &free = unused[uint32_t(kind)];
  uint32_t index = uint32_t(table.size());
  if (!free.empty()) {
    index = free.back();
    free.pop_back();
  } else if (index < MOST_HANDLES) {
    table.emplace_back();
  } else {
    return 0;
  }
  Object &object = table[index];
  object.used = true;
  object.context = context;
  object.number = number;
  object.function = std::move(function);
  return Handle::make(kind, object.generation, index);
}

bool Session::has(Kind kind, uint64_t handle) const {
  std::lock_guard guard(handles);
  const auto &table = objects[uint32_t(kind)];
  const uint32_t index = Handle::index(handle);
  return Handle::is(handle, kind) && index < table.size() &&
         table[index].used &&
         (table[index].generation & 0xfff) == Handle::generation(handle);
}

bool Session::find(Kind kind, uint64_t handle, Object &object) const {
  if (!has(kind, handle))
    return false;
  std::lock_guard guard(handles);
  object = objects[uint32_t(kind)][Handle::index(handle)];
  return true;
}

/// Functions live as long as the process: a module's are few.
Function *Session::function(CUfunction handle) const {
  const auto number = reinterpret_cast<uint64_t>(handle);
  std::lock_guard guard(handles);
  const auto &table = objects[uint32_t(Kind::function)];
  const uint32_t index = Handle::index(number);
  return Handle::is(number, Kind::function) && index < table.size() &&
                 table[index].used &&
                 (table[index].generation & 0xfff) == Handle::generation(number)
             ? table[index].function.get()
             : nullptr;
}

void Session::remove(Kind kind, uint64_t handle) {
  if (!has(kind, handle))
    return;
  std::lock_guard guard(handles);
  Object &object = objects[uint32_t(kind)][Handle::index(handle)];
  object.used = false;
  ++object.generation;
  unused[uint32_t(kind)].push_back(Handle::index(handle));
}

void Session::forget(uint32_t context) {
  {
    std::lock_guard guard(handles);
    for (uint32_t kind = uint32_t(Kind::context) + 1; kind < KINDS; ++kind)
      for (uint32_t i = 0; i < objects[kind].size(); ++i)
        if (Object &object = objects[kind][i];
            object.used && object.context == context) {
          object.used = false;
          ++object.generation;
          unused[kind].push_back(i);
        }
  }
  std::lock_guard guard(ranges_mutex);
  std::erase_if(ranges, [&](const auto &range) {
    Object object;
    return range.second.use != Use::pinned &&
           range.second.use != Use::managed &&
           (context == 0
                ? range.second.context == primary_context
                : find(Kind::context,
                       reinterpret_cast<uint64_t>(range.second.context),
                       object) &&
                      object.number == context);
  });
}

CUresult Session::destroy(Kind kind, uint64_t handle) {
  if (!has(kind, handle))
    return CUDA_ERROR_INVALID_HANDLE;
  Writer writer;
  writer.put(uint32_t(kind));
  writer.put(handle);
  const CUresult result = post(Call::Destroy, writer);
  remove(kind, handle);
  return result;
}

/// Keeps the addresses of device memory free of other memory of this process,
/// as the driver does in its own: an address says which memory it is. False
/// when something is there already. The caller holds the mutex.
bool Session::reserve(uint64_t begin, uint64_t size) {
  constexpr uint64_t STEP = uint64_t(2) << 20; // the driver's smallest piece
  const uint64_t end = (begin + size + STEP - 1) / STEP * STEP;
  begin = begin / STEP * STEP;
  for (uint64_t at = begin; at < end;) {
    auto after = reserved.upper_bound(at);
    if (after != reserved.begin() && std::prev(after)->second > at) {
      at = std::prev(after)->second;
      continue;
    }
    const uint64_t to =
        after == reserved.end() ? end : std::min(end, after->first);
    void *wanted = reinterpret_cast<void *>(at);
    void *place = ::mmap(wanted, to - at, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                             MAP_FIXED_NOREPLACE,
                         -1, 0);
    if (place == MAP_FAILED)
      return false;
    if (place != wanted) // a kernel that does not know the flag
      return ::munmap(place, to - at), false;
    reserved[at] = to;
    at = to;
  }
  return true;
}

void Session::add_memory(const Memory &memory) {
  std::lock_guard guard(ranges_mutex);
  Memory &place = ranges[memory.begin];
  place = memory;
  place.id = ++last_id;
  place.context = context_stack().empty() ? nullptr : context_stack().back();
  if (memory.use == Use::device)
    place.is_ours = reserve(memory.begin, memory.size);
}

bool Session::find_memory(uint64_t address, Memory &memory) const {
  std::lock_guard guard(ranges_mutex);
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin())
    return false;
  const Memory &found = std::prev(after)->second;
  if (address - found.begin >= found.size)
    return false;
  memory = found;
  return true;
}

bool Session::take_memory(uint64_t begin, Memory &memory) {
  std::lock_guard guard(ranges_mutex);
  auto found = ranges.find(begin);
  if (found == ranges.end())
    return false;
  memory = found->second;
  ranges.erase(found);
  return true;
}

CUresult Session::call_later(CUstream stream, const HostFunction &function) {
  Writer writer;
  writer.put(reinterpret_cast<uint64_t>(stream));
  {
    std::lock_guard guard(callbacks_mutex);
    writer.put(++last_callback);
    callbacks[last_callback] = function;
    if (!has_thread)
      std::thread([this] { run_callbacks(); }).detach();
    has_thread = true;
  }
  return post(Call::HostFunction, writer);
}

/// On a thread of its own: calls the program's functions that streams have come
/// to.
void Session::run_callbacks() {
  for (;;) {
    const uint32_t bell = shared->callback_bell.load() & ~SLEEPER;
    Callback *next = nullptr;
    for (Callback &each : shared->callbacks)
      if ((each.state.load(std::memory_order_acquire) & ~SLEEPER) ==
              CALLBACK_DUE &&
          (!next || each.order < next->order))
        next = &each;
    if (!next) {
      const bool alive = wait_word(
          shared->callback_bell, std::chrono::microseconds(0),
          [&](uint32_t now) { return now != bell; }, [&] { return goes_on(); });
      if (!alive)
        return;
      continue;
    }
    HostFunction function;
    {
      std::lock_guard guard(callbacks_mutex);
      auto found = callbacks.find(next->number);
      if (found != callbacks.end()) {
        function = found->second;
        callbacks.erase(found);
      }
    }
    if (function.function)
      function.function(function.data);
    else if (function.callback)
      function.callback(function.stream, CUresult(shared->sticky.load()),
                        function.data);
    set_word(next->state, CALLBACK_DONE);
  }
}

} // namespace gpuexec::lent_cuda
