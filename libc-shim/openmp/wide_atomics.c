//===-- libc-shim/openmp/wide_atomics.c - Atomics of 16 bytes and more ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that clang calls for the atomic construct where no instruction is
// wide enough (double complex, structures). One lock guards all objects; a lane
// holds it for a few instructions, and the lanes of a wave take turns.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/lock.h"
#include <string.h>

static uint32_t lock;

// clang has builtins of the names __atomic_*, with other parameters: so the C
// functions have names of their own.
void atomic_load(size_t size, void *from, void *to,
                 int order) __asm__("__atomic_load");
void atomic_store(size_t size, void *to, void *from,
                  int order) __asm__("__atomic_store");
void atomic_exchange(size_t size, void *at, void *from, void *to,
                     int order) __asm__("__atomic_exchange");
bool atomic_compare_exchange(size_t size, void *at, void *expected,
                             void *desired, int success,
                             int failure) __asm__("__atomic_compare_exchange");

#define ALONE(...)                                                             \
  do {                                                                         \
    const uint64_t mask = rpc_lane_mask();                                     \
    FOR_EACH_LANE(mask) {                                                      \
      lock_take(&lock);                                                        \
      __VA_ARGS__;                                                             \
      lock_release(&lock);                                                     \
    }                                                                          \
  } while (0)

void atomic_load(size_t size, void *from, void *to, int order) {
  (void)order;
  ALONE(memcpy(to, from, size));
}
void atomic_store(size_t size, void *to, void *from, int order) {
  (void)order;
  ALONE(memcpy(to, from, size));
}
void atomic_exchange(size_t size, void *at, void *from, void *to, int order) {
  (void)order;
  ALONE(memcpy(to, at, size), memcpy(at, from, size));
}
bool atomic_compare_exchange(size_t size, void *at, void *expected,
                             void *desired, int success, int failure) {
  (void)success, (void)failure;
  bool equal = false;
  ALONE(equal = !memcmp(at, expected, size),
        memcpy(equal ? at : expected, equal ? desired : at, size));
  return equal;
}
