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

//===-- Allocation by a whole group of lanes ------------------------------===//

static uint32_t wave_number(void) {
  uint32_t threads =
      __gpu_num_threads_x() * __gpu_num_threads_y() * __gpu_num_threads_z();
  uint32_t thread =
      __gpu_thread_id_x() +
      __gpu_num_threads_x() *
          (__gpu_thread_id_y() + __gpu_num_threads_y() * __gpu_thread_id_z());
  uint32_t block =
      __gpu_block_id_x() +
      __gpu_num_blocks_x() *
          (__gpu_block_id_y() + __gpu_num_blocks_y() * __gpu_block_id_z());
  uint32_t lanes = __gpu_num_lanes();
  return block * ((threads + lanes - 1) / lanes) + thread / lanes;
}

/// Index of the n-th bit that is set, counted from 0, for bits with gaps.
static __attribute__((noinline)) uint32_t nth_bit_of_many(uint64_t bits,
                                                          uint32_t n) {
  uint32_t position = 0;
#pragma clang loop unroll(disable)
  for (uint32_t half = 32; half; half /= 2) {
    uint32_t below =
        (uint32_t)__builtin_popcountll(bits >> position & ((1ull << half) - 1));
    if (n >= below) {
      n -= below;
      position += half;
    }
  }
  return position;
}

/// The same for any bits; most often there are no gaps.
static uint32_t nth_bit(uint64_t bits, uint32_t n) {
  uint32_t first = (uint32_t)__builtin_ctzll(bits);
  uint64_t run = bits >> first;
  return run & (run + 1) ? nth_bit_of_many(bits, n) : first + n;
}

/// The lowest `n` of the bits that are set.
static uint64_t lowest_bits(uint64_t bits, uint32_t n) {
  if ((uint32_t)__builtin_popcountll(bits) <= n)
    return bits;
  uint64_t run = ((1ull << n) - 1) << __builtin_ctzll(bits);
  if (!(run & ~bits))
    return run;
  return bits & ((1ull << nth_bit_of_many(bits, n)) - 1);
}

static uint64_t broadcast(uint64_t mask, uint64_t value) {
  return __gpu_read_first_lane_u64(mask, value);
}

/// Takes up to `want` places of a slab for the group that `mask` is; how many.
/// With `look_first` a full slab costs no more than a look.
static uint32_t reserve(uint64_t mask, slab *s, uint32_t class,
                        uint32_t capacity, uint32_t want, bool look_first) {
  uint32_t got = 0;
  if (__gpu_is_first_in_lane(mask)) {
    uint64_t before =
        look_first ? __scoped_atomic_load_n(&s->state, __ATOMIC_RELAXED, DEVICE)
                   : 0;
    if (!look_first || (state_class(before) == class && //
                        state_used(before) < capacity)) {
      before =
          __scoped_atomic_fetch_add(&s->state, want, __ATOMIC_RELAXED, DEVICE);
      if (state_class(before) == class && state_used(before) < capacity) {
        got = capacity - state_used(before);
        if (got > want)
          got = want;
      }
      if (got < want) {
        before = __scoped_atomic_fetch_sub(&s->state, want - got,
                                           __ATOMIC_RELAXED, DEVICE);
        // Who detached the slab meanwhile may have taken it for full.
        if (state_class(before) == class &&
            state_status(before) == SLAB_DETACHED)
          __heap_relist(s, class);
      }
    }
  }
  return __gpu_read_first_lane_u32(mask, got);
}

