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

static slab *current[CLASSES][ARENAS];
static slab *listed[CLASSES]; // detached slabs with room, doubly linked
static uint32_t class_locks[CLASSES];

static struct {
  uint32_t lock;
  slab *free;      // slabs of no class
  uint64_t region; // that is being cut, 0 = none
  uint32_t next;   // its next slab
} pool;

#define DEVICE __MEMORY_SCOPE_DEVICE

//===-- Locks: taken by one lane, the others of its wave are waiting ------===//

static void lock(uint32_t *word) {
  while (__scoped_atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE, DEVICE))
    __gpu_thread_suspend();
}
static void unlock(uint32_t *word) {
  __scoped_atomic_store_n(word, 0, __ATOMIC_RELEASE, DEVICE);
}

//===-- Regions -----------------------------------------------------------===//

/// One region-aligned piece of at least `size` bytes with its header filled in.
static region *new_region(uint64_t size, region_kind kind) {
  uint64_t base = __host_call(RPC_MALLOC, size, 0, 0).words[0];
  uint64_t address = base;
  if (base % REGION_SIZE) { // a server that does not align as LLVM 22's does
    __host_post(RPC_FREE, base);
    base = __host_call(RPC_MALLOC, size + REGION_SIZE, 0, 0).words[0];
    address = (base + REGION_SIZE - 1) & -(uint64_t)REGION_SIZE;
  }
  if (!base)
    return NULL;
  region *made = (region *)address;
  *made = (region){.magic = REGION_MAGIC, .kind = kind, .base = base};
  return made;
}

static region *region_of(const void *object) {
  return (region *)((uint64_t)object & -(uint64_t)REGION_SIZE);
}

static char *start_of(slab *s) { return (char *)s - sizeof(region); }

//===-- Slabs, under a lock -----------------------------------------------===//

/// Lays the class's bitmap and objects out. `state` keeps what waves with stale
/// pointers are adding and taking back at this moment.
static void shape(slab *s, uint32_t class, bool fresh) {
  uint32_t size = class_size(class);
  uint32_t room = class < SMALL_CLASSES ? SLAB_SIZE : REGION_SIZE;
  uint32_t align = size & -size;
  if (align > 4096)
    align = 4096;
  uint32_t most = room / size;
  s->words = (most + 63) / 64;
  uint32_t header = sizeof(region) + sizeof(slab) + s->words * 8;
  s->first = (header + align - 1) & -align;
  s->capacity = (room - s->first) / size;
  s->object_size = size;
  s->reciprocal = ((1ull << 40) + size - 1) / size;
  s->hint = 0;
  s->next = s->previous = NULL;
  for (uint32_t i = 0; i < s->words; ++i) {
    // Places beyond the capacity count as taken for ever.
    uint32_t below = i * 64;
    s->bitmap[i] = s->capacity >= below + 64 ? 0
                   : s->capacity > below     ? -1ull << (s->capacity - below)
                                             : -1ull;
  }
  if (fresh)
    s->state = (uint64_t)FREE_CLASS << 32;
  __scoped_atomic_fetch_add(&s->state, ((uint64_t)class - FREE_CLASS) << 32,
                            __ATOMIC_RELEASE, DEVICE);
}

static slab *new_small_slab(uint32_t class) {
  lock(&pool.lock);
  slab *s = pool.free;
  bool fresh = !s;
  if (s) {
    pool.free = s->next;
  } else {
    if (!pool.region || pool.next == REGION_SIZE / SLAB_SIZE) {
      pool.region = (uint64_t)new_region(REGION_SIZE, REGION_OF_SLABS);
      pool.next = 0;
    }
    if (pool.region)
      s = (slab *)(pool.region + pool.next++ * SLAB_SIZE + sizeof(region));
  }
  unlock(&pool.lock);
  if (s)
    shape(s, class, fresh);
  return s;
}

static slab *new_slab(uint32_t class) {
  if (class < SMALL_CLASSES)
    return new_small_slab(class);
  region *whole = new_region(REGION_SIZE, REGION_IS_SLAB);
  if (!whole)
    return NULL;
  slab *s = (slab *)(whole + 1);
  shape(s, class, true);
  return s;
}

static void list(slab *s, uint32_t class) {
  s->status = SLAB_LISTED;
  s->previous = NULL;
  s->next = listed[class];
  if (s->next)
    s->next->previous = s;
  listed[class] = s;
}

static void unlist(slab *s, uint32_t class) {
  if (s->previous)
    s->previous->next = s->next;
  else
    listed[class] = s->next;
  if (s->next)
    s->next->previous = s->previous;
}

static uint32_t used_of(const slab *s) {
  return (uint32_t)__scoped_atomic_load_n(&s->state, __ATOMIC_SEQ_CST, DEVICE);
}

