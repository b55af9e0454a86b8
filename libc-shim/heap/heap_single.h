//===-- libc-shim/heap/heap_single.h - The heap of a single thread --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While a kernel of one thread runs, nobody else uses the heap: objects of
// slabs are taken and given back without atomics, fences and locks. Only what
// happens most is here. Each function changes nothing and says so when
// something else has to be done: the slab is full or should be listed, the
// object is large or no object at all. Its caller then calls the general
// function last, so that it saves no registers, which would take longer than
// all of this.
// On NVIDIA's GPUs, where a single thread waits for memory and not for
// instructions, these functions are never used.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_HEAP_SINGLE_H
#define GPUEXEC_LIBC_HEAP_SINGLE_H

#include "libc-shim/device/wave.h"
#include "libc-shim/heap/heap.h"

#ifdef __AMDGPU__
#define GLOBAL __attribute__((address_space(1))) // not on the stack
#else
#define GLOBAL
#endif

/// Are the functions below for this kernel?
static inline bool heap_is_single(void) {
#ifdef __AMDGPU__
  return grid_has_one_thread();
#else
  return false;
#endif
}

// The words of a slab's header, and those of a shape, are loaded together.

/// Takes an object of the class from the slab in the first slot. Null if there
/// is no slab, or no room where the slab's hint is.
static inline void *heap_take_single(uint32_t class) {
  GLOBAL slab *s = (GLOBAL slab *)__heap_classes[class].slots[0];
  if (!s)
    return NULL;
  const uint64_t state = s->state, hint = s->hint;
  CONSTANT const slab_shape *shape = &__heap_shapes[class];
  const uint32_t size = shape->size, first = shape->first,
                 capacity = shape->capacity;
  if (state_used(state) >= capacity)
    return NULL;
  uint32_t index = hint < capacity ? (uint32_t)hint : 0;
  GLOBAL uint64_t *word = &s->bitmap[index / 64];
  const uint64_t bits = *word;
  if (bits >> index % 64 & 1) {
    if (!~bits)
      return NULL;
    index = index / 64 * 64 + (uint32_t)__builtin_ctzll(~bits);
  }
  *word = bits | 1ull << index % 64;
  s->state = state + 1;
  s->hint = index + 1;
  return (char *)s - sizeof(region) + first + (uint64_t)index * size;
}

/// Gives an object back that begins where its place does, to a slab that is in
/// a slot or stays where it is. False for everything else.
static inline bool heap_give_back_single(const void *object) {
  const uint64_t address = (uint64_t)object;
  if (address % REGION_SIZE == 0)
    return false;
  const uint64_t mark = ((region *)(address & -(uint64_t)REGION_SIZE))->mark;
  if (mark != REGION_MARK(REGION_OF_SLABS) &&
      mark != REGION_MARK(REGION_IS_SLAB))
    return false;
  const uint64_t room =
      mark == REGION_MARK(REGION_IS_SLAB) ? REGION_SIZE : SLAB_SIZE;
  GLOBAL slab *s = (GLOBAL slab *)((address & -room) + sizeof(region));
  const uint64_t state = s->state;
  const uint32_t class = state_class(state);
  if (class >= CLASSES || state_status(state) == SLAB_DETACHED ||
      (state_status(state) == SLAB_LISTED && state_used(state) == 1))
    return false;
  CONSTANT const slab_shape *shape = &__heap_shapes[class];
  const uint32_t size = shape->size, first = shape->first,
                 capacity = shape->capacity, reciprocal = shape->reciprocal;
  const uint32_t offset = (uint32_t)(address & (room - 1)) - first;
  const uint32_t index = (uint32_t)((uint64_t)(offset / 8) * reciprocal >> 32);
  if (index >= capacity || index * size != offset)
    return false;
  GLOBAL uint64_t *word = &s->bitmap[index / 64];
  const uint64_t bits = *word, bit = 1ull << index % 64;
  if (!(bits & bit))
    return false;
  *word = bits & ~bit;
  s->hint = index;
  s->state = state - 1;
  return true;
}

#endif // GPUEXEC_LIBC_HEAP_SINGLE_H
