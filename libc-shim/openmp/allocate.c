//===-- libc-shim/openmp/allocate.c - Allocators: all are the heap --------===//
#include "libc-shim/openmp/team.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

void *omp_alloc(size_t size, omp_allocator_handle_t allocator) {
  (void)allocator;
  return size ? malloc(size) : NULL;
}
void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator) {
  (void)allocator;
  return count && size ? calloc(count, size) : NULL;
}
void *omp_realloc(void *block, size_t size, omp_allocator_handle_t allocator,
                  omp_allocator_handle_t before) {
  (void)allocator, (void)before;
  if (size)
    return realloc(block, size);
  free(block);
  return NULL;
}
static void *aligned(size_t alignment, size_t size) {
  void *block = NULL;
  if (alignment < sizeof(void *))
    alignment = sizeof(void *);
  return size && !posix_memalign(&block, alignment, size) ? block : NULL;
}
void *omp_aligned_alloc(size_t alignment, size_t size,
                        omp_allocator_handle_t allocator) {
  (void)allocator;
  return aligned(alignment, size);
}
void *omp_aligned_calloc(size_t alignment, size_t count, size_t size,
                         omp_allocator_handle_t allocator) {
  (void)allocator;
  size_t all;
  if (__builtin_mul_overflow(count, size, &all))
    return NULL;
  char *block = aligned(alignment, all);
  for (size_t i = 0; block && i < all; ++i)
    block[i] = 0;
  return block;
}
void omp_free(void *block, omp_allocator_handle_t allocator) {
  (void)allocator;
  free(block);
}

static omp_allocator_handle_t default_allocator = omp_default_mem_alloc;
void omp_set_default_allocator(omp_allocator_handle_t allocator) {
  default_allocator = allocator;
}
omp_allocator_handle_t omp_get_default_allocator(void) {
  return default_allocator;
}

//===-- The memory of a device is the program's own -----------------------===//

void *omp_target_alloc(size_t size, int device) {
  (void)device;
  return malloc(size);
}
void omp_target_free(void *block, int device) {
  (void)device;
  free(block);
}
int omp_target_is_present(const void *address, int device) {
  (void)address, (void)device;
  return 1;
}
int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset,
                      size_t from_offset, int to_device, int from_device) {
  (void)to_device, (void)from_device;
  memcpy((char *)to + to_offset, (const char *)from + from_offset, size);
  return 0;
}

// What clang calls for the allocate directive and for depobj.
void *__kmpc_alloc(int32_t thread, size_t size, void *allocator) {
  (void)thread, (void)allocator;
  return malloc(size);
}
void *__kmpc_aligned_alloc(int32_t thread, size_t alignment, size_t size,
                           void *allocator) {
  (void)thread, (void)allocator;
  return aligned(alignment, size);
}
void __kmpc_free(int32_t thread, void *block, void *allocator) {
  (void)thread, (void)allocator;
  free(block);
}
