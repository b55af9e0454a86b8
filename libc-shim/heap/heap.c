//===-- libc-shim/heap/heap.c - malloc and its family ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See heap.h for the layout of memory. Needs only LLVM's opcodes MALLOC and
// FREE, so it works under LLVM's own runtime too.
//
// With GPUEXEC_HEAP=check in the environment every object is followed by guard
// bytes and its size. free() then reports writes past the end of an object and
// overwrites the memory that it frees. A double free and a pointer that is not
// from malloc are reported in any case.
//===----------------------------------------------------------------------===//
#include "libc-shim/heap/heap.h"
#include "libc-shim/device/known_call.h"
#include "libc-shim/device/replaceable.h"
#include "libc-shim/device/trap.h"
#include "libc-shim/heap/heap_single.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The number of large objects allocated so far.
static SHARED uint32_t large_objects;

/// An object that is too large for a class gets a region of its own.
/// `alignment` is a power of two.
static __attribute__((noinline, minsize)) void *
allocate_large(uint64_t size, uint64_t alignment) {
  uint64_t offset = alignment > COLOUR ? alignment : COLOUR;
  if (alignment >= REGION_SIZE) {
    // The object begins where a region would; the header is in front of it.
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
  // Objects begin at different multiples of COLOUR in their regions, so that
  // they do not compete for the same sets of a cache. The multiple depends on
  // the number of objects before and not on the region's address, which a
  // replay of the program does not repeat.
  enum { COLOURS = 32 };
  const uint64_t most = alignment <= COLOUR ? (COLOURS - 1) * COLOUR : 0;
  region *made = __heap_new_region(size + offset + most, REGION_IS_OBJECT);
  if (!made)
    return NULL;
  if (most)
    offset += (__scoped_atomic_fetch_add(&large_objects, 1, __ATOMIC_RELAXED,
                                         DEVICE) *
                   0x9e3779b9u >>
               27) *
              COLOUR;
  made->address = (uint64_t)made + offset;
  made->size = size;
  return (void *)made->address;
}

//===-- GPUEXEC_HEAP=check ------------------------------------------------===//

// Races are harmless: every thread computes the same value.
enum { CHECK_UNKNOWN, CHECK_OFF, CHECK_ON };
static uint32_t check_mode;

static __attribute__((noinline, minsize)) uint32_t find_check_mode(void) {
#ifdef __NVPTX__
  __heap_functions = (heap_functions){malloc, free};
#endif
  const char *value = getenv("GPUEXEC_HEAP");
  uint32_t mode = value && !strcmp(value, "check") ? CHECK_ON : CHECK_OFF;
  __scoped_atomic_store_n(&check_mode, mode, __ATOMIC_RELAXED, DEVICE);
  return mode;
}

static uint32_t look_at_mode(void) {
  return __scoped_atomic_load_n(&check_mode, __ATOMIC_RELAXED, DEVICE);
}
static bool checking(void) {
  uint32_t mode = look_at_mode();
  return (mode ? mode : find_check_mode()) == CHECK_ON;
}

enum { GUARD = 16, GUARD_BYTE = 0xa5, FREED_BYTE = 0xdd };

/// The address of the last word of an object's place, which holds the requested
/// size. `place` is the place's size in bytes.
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
  fprintf(stderr, "gpuexec: %s: %p (block %u, thread %u)\n", what,
          (void *)object, __gpu_block_id_x(), __gpu_thread_id_x());
  TRAP(GPUEXEC_TRAP_HEAP);
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
  slab *slab;     ///< the object's slab; null if it has a region of its own
  region *large;  ///< the header of that region
  uint32_t class; ///< the slab's
  uint32_t index; ///< of the object in the slab
  uint64_t place; ///< bytes from the object's address that it may use
} found;

static region *region_of(const void *object) {
  return (region *)((uint64_t)object & -(uint64_t)REGION_SIZE);
}

/// The current value: bypasses the L1 cache.
static uint64_t fresh_word(const uint64_t *word) {
  return __scoped_atomic_load_n(word, __ATOMIC_RELAXED, DEVICE);
}

/// All words that may be needed to find an object. They are loaded together,
/// because each load waits for memory.
typedef struct {
  region *header;
  uint64_t mark, small_state, large_state;
} header_words;

static slab *slab_at(uint64_t address, uint64_t size) {
  return (slab *)((address & -size) + sizeof(region));
}

static header_words look_at(const void *object) {
  uint64_t address = (uint64_t)object;
  header_words seen = {.header = region_of(object)};
  if (address % REGION_SIZE == 0)
    seen.header = (region *)object - 1; // allocate_large, a huge alignment
  seen.mark = fresh_word(&seen.header->mark);
  seen.small_state = fresh_word(&slab_at(address, SLAB_SIZE)->state);
  seen.large_state = fresh_word(&slab_at(address, REGION_SIZE)->state);
  return seen;
}

