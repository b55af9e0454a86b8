// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Answers every change of *to_device with the same change of *to_host, n times: the least that a call can cost. */
#include <stdint.h>
__attribute__((device_kernel, visibility("protected"))) void bounce(uint32_t *to_device, uint32_t *to_host, uint32_t n) {
  for (uint32_t i = 1; i <= n; i++) {
    __scoped_atomic_store_n(to_host, i, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
    while (__scoped_atomic_load_n(to_device, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM) != i)
      ;
  }
}