/// One lane: a slab with room in place of `full`, which another wave may have
/// replaced already. Null when memory is out.
static slab *refill(uint32_t class, uint32_t arena, slab *full) {
  slab **slot = &current[class][arena];
  lock(&class_locks[class]);
  slab *s = __scoped_atomic_load_n(slot, __ATOMIC_RELAXED, DEVICE);
  if (s == full) {
    if (full) {
      __scoped_atomic_store_n(&full->status, SLAB_DETACHED, __ATOMIC_SEQ_CST,
                              DEVICE);
      // Objects freed before that store did not see it: look for them here.
      if (used_of(full) < full->capacity)
        list(full, class);
    }
    s = listed[class];
    if (s)
      unlist(s, class);
    else
      s = new_slab(class);
    if (s)
      __scoped_atomic_store_n(&s->status, SLAB_ATTACHED, __ATOMIC_SEQ_CST,
                              DEVICE);
    __scoped_atomic_store_n(slot, s, __ATOMIC_RELEASE, DEVICE);
  }
  unlock(&class_locks[class]);
  return s;
}

/// One lane: objects of a slab that no arena uses have been freed. It goes on
/// the class's list, or when nothing is left in it, back to the pool.
static __attribute__((noinline)) void relist(slab *s, uint32_t class) {
  lock(&class_locks[class]);
  uint64_t state = __scoped_atomic_load_n(&s->state, __ATOMIC_SEQ_CST, DEVICE);
  bool mine = state >> 32 == class;
  if (mine && s->status == SLAB_DETACHED && used_of(s) < s->capacity)
    list(s, class);
  uint64_t empty = (uint64_t)class << 32;
  // The class keeps one empty slab, or a loop of malloc and free would trade
  // them with the pool.
  if (mine && s->status == SLAB_LISTED && (s->next || s->previous) &&
      class < SMALL_CLASSES &&
      __scoped_atomic_compare_exchange_n(
          &s->state, &empty, (uint64_t)FREE_CLASS << 32, 0, __ATOMIC_SEQ_CST,
          __ATOMIC_RELAXED, DEVICE)) {
    unlist(s, class);
    s->status = SLAB_ATTACHED; // nobody may list it
    lock(&pool.lock);
    s->next = pool.free;
    pool.free = s;
    unlock(&pool.lock);
  }
  unlock(&class_locks[class]);
}

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

