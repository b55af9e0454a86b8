//===-- libc-shim/src/heap.c - malloc and its family ----------------------===//
// See heap.h for how memory is laid out. Works over LLVM's MALLOC and FREE
// opcodes alone, so under LLVM's own runtime as well.
//
// With GPUEXEC_HEAP=check in the environment every object carries its size and
// guard bytes behind it; free() then reports writes past an object's end, and
// fills what it frees. A double free and a pointer that malloc never gave are
// found in any case.
//===----------------------------------------------------------------------===//
#include "heap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// More than a class has: a region of its own. `alignment` is a power of two.
static __attribute__((noinline, minsize)) void *
allocate_large(uint64_t size, uint64_t alignment) {
  uint64_t offset = alignment > sizeof(region) ? alignment : sizeof(region);
  if (alignment >= REGION_SIZE) {
    // The header stands before the object, which is where a region begins.
    region *made =
        __heap_new_region(size + alignment + REGION_SIZE, REGION_IS_OBJECT);
    if (!made)
      return NULL;
    uint64_t address =
        ((uint64_t)made + sizeof(region) + alignment - 1) & -alignment;
    region *header = (region *)address - 1;
    *header = *made;
    header->address = address;
    header->size = size;
    return (void *)address;
  }
  region *made = __heap_new_region(size + offset, REGION_IS_OBJECT);
  if (!made)
    return NULL;
  made->address = (uint64_t)made + offset;
  made->size = size;
  return (void *)made->address;
}

//===-- GPUEXEC_HEAP=check ------------------------------------------------===//

// 0: not known yet, 1: off, 2: on. Every thread finds the same answer.
static uint32_t check_mode;

static __attribute__((noinline, minsize)) uint32_t find_check_mode(void) {
#ifdef __NVPTX__
  __heap_functions = (heap_functions){malloc, free};
#endif
  const char *value = getenv("GPUEXEC_HEAP");
  uint32_t mode = value && !strcmp(value, "check") ? 2 : 1;
  __scoped_atomic_store_n(&check_mode, mode, __ATOMIC_RELAXED, DEVICE);
  return mode;
}

static uint32_t look_at_mode(void) {
  return __scoped_atomic_load_n(&check_mode, __ATOMIC_RELAXED, DEVICE);
}
static bool is_checking(uint32_t mode) {
  return (mode ? mode : find_check_mode()) == 2;
}
static bool checking(void) { return is_checking(look_at_mode()); }

enum { GUARD = 16, GUARD_BYTE = 0xa5, FREED_BYTE = 0xdd };

/// The size an object was asked for is the last word of its place.
static uint64_t *asked_size(char *object, uint64_t place) {
  return (uint64_t *)(object + place - 8);
}

static __attribute__((noinline)) void set_guard(char *object, uint64_t place,
                                                uint64_t size) {
  *asked_size(object, place) = size;
  memset(object + size, GUARD_BYTE, place - 8 - size);
}

static _Noreturn __attribute__((noinline)) void broken(const char *what,
                                                       const void *object) {
  fprintf(stderr, "%s: %p (block %u, thread %u)\n", what, (void *)object,
          __gpu_block_id_x(), __gpu_thread_id_x());
  abort();
}

static __attribute__((noinline)) bool guard_is_whole(char *object,
                                                     uint64_t place) {
  uint64_t size = *asked_size(object, place);
  if (size > place - 8)
    return false;
  for (uint64_t i = size; i < place - 8; ++i)
    if ((unsigned char)object[i] != GUARD_BYTE)
      return false;
  return true;
}

//===-- Where an object is ------------------------------------------------===//

typedef struct {
  slab *slab; ///< null: `large`
  region *large;
  uint32_t class; ///< the slab's
  uint32_t index; ///< in the slab
  uint64_t place; ///< bytes it may use
} found;

