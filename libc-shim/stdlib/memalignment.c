//===-- libc-shim/stdlib/memalignment.c - C23's memalignment --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest power of two that an address is a multiple of; 0 for null.
//===----------------------------------------------------------------------===//
#include <stdint.h>
#include <stdlib.h>

size_t memalignment(const void *at) {
  return (size_t)((uintptr_t)at & -(uintptr_t)at);
}
