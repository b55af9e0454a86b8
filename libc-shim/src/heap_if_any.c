//===-- libc-shim/src/heap_if_any.c - The heap where a program has one ----===//
// What every program has in it (streams, errno) allocates and frees through
// these, and so does not bring the heap into a program that never calls malloc.
//===----------------------------------------------------------------------===//
#include "heap.h"

#ifdef __NVPTX__
// clang-nvlink-wrapper takes a library's member for a weak reference too, so
// the heap says by itself that it is there, when it is first used.
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