/// Finds `count` bits for as many reservations: the lane whose `turn` is n,
/// counted from 0, gets the n-th place. The others get null.
static char *claim(uint64_t mask, slab *s, const slab_shape *shape,
                   uint32_t count, uint32_t turn, uint32_t wave) {
  const bool leader = __gpu_is_first_in_lane(mask);
  char *result = NULL;
  uint32_t hint = (uint32_t)broadcast(
      mask, __scoped_atomic_load_n(&s->hint, __ATOMIC_RELAXED, DEVICE));
  // Waves with the same hint shall not all come to the same word.
  uint32_t word = hint + ((wave / FIRST_SLOTS % 16) * shape->words >> 4);
  if (word >= shape->words)
    word -= shape->words;
  for (uint32_t claimed = 0;;) {
    uint64_t taken =
        broadcast(mask, __scoped_atomic_load_n(&s->bitmap[word],
                                               __ATOMIC_RELAXED, DEVICE));
    if (~taken) {
      uint64_t wanted = lowest_bits(~taken, count - claimed);
      uint64_t before = 0;
      if (leader)
        before = __scoped_atomic_fetch_or(&s->bitmap[word], wanted,
                                          __ATOMIC_ACQUIRE, DEVICE);
      uint64_t mine = wanted & ~broadcast(mask, before);
      uint32_t got = (uint32_t)__builtin_popcountll(mine);
      uint32_t n = turn - claimed;
      if (n < got)
        result = (char *)s - sizeof(region) + shape->first +
                 (uint64_t)(word * 64 + nth_bit(mine, n)) * shape->size;
      claimed += got;
      if (claimed == count)
        break;
      if (!got)
        continue; // another wave was faster: what is left in this word?
    }
    word = word + 1 == shape->words ? 0 : word + 1;
  }
  if (leader && hint != word)
    __scoped_atomic_store_n(&s->hint, word, __ATOMIC_RELAXED, DEVICE);
  return result;
}

/// An object of `class` for every lane of `mask`, all of which call this. Null
/// for those that memory has run out for.
static void *allocate(uint64_t mask, uint32_t class) {
  enum { PROBES = 4 };
  heap_class *c = &__heap_classes[class];
  const slab_shape *shape = &__heap_shapes[class];
  const uint32_t rank =
      (uint32_t)__builtin_popcountll(mask & ((1ull << __gpu_lane_id()) - 1));
  const uint32_t all = (uint32_t)__builtin_popcountll(mask);
  const uint32_t wave = __gpu_read_first_lane_u32(mask, wave_number());
  uint32_t slots =
      first_slots(class) +
      __gpu_read_first_lane_u32(
          mask, __scoped_atomic_load_n(&c->extra, __ATOMIC_RELAXED, DEVICE));
  const uint32_t home =
      wave < slots ? wave
                   : (uint32_t)((uint64_t)(wave * 0x9e3779b1u) * slots >> 32);
  char *result = NULL;
  bool refilled = false;
  for (uint32_t served = 0, probe = 0, at = home; served < all;) {
    // Relaxed, as all that follows goes by what is read here.
    slab *s =
        (slab *)broadcast(mask, (uint64_t)__scoped_atomic_load_n(
                                    &c->slots[at], __ATOMIC_RELAXED, DEVICE));
    uint32_t got = !s ? 0
                      : reserve(mask, s, class, shape->capacity, all - served,
                                probe || refilled);
    if (got) {
      char *place = claim(mask, s, shape, got, rank - served, wave);
      if (place)
        result = place;
      served += got;
      __gpu_sync_lane(mask);
      continue;
    }
    if (++probe < PROBES && probe < slots && (s || probe > 1)) {
      at = at + 1 >= slots ? 0 : at + 1;
      continue;
    }
    if (__gpu_is_first_in_lane(mask))
      at = __heap_refill(class, home);
    at = __gpu_read_first_lane_u32(mask, at);
    if (at == SLOTS)
      break;
    probe = 0;
    refilled = true;
  }
  return result;
}

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
  const char *value = getenv("GPUEXEC_HEAP");
  uint32_t mode = value && !strcmp(value, "check") ? 2 : 1;
  __scoped_atomic_store_n(&check_mode, mode, __ATOMIC_RELAXED, DEVICE);
  return mode;
}

static bool checking(void) {
  uint32_t mode = __scoped_atomic_load_n(&check_mode, __ATOMIC_RELAXED, DEVICE);
  return (mode ? mode : find_check_mode()) == 2;
}

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