static region *region_of(const void *object) {
  return (region *)((uint64_t)object & -(uint64_t)REGION_SIZE);
}

/// What is there now, whatever the first level cache holds.
static uint64_t fresh_word(const uint64_t *word) {
  return __scoped_atomic_load_n(word, __ATOMIC_RELAXED, DEVICE);
}

/// What may say where an object is, all at once, since each waits for memory.
typedef struct {
  region *header;
  uint64_t mark, small_state, large_state;
} signs;

static slab *slab_at(uint64_t address, uint64_t size) {
  return (slab *)((address & -size) + sizeof(region));
}

static signs look_at(const void *object) {
  uint64_t address = (uint64_t)object;
  signs seen = {.header = region_of(object)};
  if (address % REGION_SIZE == 0)
    seen.header = (region *)object - 1; // allocate_large, a huge alignment
  seen.mark = fresh_word(&seen.header->mark);
  seen.small_state = fresh_word(&slab_at(address, SLAB_SIZE)->state);
  seen.large_state = fresh_word(&slab_at(address, REGION_SIZE)->state);
  return seen;
}

static found find(const void *object, signs seen) {
  found result = {0};
  uint64_t address = (uint64_t)object;
  if (address % 16 || seen.mark >> 32 != REGION_MAGIC)
    broken("free(): invalid pointer", object);
  if (seen.mark == REGION_MARK(REGION_IS_OBJECT)) {
    if (fresh_word(&seen.header->address) != address)
      broken("free(): invalid pointer", object);
    result.large = seen.header;
    result.place = fresh_word(&seen.header->size);
    return result;
  }
  const bool whole = seen.mark == REGION_MARK(REGION_IS_SLAB);
  uint32_t class = state_class(whole ? seen.large_state : seen.small_state);
  if (class >= CLASSES)
    broken("free(): invalid pointer", object);
  CONSTANT const slab_shape *shape = &__heap_shapes[class];
  uint32_t offset = (uint32_t)address % (whole ? REGION_SIZE : SLAB_SIZE);
  uint32_t index =
      (uint32_t)((offset - shape->first) * shape->reciprocal >> 40);
  if (offset < shape->first || index >= shape->capacity ||
      index * shape->size != offset - shape->first)
    broken("free(): invalid pointer", object);
  result.slab = slab_at(address, whole ? REGION_SIZE : SLAB_SIZE);
  result.class = class;
  result.index = index;
  result.place = shape->size;
  return result;
}

//===-- The functions -----------------------------------------------------===//

/// The class for `size` bytes; CLASSES when there is none.
static uint32_t class_for(uint64_t alignment, uint64_t size) {
  uint32_t class = alignment > 4096 ? CLASSES : class_of(size);
  while (alignment > 16 && class < CLASSES &&
         (class_size(class) & -class_size(class)) < alignment)
    ++class;
  return class;
}

__attribute__((noinline)) void *__heap_allocate(uint64_t alignment,
                                                uint64_t size) {
  if (size > 1ull << 46)
    return NULL;
  // The slot is on its way before the mode is waited for.
  const uint32_t mode = look_at_mode();
  uint64_t bytes = size;
  uint32_t class;
  heap_place place;
  for (;;) {
    class = class_for(alignment, bytes);
    place = __heap_look(class < CLASSES ? class : 0);
    if (!is_checking(mode) || bytes != size)
      break;
    bytes += GUARD;
  }
  void *result;
  if (class < CLASSES)
    result = __heap_take(rpc_lane_mask(), place);
  else
    result = allocate_large(bytes, alignment);
  if (result && bytes != size)
    set_guard(result, class < CLASSES ? class_size(class) : bytes, size);
  return result;
}

static void *allocate_aligned(uint64_t alignment, uint64_t size) {
  void *result = __heap_allocate(alignment, size);
  if (!result)
    errno = ENOMEM;
  return result;
}

void *malloc(size_t size) { return allocate_aligned(16, size); }

