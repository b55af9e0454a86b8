//===-- libc-shim/abi/cxx.cpp - What freestanding C++ links against -------===//
// operator new and delete over malloc, guards of local statics, pure virtual
// calls. No exceptions: where memory is out, new ends the program with a
// message, and new (std::nothrow) gives null.
//===----------------------------------------------------------------------===//
#include <gpuintrin.h>
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
const nothrow_t nothrow{};
} // namespace std

namespace {

[[noreturn]] void out_of_memory(size_t size) {
  fprintf(stderr, "operator new: out of memory for %zu bytes\n", size);
  abort();
}

void *must(void *block, size_t size) {
  if (!block)
    out_of_memory(size);
  return block;
}

void *aligned(size_t size, std::align_val_t alignment) {
  return aligned_alloc(static_cast<size_t>(alignment), size);
}

} // namespace

// Default visibility: a program may replace each of them.
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

[[noreturn]] void __cxa_pure_virtual() {
  fputs("pure virtual function called\n", stderr);
  abort();
}
[[noreturn]] void __cxa_deleted_virtual() {
  fputs("deleted virtual function called\n", stderr);
  abort();
}

// A guard of a local static: the compiler's fast path looks at the first byte,
// non-zero when the object is there.
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

/// 1 to the thread that is to construct, 0 to one that finds the object there.
static int acquire(Guard *guard) {
  for (;;) {
    if (is_done(guard))
      return 0;
    if (!__scoped_atomic_exchange_n(&guard->busy, 1, __ATOMIC_ACQUIRE,
                                    __MEMORY_SCOPE_DEVICE)) {
      // On NVPTX clang 22 forgets the order of an exchange.
      __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
      if (!is_done(guard))
        return 1;
      __scoped_atomic_store_n(&guard->busy, 0, __ATOMIC_RELEASE,
                              __MEMORY_SCOPE_DEVICE);
      return 0;
    }
    __gpu_thread_suspend();
  }
}

int __cxa_guard_acquire(Guard *guard) {
#ifdef __AMDGPU__
  // Lanes run in lockstep: one that waited for its neighbour would never let it
  // run. One lane per guard asks; the others may say "it is there" at once,
  // because they are masked off until the asking lane has come back from the
  // branch that constructs.
  int result = 0;
  uint64_t mask = __gpu_lane_mask();
  for (uint64_t left = mask; left;) {
    uint64_t first = __gpu_read_first_lane_u64(
        mask, __gpu_shuffle_idx_u64(mask, __builtin_ctzll(left),
                                    reinterpret_cast<uint64_t>(guard), 64));
    uint64_t same =
        __gpu_ballot(mask, first == reinterpret_cast<uint64_t>(guard)) & left;
    if (__gpu_lane_id() == static_cast<uint32_t>(__builtin_ctzll(same)))
      result = acquire(guard);
    left &= ~same;
    __gpu_sync_lane(mask);
  }
  return result;
#else
  return acquire(guard);
#endif
}

void __cxa_guard_release(Guard *guard) {
  __scoped_atomic_store_n(&guard->done, 1, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_store_n(&guard->busy, 0, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
}

void __cxa_guard_abort(Guard *guard) {
  __scoped_atomic_store_n(&guard->busy, 0, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
}

} // extern "C"