static found find_large(const void *object, header_words seen) {
  if (fresh_word(&seen.header->address) != (uint64_t)object)
    broken("free(): invalid pointer", object);
  return (found){.large = seen.header, .place = fresh_word(&seen.header->size)};
}

/// Is this where align_in_place() puts an object, `inside` bytes from where its
/// place begins?
static bool may_be_aligned(uint64_t address, uint32_t inside, uint32_t place) {
  return place > COLOURED && address % (2 * COLOUR) == 0 &&
         inside < (address & -address);
}

static found find_in_slab(const void *object, header_words seen) {
  const uint64_t address = (uint64_t)object;
  const bool whole = seen.mark == REGION_MARK(REGION_IS_SLAB);
  const uint32_t class =
      state_class(whole ? seen.large_state : seen.small_state);
  if ((!whole && seen.mark != REGION_MARK(REGION_OF_SLABS)) || class >= CLASSES)
    broken("free(): invalid pointer", object);
  CONSTANT const slab_shape *shape = &__heap_shapes[class];
  const uint64_t room = whole ? REGION_SIZE : SLAB_SIZE;
  // Exact for multiples of the size. An object before the first one wraps
  // around to an index that is too large.
  const uint32_t offset = (uint32_t)(address & (room - 1)) - shape->first;
  const uint32_t index =
      (uint32_t)((uint64_t)(offset / 8) * shape->reciprocal >> 32);
  const uint32_t inside = offset - index * shape->size;
  if (index >= shape->capacity ||
      (inside && !may_be_aligned(address, inside, shape->size)))
    broken("free(): invalid pointer", object);
  return (found){.slab = slab_at(address, room),
                 .class = class,
                 .index = index,
                 .place = shape->size - inside};
}

static found find(const void *object) {
  const header_words seen = look_at(object);
  return seen.mark == REGION_MARK(REGION_IS_OBJECT)
             ? find_large(object, seen)
             : find_in_slab(object, seen);
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

/// Is a single lane of the wave active?
static bool is_alone(uint64_t mask) { return !(mask & (mask - 1)); }

/// Allocates large objects, objects with GPUEXEC_HEAP=check, and the program's
/// first object.
static __attribute__((noinline)) void *allocate_slow(uint64_t alignment,
                                                     uint64_t size) {
  const bool guarded = checking();
  if (size > 1ull << 46)
    return NULL;
  const uint64_t bytes = guarded ? size + GUARD : size;
  const uint32_t class = class_for(alignment, bytes);
  void *result;
  if (class < CLASSES) {
    const heap_place at = __heap_look(class);
    result = __heap_take(rpc_lane_mask(), class, at.turn, at.slot, at.slab);
  } else {
    result = allocate_large(bytes, alignment);
  }
  if (result && guarded)
    set_guard(result, class < CLASSES ? class_size(class) : bytes, size);
  return result;
}

// What several threads need is in functions of its own on AMD's GPUs: see
// heap_single.h.
#ifdef __AMDGPU__
#define CALLED_LAST __attribute__((noinline))
#else
#define CALLED_LAST inline __attribute__((always_inline))
#endif

// The fast path. Rare work is in other functions, so that no value has to be
// kept across their calls: saving registers takes time.
static CALLED_LAST void *allocate_among_threads(uint64_t alignment,
                                                uint64_t size) {
  const uint32_t class = class_for(alignment, size);
  if (is_alone(rpc_lane_mask()) && class < CLASSES &&
      heap_cached_word(&check_mode) == CHECK_OFF) {
    void *object = __heap_take_alone(class);
    if (object)
      return object;
  }
  // The load of the slot is issued before the mode is waited for.
  const uint32_t mode = look_at_mode();
  const heap_place at = __heap_look(class < CLASSES ? class : 0);
  if (mode != CHECK_OFF || class == CLASSES)
    return allocate_slow(alignment, size);
  return __heap_take(rpc_lane_mask(), class, at.turn, at.slot, at.slab);
}

KNOWN_CALL void *__heap_allocate(uint64_t alignment, uint64_t size) {
  if (heap_is_single() && alignment <= 16) {
    const uint32_t class = class_of(size);
    if (class < CLASSES && heap_cached_word(&check_mode) == CHECK_OFF) {
      void *object = heap_take_single(class);
      if (object)
        return object;
    }
  }
  return allocate_among_threads(alignment, size);
}

static __attribute__((noinline, cold)) void *out_of_memory(void) {
  errno = ENOMEM;
  return NULL;
}

static void *allocate_aligned(uint64_t alignment, uint64_t size) {
  void *result = __heap_allocate(alignment, size);
  return result ? result : out_of_memory();
}

/// For alignments above COLOUR, up to 4096: allocates a larger place, which
/// begins at a multiple of COLOUR, and returns the first aligned address in it.
static __attribute__((noinline)) void *align_in_place(uint64_t alignment,
                                                      uint64_t size) {
  uint64_t all = size + alignment - COLOUR;
  if (all <= COLOURED / 8 * 7)
    all = COLOURED;
  char *place = __heap_allocate(COLOUR, all);
  if (!place)
    return out_of_memory();
  char *object = (char *)(((uint64_t)place + alignment - 1) & -alignment);
  if (checking()) {
    const found at = find(object);
    set_guard(object, at.place, size);
  }
  return object;
}
/// Any alignment that is a power of two.
static void *allocate_any(uint64_t alignment, uint64_t size) {
  if (alignment > COLOUR && alignment <= 4096 &&
      class_for(alignment, size) == CLASSES && size <= 500 << 10)
    return align_in_place(alignment, size);
  return allocate_aligned(alignment, size);
}

// A program may have a heap of its own, and take the rest from here.

REPLACEABLE void *malloc(size_t size) { return allocate_aligned(16, size); }

REPLACEABLE void *aligned_alloc(size_t alignment, size_t size) {
  if (!alignment || alignment & (alignment - 1)) {
    errno = EINVAL;
    return NULL;
  }
  return allocate_any(alignment, size);
}
REPLACEABLE void *memalign(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}
REPLACEABLE void *valloc(size_t size) { return allocate_any(4096, size); }
REPLACEABLE int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1))
    return EINVAL;
  void *block = allocate_any(alignment, size);
  if (!block)
    return ENOMEM;
  *result = block;
  return 0;
}

