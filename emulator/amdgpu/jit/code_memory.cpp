//===-- emulator/amdgpu/jit/code_memory.cpp - Memory for code -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/code_memory.h"

#include "emulator/amdgpu/jit/inline_cache.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sys/mman.h>

namespace gpuexec::emulator::amdgpu::jit {

/// Address space that is reserved at a time; pages of it are used as they are
/// needed.
static constexpr size_t ARENA = 16 << 20;

CodeMemory::~CodeMemory() {
  for (const Arena &arena : arenas)
    munmap(arena.begin, arena.size);
}

char *CodeMemory::reserve(size_t size) {
  if (size > size_t(end - next)) {
    const size_t arena = std::max(ARENA, size);
    void *memory = mmap(nullptr, arena, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return nullptr;
    next = static_cast<char *>(memory);
    end = next + arena;
    arenas.push_back({next, arena});
  }
  char *place = next;
  next += size;
  return place;
}

void *host_function(const std::string &name) {
  struct Named {
    const char *name;
    void *address;
  };
  using Float = float (*)(float);
  using Double = double (*)(double);
  static const Named functions[] = {
      {"memcpy", reinterpret_cast<void *>(&std::memcpy)},
      {"memset", reinterpret_cast<void *>(&std::memset)},
      {"fma", reinterpret_cast<void *>(
                  static_cast<double (*)(double, double, double)>(&::fma))},
      {"fmaf", reinterpret_cast<void *>(&::fmaf)},
      {"ceil", reinterpret_cast<void *>(static_cast<Double>(&::ceil))},
      {"ceilf", reinterpret_cast<void *>(static_cast<Float>(&::ceilf))},
      {"floor", reinterpret_cast<void *>(static_cast<Double>(&::floor))},
      {"floorf", reinterpret_cast<void *>(static_cast<Float>(&::floorf))},
      {"trunc", reinterpret_cast<void *>(static_cast<Double>(&::trunc))},
      {"truncf", reinterpret_cast<void *>(static_cast<Float>(&::truncf))},
      {"roundeven", reinterpret_cast<void *>(&::roundeven)},
      {"roundevenf", reinterpret_cast<void *>(&::roundevenf)},
  };
  for (const Named &function : functions)
    if (name == function.name)
      return function.address;
  return nullptr;
}

/// The value of the word that `pointer` describes; 0 when this process has
/// nothing for it to point to.
static u64 value_of(const HostPointer &pointer, const std::atomic<u64> *epoch) {
  using Kind = HostPointer::Kind;
  switch (pointer.kind) {
  case Kind::instruction:
    return reinterpret_cast<u64>(pointer.inst);
  case Kind::epoch:
    return reinterpret_cast<u64>(epoch);
  case Kind::forget_inline_caches:
    return reinterpret_cast<u64>(&forget_inline_caches);
  case Kind::fill_global_cache:
    return reinterpret_cast<u64>(&fill_global_cache);
  case Kind::function:
    return reinterpret_cast<u64>(host_function(pointer.function));
  }
  return 0;
}

const char *CodeMemory::place(const CompiledCode &code,
                              const std::atomic<u64> *epoch) {
  const size_t size = (code.bytes.size() + CODE_ALIGNMENT - 1) /
                      CODE_ALIGNMENT * CODE_ALIGNMENT;
  std::lock_guard lock(mutex);
  char *place = reserve(size);
  if (!place || mprotect(place, size, PROT_READ | PROT_WRITE))
    return nullptr;
  std::memcpy(place, code.bytes.data(), code.bytes.size());
  for (const HostPointer &pointer : code.pointers) {
    const u64 value = value_of(pointer, epoch);
    if (!value)
      return nullptr;
    std::memcpy(place + pointer.offset, &value, sizeof(value));
  }
  if (mprotect(place, size, PROT_READ | PROT_EXEC))
    return nullptr;
  return place;
}

} // namespace gpuexec::emulator::amdgpu::jit
