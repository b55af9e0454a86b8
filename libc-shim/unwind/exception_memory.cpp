//===-- libc-shim/unwind/exception_memory.cpp - Where exceptions lie ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the place of libsupc++'s eh_alloc.cc. A thread keeps the memory of its
// last exception for its next one: malloc and free are half of what a throw
// costs on an NVIDIA GPU. Where malloc has no memory, there are a few places in
// the image, for std::bad_alloc above all.
//===----------------------------------------------------------------------===//
extern "C" {
#include "libc-shim/device/thread_hooks.h"
}
#include "unwind-cxx.h"
#include <cstdlib>
#include <cstring>

using namespace __cxxabiv1;

namespace {

/// Exceptions of up to this size, header included, lie in kept memory. All of
/// them have it, so that any of them can be kept.
constexpr size_t KEPT_BYTES = 256;
static_assert(KEPT_BYTES >= sizeof(__cxa_refcounted_exception) + 64);

/// Memory that the thread keeps. Another thread may free it while it is in use,
/// if it has the last std::exception_ptr: then `in_use` stays true, and the
/// thread keeps nothing more unless malloc gives it this address again.
struct Kept {
  void *memory;
  bool in_use;
};
__thread Kept kept;

/// The thread ends. An exception that is in use has other owners.
void free_kept() {
  if (!kept.in_use)
    free(kept.memory);
}
void keep(void *memory) {
  kept = {memory, true};
  __atomic_store_n(&__gpuexec_free_kept_exception, free_kept, __ATOMIC_RELAXED);
}

constexpr size_t PLACE_BYTES = 1024;
alignas(16) char places[64][PLACE_BYTES];
uint64_t taken; // a bit for each place

bool is_place(const void *memory) {
  return memory >= places && memory < places + 64;
}
void *take_place(size_t size) {
  uint64_t now = __atomic_load_n(&taken, __ATOMIC_RELAXED);
  while (size <= PLACE_BYTES && ~now) {
    const int place = __builtin_ctzll(~now);
    if (__atomic_compare_exchange_n(&taken, &now, now | uint64_t(1) << place,
                                    false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return places[place];
  }
  return nullptr;
}
void leave_place(void *memory) {
  const size_t place = size_t(static_cast<char *>(memory) - places[0]);
  __atomic_fetch_and(&taken, ~(uint64_t(1) << place / PLACE_BYTES),
                     __ATOMIC_RELEASE);
}

// Not inlined, else every `throw` of a program would contain it.
__attribute__((noinline)) void *allocate(size_t size) {
  void *memory = nullptr;
  if (size > KEPT_BYTES)
    memory = malloc(size);
  else if (kept.memory && !kept.in_use) {
    kept.in_use = true;
    memory = kept.memory;
  } else {
    memory = malloc(KEPT_BYTES);
    if (!kept.memory && memory)
      keep(memory);
  }
  if (!memory)
    memory = take_place(size);
  if (!memory)
    std::terminate();
  return memory;
}
__attribute__((noinline)) void release(void *memory) {
  if (memory == kept.memory && kept.in_use)
    kept.in_use = false;
  else if (memory == kept.memory)
    abort(); // freed twice
  else if (is_place(memory))
    leave_place(memory);
  else
    free(memory);
}

} // namespace

/// As in eh_alloc.cc, for tools that look for memory that is left: gives back
/// what the calling thread keeps.
namespace __gnu_cxx {
void __freeres();
void __freeres() {
  if (kept.in_use)
    return;
  free(kept.memory);
  kept.memory = nullptr;
}
} // namespace __gnu_cxx

extern "C" {

void *__cxxabiv1::__cxa_allocate_exception(size_t size) noexcept {
  constexpr size_t HEADER = sizeof(__cxa_refcounted_exception);
  char *memory = static_cast<char *>(allocate(HEADER + size));
  memset(memory, 0, HEADER);
  return memory + HEADER;
}
void __cxxabiv1::__cxa_free_exception(void *object) noexcept {
  release(static_cast<char *>(object) - sizeof(__cxa_refcounted_exception));
}

__cxa_dependent_exception *
__cxxabiv1::__cxa_allocate_dependent_exception() noexcept {
  return static_cast<__cxa_dependent_exception *>(
      memset(allocate(sizeof(__cxa_dependent_exception)), 0,
             sizeof(__cxa_dependent_exception)));
}
void __cxxabiv1::__cxa_free_dependent_exception(
    __cxa_dependent_exception *exception) noexcept {
  release(exception);
}

} // extern "C"