void *aligned_alloc(size_t alignment, size_t size) {
  if (!alignment || alignment & (alignment - 1)) {
    errno = EINVAL;
    return NULL;
  }
  return allocate_aligned(alignment, size);
}
void *memalign(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}
void *valloc(size_t size) { return allocate_aligned(4096, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1))
    return EINVAL;
  void *block = allocate_aligned(alignment, size);
  if (!block)
    return ENOMEM;
  *result = block;
  return 0;
}

void *calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  void *block = malloc(all);
  return block ? memset(block, 0, all) : NULL;
}

/// One lane after the other, as for any lock.
static __attribute__((noinline)) void relist(uint64_t lanes, slab *s,
                                             uint32_t class) {
  for (; lanes; lanes &= lanes - 1)
    if (__gpu_lane_id() == (uint32_t)__builtin_ctzll(lanes))
      __heap_relist(s, class);
}

static __attribute__((noinline, minsize)) void release_large(region *header) {
  uint64_t base = fresh_word(&header->base);
  header->mark = 0;
  __host_post(RPC_FREE, base);
}

static __attribute__((noinline)) void check_and_fill(void *object, found at) {
  if (!guard_is_whole(object, at.place))
    broken("free(): written past the end of", object);
  memset(object, FREED_BYTE, at.place - 8);
  heap_fence();
}

__attribute__((noinline)) static void release(void *object) {
  const uint32_t mode = look_at_mode();
  const signs seen = look_at(object);
  // Release: what was done with the objects, before their bits are cleared and
  // their slab is lowered. Two relaxed atomics are enough after that: the
  // second waits for what the first one returned. Meanwhile the signs come.
  heap_fence();
  const found at = find(object, seen);
  if (is_checking(mode))
    check_and_fill(object, at);
  if (at.large) {
    release_large(at.large);
    return;
  }
  const uint64_t mask = rpc_lane_mask();
  slab *s = at.slab;
  const uint64_t bit = 1ull << at.index % 64;
  uint64_t before = __scoped_atomic_fetch_and(&s->bitmap[at.index / 64], ~bit,
                                              __ATOMIC_RELAXED, DEVICE);
  if (!(before & bit))
    broken("free(): freed twice", object);
  const uint64_t group =
      mask & (mask - 1) ? __heap_group(mask, (uint64_t)s) : mask;
  bool must_see = false;
  if (__gpu_lane_id() == (uint32_t)__builtin_ctzll(group)) {
    uint32_t count = (uint32_t)__builtin_popcountll(group);
    __scoped_atomic_store_n(&s->hint, at.index, __ATOMIC_RELAXED, DEVICE);
    uint64_t state =
        __scoped_atomic_fetch_sub(&s->state, count, __ATOMIC_RELAXED, DEVICE);
    must_see =
        state_status(state) == SLAB_DETACHED ||
        (state_status(state) == SLAB_LISTED && state_used(state) == count);
  }
  const uint64_t lanes = __gpu_ballot(mask, must_see);
  if (lanes)
    relist(lanes, s, at.class);
}

void free(void *object) {
  if (object)
    release(object);
}

size_t malloc_usable_size(void *object) {
  if (!object)
    return 0;
  found at = find(object, look_at(object));
  return checking() ? *asked_size(object, at.place) : at.place;
}

void *realloc(void *object, size_t size) {
  if (!object)
    return malloc(size);
  size_t has = malloc_usable_size(object);
  if (!checking() && size <= has && (size >= has / 2 || has <= 128))
    return object;
  void *moved = malloc(size);
  if (!moved)
    return NULL;
  memcpy(moved, object, has < size ? has : size);
  free(object);
  return moved;
}

void *reallocarray(void *object, size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(object, all);
}

void *reallocf(void *object, size_t size) {
  void *moved = realloc(object, size);
  if (!moved)
    free(object);
  return moved;
}