REPLACEABLE void *calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all))
    return out_of_memory();
  void *block = malloc(all);
  return block ? memset(block, 0, all) : NULL;
}

/// One lane after the other, because lanes of one wave must not wait for each
/// other's lock.
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

/// Clears the object's bit, then lowers `used` of its slab. The caller has
/// issued a fence. Relaxed atomics are enough, because the second one depends
/// on the result of the first.
static inline void give_place_back(const void *object, found at) {
  const uint64_t mask = rpc_lane_mask();
  slab *s = at.slab;
  const uint64_t bit = 1ull << at.index % 64;
  uint64_t before = __scoped_atomic_fetch_and(&s->bitmap[at.index / 64], ~bit,
                                              __ATOMIC_RELAXED, DEVICE);
  if (!(before & bit))
    broken("free(): freed twice", object);
  const uint64_t group =
      is_alone(mask) ? mask : __heap_group(mask, (uint64_t)s);
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

/// free() of large objects, and with GPUEXEC_HEAP=check.
static __attribute__((noinline)) void release_slow(void *object) {
  const found at = find(object);
  if (checking()) {
    if (at.slab &&
        !(fresh_word(&at.slab->bitmap[at.index / 64]) >> at.index % 64 & 1))
      broken("free(): freed twice", object);
    if (!guard_is_whole(object, at.place))
      broken("free(): written past the end of", object);
    memset(object, FREED_BYTE, at.place - 8);
  }
  heap_fence();
  if (at.large)
    release_large(at.large);
  else
    give_place_back(object, at);
}

static CALLED_LAST void release_among_threads(void *object) {
  const uint32_t mode = look_at_mode();
  const header_words seen = look_at(object);
  // Release: all accesses to the object come before its next use. The loads
  // above are in flight meanwhile.
  heap_fence();
  if (mode == CHECK_OFF && seen.mark != REGION_MARK(REGION_IS_OBJECT))
    give_place_back(object, find_in_slab(object, seen));
  else
    release_slow(object);
}

static __attribute__((noinline)) void release(void *object) {
  if (heap_is_single() && heap_cached_word(&check_mode) == CHECK_OFF &&
      heap_give_back_single(object))
    return;
  release_among_threads(object);
}

REPLACEABLE void free(void *object) {
  if (object)
    release(object);
}

REPLACEABLE size_t malloc_usable_size(void *object) {
  if (!object)
    return 0;
  found at = find(object);
  return checking() ? *asked_size(object, at.place) : at.place;
}

REPLACEABLE void *realloc(void *object, size_t size) {
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

REPLACEABLE void *reallocarray(void *object, size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all))
    return out_of_memory();
  return realloc(object, all);
}