/// Index of the n-th bit that is set, counted from 0.
static uint32_t nth_bit(uint64_t bits, uint32_t n) {
  uint32_t position = 0;
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

/// The lowest `n` of the bits that are set.
static uint64_t lowest_bits(uint64_t bits, uint32_t n) {
  if ((uint32_t)__builtin_popcountll(bits) <= n)
    return bits;
  return bits & ((1ull << nth_bit(bits, n)) - 1);
}

static uint64_t broadcast(uint64_t mask, uint64_t value) {
  return __gpu_read_first_lane_u64(mask, value);
}

/// An object of `class` for every lane of `mask`, all of which call this. Null
/// for those that memory has run out for.
static void *allocate(uint64_t mask, uint32_t class) {
  const bool leader = __gpu_is_first_in_lane(mask);
  const uint32_t rank =
      (uint32_t)__builtin_popcountll(mask & ((1ull << __gpu_lane_id()) - 1));
  const uint32_t all = (uint32_t)__builtin_popcountll(mask);
  const uint32_t wave = (uint32_t)broadcast(mask, wave_number());
  const uint32_t arena = wave % ARENAS;
  slab **slot = &current[class][arena];
  char *result = NULL;

  slab *s = (slab *)broadcast(
      mask, (uint64_t)__scoped_atomic_load_n(slot, __ATOMIC_ACQUIRE, DEVICE));
  for (uint32_t served = 0; served < all;) {
    uint32_t want = all - served, got = 0;
    if (s) {
      uint64_t before = 0;
      if (leader)
        before = __scoped_atomic_fetch_add(&s->state, want, __ATOMIC_ACQ_REL,
                                           DEVICE);
      before = broadcast(mask, before);
      uint32_t used = (uint32_t)before;
      if (before >> 32 == class && used < s->capacity) {
        got = s->capacity - used;
        if (got > want)
          got = want;
      }
      if (leader && got < want)
        __scoped_atomic_fetch_sub(&s->state, want - got, __ATOMIC_RELAXED,
                                  DEVICE);
    }
    if (!got) {
      slab *other = NULL;
      if (leader)
        other = refill(class, arena, s);
      s = (slab *)broadcast(mask, (uint64_t)other);
      if (!s)
        break;
      continue;
    }
    // The bits are there; other waves may only move them about.
    uint32_t words = s->words;
    uint32_t word =
        ((uint32_t)broadcast(mask, s->hint) + (wave / ARENAS & 15) * 4) % words;
    for (uint32_t claimed = 0; claimed < got;) {
      uint64_t taken =
          broadcast(mask, __scoped_atomic_load_n(&s->bitmap[word],
                                                 __ATOMIC_RELAXED, DEVICE));
      if (~taken) {
        uint64_t wanted = lowest_bits(~taken, got - claimed);
        uint64_t before = 0;
        if (leader)
          before = __scoped_atomic_fetch_or(&s->bitmap[word], wanted,
                                            __ATOMIC_ACQUIRE, DEVICE);
        uint64_t mine = wanted & ~broadcast(mask, before);
        uint32_t count = (uint32_t)__builtin_popcountll(mine);
        uint32_t n = rank - served - claimed;
        if (n < count)
          result = start_of(s) + s->first +
                   (uint64_t)(word * 64 + nth_bit(mine, n)) * s->object_size;
        claimed += count;
        if (claimed < got && !count)
          continue; // another wave was faster: what is left in this word?
      }
      if (claimed < got)
        word = word + 1 == words ? 0 : word + 1;
    }
    if (leader && s->hint != word)
      s->hint = word;
    served += got;
    __gpu_sync_lane(mask);
  }
  return result;
}

/// More than a class has: a region of its own. `alignment` is a power of two.
static void *allocate_large(uint64_t size, uint64_t alignment) {
  uint64_t offset = alignment > sizeof(region) ? alignment : sizeof(region);
  if (alignment >= REGION_SIZE) {
    // The header stands before the object, which is where a region begins.
    region *made = new_region(size + alignment + REGION_SIZE, REGION_IS_OBJECT);
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
  region *made = new_region(size + offset, REGION_IS_OBJECT);
  if (!made)
    return NULL;
  made->address = (uint64_t)made + offset;
  made->size = size;
  return (void *)made->address;
}

//===-- GPUEXEC_HEAP=check ------------------------------------------------===//

// 0: not known yet, 1: off, 2: on. Every thread finds the same answer.
static uint32_t check_mode;

static bool checking(void) {
  uint32_t mode = __scoped_atomic_load_n(&check_mode, __ATOMIC_RELAXED, DEVICE);
  if (!mode) {
    const char *value = getenv("GPUEXEC_HEAP");
    mode = value && !strcmp(value, "check") ? 2 : 1;
    __scoped_atomic_store_n(&check_mode, mode, __ATOMIC_RELAXED, DEVICE);
  }
  return mode == 2;
}

enum { GUARD = 16, GUARD_BYTE = 0xa5, FREED_BYTE = 0xdd };

/// The size an object was asked for is the last word of its place.
static uint64_t *asked_size(char *object, uint64_t place) {
  return (uint64_t *)(object + place - 8);
}

static void set_guard(char *object, uint64_t place, uint64_t size) {
  *asked_size(object, place) = size;
  memset(object + size, GUARD_BYTE, place - 8 - size);
}

static _Noreturn void broken(const char *what, const void *object) {
  fprintf(stderr, "%s: %p (block %u, thread %u)\n", what, (void *)object,
          __gpu_block_id_x(), __gpu_thread_id_x());
  abort();
}

static bool guard_is_whole(char *object, uint64_t place) {
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
  uint32_t index; ///< in the slab
  uint64_t place; ///< bytes it may use
} found;

static found find(const void *object) {
  found result = {0};
  uint64_t address = (uint64_t)object;
  region *header = region_of(object);
  if (address % REGION_SIZE == 0)
    header = (region *)object - 1; // allocate_large with a huge alignment
  if (address % 16 || header->magic != REGION_MAGIC)
    broken("free(): invalid pointer", object);
  if (header->kind == REGION_IS_OBJECT) {
    if (header->address != address)
      broken("free(): invalid pointer", object);
    result.large = header;
    result.place = header->size;
    return result;
  }
  uint64_t size = header->kind == REGION_IS_SLAB ? REGION_SIZE : SLAB_SIZE;
  uint64_t start = address & -size;
  slab *s = (slab *)(start + sizeof(region));
  uint64_t offset = address - start - s->first;
  uint32_t index = (uint32_t)(offset * s->reciprocal >> 40);
  if (address - start < s->first || index >= s->capacity ||
      (uint64_t)index * s->object_size != offset)
    broken("free(): invalid pointer", object);
  result.slab = s;
  result.index = index;
  result.place = s->object_size;
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
    uint64_t base = at.large->base;
    at.large->magic = 0;
    __host_post(RPC_FREE, base);
    return;
  }
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(mask, (uint64_t)at.slab) {
    slab *s = at.slab;
    uint64_t bit = 1ull << at.index % 64;
    uint64_t before = __scoped_atomic_fetch_and(&s->bitmap[at.index / 64], ~bit,
                                                __ATOMIC_RELEASE, DEVICE);
    if (!(before & bit))
      broken("free(): freed twice", object);
    __gpu_sync_lane(group_now);
    if (__gpu_is_first_in_lane(group_now)) {
      uint32_t count = (uint32_t)__builtin_popcountll(group_now);
      uint32_t class = class_of(s->object_size);
      s->hint = at.index / 64;
      uint64_t state =
          __scoped_atomic_fetch_sub(&s->state, count, __ATOMIC_SEQ_CST, DEVICE);
      uint32_t status =
          __scoped_atomic_load_n(&s->status, __ATOMIC_SEQ_CST, DEVICE);
      if (status == SLAB_DETACHED ||
          (status == SLAB_LISTED && (uint32_t)state == count))
        relist(s, class);
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
