//===-- libc-shim/openmp/allocate.c - Allocators: all are the heap --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the traits of an allocator that the program makes, two have an effect: the
// alignment, and whether the program ends when there is no memory.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/team.h"
#include <malloc.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static omp_allocator_handle_t default_allocator = omp_default_mem_alloc;
void omp_set_default_allocator(omp_allocator_handle_t allocator) {
  default_allocator = allocator;
}
omp_allocator_handle_t omp_get_default_allocator(void) {
  return default_allocator;
}

typedef struct {
  size_t alignment;
  bool aborts;
} own_allocator;

static own_allocator traits_of(omp_allocator_handle_t handle) {
  if (handle == omp_null_allocator)
    handle = default_allocator;
  return handle <= omp_thread_mem_alloc ? (own_allocator){0, false}
                                        : *(const own_allocator *)handle;
}

omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space,
                                          int count,
                                          const omp_alloctrait_t *traits) {
  (void)space;
  own_allocator own = {0, false};
  for (int i = 0; i < count; ++i) {
    const omp_uintptr_t value = traits[i].value;
    if (traits[i].key == omp_atk_fallback)
      own.aborts = value == omp_atv_abort_fb;
    if (traits[i].key != omp_atk_alignment || value == omp_atv_default)
      continue;
    if (!value || value & (value - 1))
      return omp_null_allocator;
    own.alignment = value;
  }
  own_allocator *allocator = malloc(sizeof own);
  if (!allocator)
    return omp_null_allocator;
  *allocator = own;
  return (omp_allocator_handle_t)allocator;
}
void omp_destroy_allocator(omp_allocator_handle_t handle) {
  if (handle > omp_thread_mem_alloc)
    free((void *)handle);
}

static void *allocate(size_t alignment, size_t size,
                      omp_allocator_handle_t handle) {
  if (!size)
    return NULL;
  const own_allocator own = traits_of(handle);
  if (alignment < own.alignment)
    alignment = own.alignment;
  void *block = NULL;
  if (alignment <= _Alignof(max_align_t))
    block = malloc(size);
  else if (posix_memalign(&block, alignment, size))
    block = NULL;
  if (!block && own.aborts)
    __gpuexec_omp_fail("an allocator has no memory");
  return block;
}

static void *allocate_zeroed(size_t alignment, size_t count, size_t size,
                             omp_allocator_handle_t allocator) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all))
    return NULL;
  void *block = allocate(alignment, all, allocator);
  if (block)
    memset(block, 0, all);
  return block;
}

void *omp_alloc(size_t size, omp_allocator_handle_t allocator) {
  return allocate(0, size, allocator);
}
void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator) {
  return allocate_zeroed(0, count, size, allocator);
}
void *omp_realloc(void *block, size_t size, omp_allocator_handle_t allocator,
                  omp_allocator_handle_t before) {
  (void)before;
  void *moved = allocate(0, size, allocator);
  if (size && !moved)
    return NULL;
  if (block && moved) {
    const size_t had = malloc_usable_size(block);
    memcpy(moved, block, had < size ? had : size);
  }
  free(block);
  return moved;
}
void *omp_aligned_alloc(size_t alignment, size_t size,
                        omp_allocator_handle_t allocator) {
  return allocate(alignment, size, allocator);
}
void *omp_aligned_calloc(size_t alignment, size_t count, size_t size,
                         omp_allocator_handle_t allocator) {
  return allocate_zeroed(alignment, count, size, allocator);
}
void omp_free(void *block, omp_allocator_handle_t allocator) {
  (void)allocator;
  free(block);
}

// What clang calls for the allocate directive and for depobj.
void *__kmpc_alloc(int32_t thread, size_t size, void *allocator) {
  (void)thread;
  return allocate(0, size, (omp_allocator_handle_t)allocator);
}
void *__kmpc_aligned_alloc(int32_t thread, size_t alignment, size_t size,
                           void *allocator) {
  (void)thread;
  return allocate(alignment, size, (omp_allocator_handle_t)allocator);
}
void __kmpc_free(int32_t thread, void *block, void *allocator) {
  (void)thread, (void)allocator;
  free(block);
}
