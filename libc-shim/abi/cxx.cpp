//===-- libc-shim/abi/cxx.cpp - Run-time library of C++ -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards of local statics; and, for a program that is linked without libstdc++
// (toolchain/libstdcxx), operator new and delete over malloc and pure virtual
// calls. Such a program has no exceptions: when there is no memory, new ends
// the program with a message, and new (std::nothrow) returns null.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/lock.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

namespace std {
enum class align_val_t : size_t {};
struct nothrow_t {
  explicit nothrow_t() = default;
};
extern const nothrow_t nothrow;
__attribute__((weak)) const nothrow_t nothrow{};
} // namespace std

// A name of C: the pass drop_virtual_functions takes a function with a name of
// C++ that was compiled without passes for one whose calls it does not know.
extern "C" [[noreturn]] void __gpuexec_out_of_memory(size_t size) {
  fprintf(stderr, "operator new: out of memory for %zu bytes\n", size);
  abort();
}

namespace {

void *must(void *block, size_t size) {
  if (!block)
    __gpuexec_out_of_memory(size);
  return block;
}

void *aligned(size_t size, std::align_val_t alignment) {
  return aligned_alloc(static_cast<size_t>(alignment), size);
}

} // namespace

// Default visibility: a program may replace each of them, and libstdc++ does.
#define REPLACEABLE __attribute__((weak, visibility("default")))
using std::align_val_t;
using std::nothrow_t;

REPLACEABLE void *operator new(size_t n) { return must(malloc(n), n); }
REPLACEABLE void *operator new[](size_t n) { return operator new(n); }
REPLACEABLE void *operator new(size_t n, const nothrow_t &) noexcept {
  return malloc(n);
}
REPLACEABLE void *operator new[](size_t n, const nothrow_t &) noexcept {
  return malloc(n);
}
REPLACEABLE void *operator new(size_t n, align_val_t a) {
  return must(aligned(n, a), n);
}
REPLACEABLE void *operator new[](size_t n, align_val_t a) {
  return must(aligned(n, a), n);
}
REPLACEABLE void *operator new(size_t n, align_val_t a,
                               const nothrow_t &) noexcept {
  return aligned(n, a);
}
REPLACEABLE void *operator new[](size_t n, align_val_t a,
                                 const nothrow_t &) noexcept {
  return aligned(n, a);
}
REPLACEABLE void operator delete(void *p) noexcept { free(p); }
REPLACEABLE void operator delete[](void *p) noexcept { free(p); }
REPLACEABLE void operator delete(void *p, size_t) noexcept { free(p); }
REPLACEABLE void operator delete[](void *p, size_t) noexcept { free(p); }
REPLACEABLE void operator delete(void *p, const nothrow_t &) noexcept {
  free(p);
}
REPLACEABLE void operator delete[](void *p, const nothrow_t &) noexcept {
  free(p);
}
REPLACEABLE void operator delete(void *p, align_val_t) noexcept { free(p); }
REPLACEABLE void operator delete[](void *p, align_val_t) noexcept { free(p); }
REPLACEABLE void operator delete(void *p, size_t, align_val_t) noexcept {
  free(p);
}
REPLACEABLE void operator delete[](void *p, size_t, align_val_t) noexcept {
  free(p);
}

extern "C" {

void *__dso_handle = nullptr;

REPLACEABLE [[noreturn]] void __cxa_pure_virtual() {
  fputs("pure virtual function called\n", stderr);
  abort();
}
REPLACEABLE [[noreturn]] void __cxa_deleted_virtual() {
  fputs("deleted virtual function called\n", stderr);
  abort();
}

// The guard of a local static. The compiler's fast path tests the first byte:
// not zero when the object is constructed.
struct Guard {
  uint8_t done;
  uint8_t padding[3];
  uint32_t busy; ///< 1 while a thread constructs
};
static_assert(sizeof(Guard) == 8, "the Itanium C++ ABI's guard variable");

static bool is_done(Guard *guard) {
  return __scoped_atomic_load_n(&guard->done, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// Waits while another thread constructs the object. 1: the caller must
/// construct it; 0: it exists.
static int acquire(Guard *guard) {
  for (;;) {
    if (is_done(guard))
      return 0;
    if (lock_try(&guard->busy)) {
      if (!is_done(guard))
        return 1;
      lock_release(&guard->busy);
      return 0;
    }
    __gpu_thread_suspend();
  }
}

int __cxa_guard_acquire(Guard *guard) {
#ifdef __AMDGPU__
  // Lanes run in lockstep: a lane that waits for its neighbour keeps it from
  // running. So one lane per guard acquires. The others return 0 at once: they
  // are masked off until the first has returned from the branch that
  // constructs.
  int result = 0;
  const uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(group, mask, reinterpret_cast<uint64_t>(guard)) {
    if (__gpu_is_first_in_lane(group))
      result = acquire(guard);
  }
  return result;
#else
  return acquire(guard);
#endif
}

void __cxa_guard_release(Guard *guard) {
  __scoped_atomic_store_n(&guard->done, 1, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
  lock_release(&guard->busy);
}

void __cxa_guard_abort(Guard *guard) { lock_release(&guard->busy); }

} // extern "C"
