//===-- libc-shim/heap/heap_if_any.c - The heap where a program has one ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See if_linked.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/if_linked.h"

#ifdef __NVPTX__
heap_functions __heap_functions;

void *__heap_malloc_if_any(size_t size) {
  return __heap_functions.malloc ? __heap_functions.malloc(size) : NULL;
}
void __heap_free_if_any(void *block) {
  if (block && __heap_functions.free)
    __heap_functions.free(block);
}
#else
extern __attribute__((weak)) void *malloc(size_t);
extern __attribute__((weak)) void free(void *);

void *__heap_malloc_if_any(size_t size) { return malloc ? malloc(size) : NULL; }
void __heap_free_if_any(void *block) {
  if (free)
    free(block);
}
#endif