static found find(const void *object) {
  found result = {0};
  uint64_t address = (uint64_t)object;
  region *header = region_of(object);
  if (address % REGION_SIZE == 0)
    header = (region *)object - 1; // allocate_large with a huge alignment
  uint64_t mark = fresh_word(&header->mark);
  if (address % 16 || mark >> 32 != REGION_MAGIC)
    broken("free(): invalid pointer", object);
  if (mark == REGION_MARK(REGION_IS_OBJECT)) {
    if (fresh_word(&header->address) != address)
      broken("free(): invalid pointer", object);
    result.large = header;
    result.place = fresh_word(&header->size);
    return result;
  }
  uint64_t size = mark == REGION_MARK(REGION_IS_SLAB) ? REGION_SIZE : SLAB_SIZE;
  uint64_t start = address & -size;
  slab *s = (slab *)(start + sizeof(region));
  uint32_t class =
      state_class(__scoped_atomic_load_n(&s->state, __ATOMIC_RELAXED, DEVICE));
  if (class >= CLASSES)
    broken("free(): invalid pointer", object);
  const slab_shape *shape = &__heap_shapes[class];
  uint64_t offset = address - start - shape->first;
  uint32_t index = (uint32_t)(offset * shape->reciprocal >> 40);
  if (address - start < shape->first || index >= shape->capacity ||
      (uint64_t)index * shape->size != offset)
    broken("free(): invalid pointer", object);
  result.slab = s;
  result.class = class;
  result.index = index;
  result.place = shape->size;
  return result;
}

//===-- The functions -----------------------------------------------------===//

__attribute__((noinline)) void *__heap_allocate(uint64_t alignment,
                                                uint64_t size) {
  if (size > 1ull << 46)
    return NULL;
  const bool check = checking();
  uint64_t place = check ? size + GUARD : size;
  uint32_t class = alignment > 4096 ? CLASSES : class_of(place);
  while (alignment > 16 && class < CLASSES &&
         (class_size(class) & -class_size(class)) < alignment)
    ++class;
  void *result = NULL;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(mask, class) {
    if (class < CLASSES)
      result = allocate(group_now, class);
    else
      result = allocate_large(place, alignment);
  }
  if (result && check)
    set_guard(result, class < CLASSES ? class_size(class) : place, size);
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

__attribute__((noinline)) static void release(void *object) {
  found at = find(object);
  if (checking()) {
    if (!guard_is_whole(object, at.place))
      broken("free(): written past the end of", object);
    memset(object, FREED_BYTE, at.place - 8);
  }
  if (at.large) {
    uint64_t base = fresh_word(&at.large->base);
    at.large->mark = 0;
    __host_post(RPC_FREE, base);
    return;
  }
  // Release: what was done with the objects, before their bits are cleared and
  // their slab is lowered. Two relaxed atomics are enough after that: the
  // second waits for what the first one returned.
  rpc_device_fence();
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(mask, (uint64_t)at.slab) {
    slab *s = at.slab;
    uint64_t bit = 1ull << at.index % 64;
    uint64_t before = __scoped_atomic_fetch_and(&s->bitmap[at.index / 64], ~bit,
                                                __ATOMIC_RELAXED, DEVICE);
    if (!(before & bit))
      broken("free(): freed twice", object);
    __gpu_sync_lane(group_now);
    if (__gpu_is_first_in_lane(group_now)) {
      uint32_t count = (uint32_t)__builtin_popcountll(group_now);
      __scoped_atomic_store_n(&s->hint, at.index / 64, __ATOMIC_RELAXED,
                              DEVICE);
      uint64_t state =
          __scoped_atomic_fetch_sub(&s->state, count, __ATOMIC_RELAXED, DEVICE);
      if (state_status(state) == SLAB_DETACHED ||
          (state_status(state) == SLAB_LISTED && state_used(state) == count))
        __heap_relist(s, at.class);
    }
  }
}

void free(void *object) {
  if (object)
    release(object);
}

size_t malloc_usable_size(void *object) {
  if (!object)
    return 0;
  found at = find(object);
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
