//===-- emulator/amdgpu/wave/state_pool.cpp - Memory of waves -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/wave/kernel.h"

#include <new>
#include <sys/mman.h>

namespace gpuexec::emulator::amdgpu {

// Behind each State is a page that nobody can access, like State::guard.
static constexpr size_t MAPPED = sizeof(State) + GUARD_SIZE;
static constexpr size_t KEPT = 256; // states
static_assert(offsetof(State, guard) >=
                      offsetof(State, constants) + sizeof(State::constants) &&
                  offsetof(State, s) >= offsetof(State, guard) + GUARD_SIZE &&
                  offsetof(State, v) + sizeof(State::v) <= sizeof(State),
              "registers behind the guard, all else before it");
static_assert(sizeof(State) % GUARD_SIZE == 0 &&
              offsetof(State, guard) % GUARD_SIZE == 0);

static State *map_state() {
  void *p = mmap(nullptr, MAPPED, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) // operator new ends the process: there is no memory
    return static_cast<State *>(::operator new(SIZE_MAX / 2));
  // These may fail, as a process may have a limited number of mappings. Then
  // this State has no guard.
  char *bytes = static_cast<char *>(p);
  (void)mprotect(bytes + offsetof(State, guard), GUARD_SIZE, PROT_NONE);
  (void)mprotect(bytes + sizeof(State), GUARD_SIZE, PROT_NONE);
  return static_cast<State *>(p);
}

StatePool::~StatePool() {
  for (State *s : free)
    munmap(s, MAPPED);
}

State *StatePool::take() {
  {
    std::lock_guard lock(mutex);
    if (!free.empty()) {
      State *s = free.back();
      free.pop_back();
      return s;
    }
  }
  return map_state();
}

void StatePool::give(State *s) {
  {
    std::lock_guard lock(mutex);
    if (free.size() < KEPT) {
      free.push_back(s);
      return;
    }
  }
  munmap(s, MAPPED);
}

} // namespace gpuexec::emulator::amdgpu
