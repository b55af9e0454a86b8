//===-- libc-shim/heap/heap_slabs.c - Where the heap's slabs come from ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See heap.h. This file holds the code that runs under locks. One lane takes a
// lock for a bounded time while the other lanes of its wave wait, and releases
// it before they reconverge. Lock order: a class's lock, then the pool's.
//===----------------------------------------------------------------------===//
#include "libc-shim/heap/heap.h"

SHARED heap_class __heap_classes[CLASSES];

// Rarely run: optimised for size, each function compiled once.
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)

static SHARED struct {
  uint32_t lock;
  slab *small;     // list of slabs of 64 KiB that belong to no class
  slab *whole;     // list of slabs of a whole region that belong to no class
  uint64_t region; // the region that is being cut into slabs; 0: none
  uint32_t next;   // index of the next slab to be cut from it
  uint32_t taken;  // number of regions got from the host
  uint32_t limit;  // empty slabs are collected when `taken` reaches this
} pool = {.limit = 16};

//===-- Shapes ------------------------------------------------------------===//

#define PLAIN(c)                                                               \
  ((c) < 8 ? 16u * ((c) + 1) : (32u << ((c)-8) / 4) * (((c)-8) % 4 + 5))
#define SIZE(c) (PLAIN(c) + (PLAIN(c) < COLOURED ? 0 : COLOUR))
#define ROOM(c) ((c) < SMALL_CLASSES ? (uint32_t)SLAB_SIZE : REGION_SIZE)
#define WORDS(c) ((ROOM(c) / SIZE(c) + 63) / 64)
#define POWER(c) (SIZE(c) & -SIZE(c))
#define HEADERS(c) (sizeof(region) + sizeof(slab) + WORDS(c) * 8)
#define FIRST(c) ((uint32_t)((HEADERS(c) + POWER(c) - 1) / POWER(c) * POWER(c)))
#define SHAPE(c)                                                               \
  {                                                                            \
    SIZE(c), FIRST(c), (ROOM(c) - FIRST(c)) / SIZE(c),                         \
        (uint32_t)(((1ull << 32) + SIZE(c) / 8 - 1) / (SIZE(c) / 8)), WORDS(c) \
  }
#define SHAPES(c)                                                              \
  SHAPE(c), SHAPE(c + 1), SHAPE(c + 2), SHAPE(c + 3), SHAPE(c + 4),            \
      SHAPE(c + 5), SHAPE(c + 6), SHAPE(c + 7)

CONSTANT const slab_shape __heap_shapes[CLASSES] = {
    SHAPES(0),  SHAPES(8),  SHAPES(16), SHAPES(24),
    SHAPES(32), SHAPES(40), SHAPES(48)};

//===-- Locks and states --------------------------------------------------===//

static bool try_lock(uint32_t *word) {
  if (__scoped_atomic_load_n(word, __ATOMIC_RELAXED, DEVICE) ||
      __scoped_atomic_exchange_n(word, 1, __ATOMIC_RELAXED, DEVICE))
    return false;
  heap_fence();
  return true;
}
static void lock(uint32_t *word) {
  while (!try_lock(word))
    __gpu_thread_suspend();
}
static void unlock(uint32_t *word) {
  heap_fence();
  __scoped_atomic_store_n(word, 0, __ATOMIC_RELAXED, DEVICE);
}

static uint64_t state_of(const slab *s) {
  return __scoped_atomic_load_n(&s->state, __ATOMIC_RELAXED, DEVICE);
}

/// Returns the state before. The caller holds the class's lock.
static uint64_t change_status(slab *s, slab_status from, slab_status to) {
  return __scoped_atomic_fetch_add(&s->state, ((uint64_t)to - from) << 48,
                                   __ATOMIC_RELAXED, DEVICE);
}

//===-- Regions and slabs of no class -------------------------------------===//

__attribute__((noinline)) region *__heap_new_region(uint64_t size,
                                                    region_kind kind) {
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
  *made = (region){.mark = REGION_MARK(kind), .base = base};
  return made;
}

static void give_to_pool(slab *s, uint32_t class) {
  slab **list = class < SMALL_CLASSES ? &pool.small : &pool.whole;
  lock(&pool.lock);
  s->next = *list;
  *list = s;
  unlock(&pool.lock);
}

/// Returns a whole region as a slab; the caller holds the pool's lock. Null
/// when there is no memory, or when pool.limit is reached: then the caller
/// should call collect_empty() and try again with `collected`, which ignores
/// the limit, because other waves may have reached the next one meanwhile.
static slab *whole_region(bool collected) {
  slab *s = pool.whole;
  if (s) {
    pool.whole = s->next;
    return s;
  }
  if (pool.taken >= pool.limit) {
    pool.limit = pool.taken + pool.taken / 4 + 1;
    if (!collected)
      return NULL;
  }
  region *made = __heap_new_region(REGION_SIZE, REGION_IS_SLAB);
  if (!made)
    return NULL;
  ++pool.taken;
  s = (slab *)(made + 1);
  s->state = STATE_OF(FREE_CLASS, SLAB_ATTACHED);
  return s;
}

static slab *small_slab(bool collected) {
  slab *s = pool.small;
  if (s) {
    pool.small = s->next;
    return s;
  }
  if (!pool.region || pool.next == REGION_SIZE / SLAB_SIZE) {
    s = whole_region(collected);
    if (!s)
      return NULL;
    region *cut = (region *)s - 1;
    cut->mark = REGION_MARK(REGION_OF_SLABS);
    pool.region = (uint64_t)cut;
    pool.next = 1;
    return s; // its state is kept: waves may have stale pointers to this slab
  }
  s = (slab *)(pool.region + pool.next++ * SLAB_SIZE + sizeof(region));
  s->state = STATE_OF(FREE_CLASS, SLAB_ATTACHED);
  return s;
}

static slab *new_slab(uint32_t class, bool collected) {
  CONSTANT const slab_shape *shape = &__heap_shapes[class];
  lock(&pool.lock);
  slab *s =
      class < SMALL_CLASSES ? small_slab(collected) : whole_region(collected);
  unlock(&pool.lock);
  if (!s)
    return NULL;
  s->hint = 0;
  for (uint32_t i = 0; i < shape->words; ++i) {
    // Bits beyond the capacity stay set.
    uint32_t below = i * 64;
    s->bitmap[i] = shape->capacity >= below + 64 ? 0
                   : shape->capacity > below
                       ? -1ull << (shape->capacity - below)
                       : -1ull;
  }
  // Release: the bitmap before the class. An exclusive or keeps reservations
  // that waves with stale pointers add and take back at this moment.
  heap_fence();
  __scoped_atomic_fetch_xor(&s->state, STATE_OF(FREE_CLASS ^ class, 0),
                            __ATOMIC_RELAXED, DEVICE);
  return s;
}

//===-- A class's slabs, under its lock -----------------------------------===//

static void unlist(heap_class *c, slab *s) {
  if (s->previous)
    s->previous->next = s->next;
  else
    c->listed = s->next;
  if (s->next)
    s->next->previous = s->previous;
}

/// Removes a slab from the slots: lists it, unless it is full. A wave that
/// frees in it, or takes a reservation back, sees its status.
static void detach(heap_class *c, slab *s, slab_status from) {
  uint32_t capacity = __heap_shapes[c - __heap_classes].capacity;
  uint64_t before = from == SLAB_DETACHED
                        ? state_of(s)
                        : change_status(s, from, SLAB_DETACHED);
  if (state_used(before) >= capacity)
    return;
  change_status(s, SLAB_DETACHED, SLAB_LISTED);
  s->previous = NULL;
  s->next = c->listed;
  if (s->next)
    s->next->previous = s;
  c->listed = s;
}

/// Moves a listed slab to the pool if it is empty.
static void give_back(heap_class *c, slab *s) {
  uint32_t class = (uint32_t)(c - __heap_classes);
  uint64_t empty = STATE_OF(class, SLAB_LISTED);
  if (!__scoped_atomic_compare_exchange_n(
          &s->state, &empty, STATE_OF(FREE_CLASS, SLAB_ATTACHED), 0,
          __ATOMIC_RELAXED, __ATOMIC_RELAXED, DEVICE))
    return;
  unlist(c, s);
  give_to_pool(s, class);
}

/// A slab with room that is in no slot yet, or null.
static slab *take_listed(heap_class *c) {
  uint32_t capacity = __heap_shapes[c - __heap_classes].capacity;
  for (slab *s; (s = c->listed);) {
    unlist(c, s);
    if (state_used(state_of(s)) < capacity)
      return s;
    detach(c, s, SLAB_LISTED);
  }
  return NULL;
}

static void clear_slot(heap_class *c, uint32_t slot) {
  slab *s = c->slots[slot];
  if (!s)
    return;
  __scoped_atomic_store_n(&c->slots[slot], NULL, __ATOMIC_RELAXED, DEVICE);
  detach(c, s, SLAB_ATTACHED);
}

/// Removes the additional slots.
static void fold(heap_class *c) {
  uint32_t first = first_slots((uint32_t)(c - __heap_classes));
  uint32_t end = first + c->extra;
  __scoped_atomic_store_n(&c->extra, 0, __ATOMIC_RELAXED, DEVICE);
  c->fresh = 0;
  for (uint32_t slot = first; slot < end; ++slot)
    clear_slot(c, slot);
}

/// Gives the empty slabs of all classes to the pool. Called without locks.
static __attribute__((noinline)) void collect_empty(void) {
  for (uint32_t class = 0; class < CLASSES; ++class) {
    heap_class *c = &__heap_classes[class];
    lock(&c->lock);
    fold(c);
    for (uint32_t slot = 0; slot < first_slots(class); ++slot)
      if (c->slots[slot] && !state_used(state_of(c->slots[slot])))
        clear_slot(c, slot);
    for (slab *s = c->listed, *next; s; s = next) {
      next = s->next;
      give_back(c, s);
    }
    unlock(&c->lock);
  }
}

/// __heap_refill() for a caller that holds the class's lock. `collected`: the
/// wave has just called collect_empty().
static uint32_t refill_locked(heap_class *c, uint32_t home, bool collected) {
  uint32_t class = (uint32_t)(c - __heap_classes);
  uint32_t first = first_slots(class);
  slab *s = take_listed(c);
  slab_status from = SLAB_LISTED;
  if (!s) {
    if (c->extra >= 8 && ++c->fresh * 2 > c->extra) {
      fold(c);
      s = take_listed(c);
    }
    if (!s) {
      s = new_slab(class, collected);
      from = SLAB_ATTACHED;
    }
    if (!s)
      return SLOTS;
  }
  if (home >= first + c->extra)
    home %= first;
  slab *old = c->slots[home];
  bool adds = old && from == SLAB_LISTED && first + c->extra < SLOTS;
  uint32_t slot = adds ? first + c->extra : home;
  if (from == SLAB_LISTED)
    change_status(s, SLAB_LISTED, SLAB_ATTACHED);
  heap_fence(); // release: the slab before the slot that leads to it
  __scoped_atomic_store_n(&c->slots[slot], s, __ATOMIC_RELAXED, DEVICE);
  if (adds)
    __scoped_atomic_store_n(&c->extra, c->extra + 1, __ATOMIC_RELAXED, DEVICE);
  else if (old)
    detach(c, old, SLAB_ATTACHED);
  __scoped_atomic_store_n(&c->newest, slot, __ATOMIC_RELAXED, DEVICE);
  __scoped_atomic_store_n(&c->version, c->version + 1, __ATOMIC_RELAXED,
                          DEVICE);
  return slot;
}

static bool has_changed(const heap_class *c, uint32_t version) {
  return __scoped_atomic_load_n(&c->version, __ATOMIC_RELAXED, DEVICE) !=
         version;
}

__attribute__((noinline)) uint32_t __heap_refill(uint32_t class,
                                                 uint32_t home) {
  heap_class *c = &__heap_classes[class];
  uint32_t version =
      __scoped_atomic_load_n(&c->version, __ATOMIC_RELAXED, DEVICE);
  bool collected = false;
  for (;;) {
    // Another wave may do the same while this one waits.
    bool locked;
    while (!(locked = try_lock(&c->lock)) && !has_changed(c, version))
      __gpu_thread_suspend();
    uint32_t slot;
    if (has_changed(c, version))
      slot = __scoped_atomic_load_n(&c->newest, __ATOMIC_RELAXED, DEVICE);
    else
      slot = refill_locked(c, home, collected);
    if (locked)
      unlock(&c->lock);
    if (slot != SLOTS || collected)
      return slot;
    collect_empty();
    collected = true;
  }
}

__attribute__((noinline)) void __heap_relist(slab *s, uint32_t class) {
  heap_class *c = &__heap_classes[class];
  uint64_t state;
  do {
    state = state_of(s);
    if (state_class(state) != class || state_status(state) == SLAB_ATTACHED ||
        (state_status(state) == SLAB_LISTED && state_used(state)))
      return; // another wave has listed the slab or given it back
    if (try_lock(&c->lock))
      break;
    __gpu_thread_suspend();
  } while (true);
  state = state_of(s);
  if (state_class(state) == class) {
    if (state_status(state) == SLAB_DETACHED)
      detach(c, s, SLAB_DETACHED);
    // The class keeps one empty slab, or a loop of malloc and free would trade
    // them with the pool.
    else if (state_status(state) == SLAB_LISTED && (s->next || s->previous))
      give_back(c, s);
  }
  unlock(&c->lock);
}

#pragma clang attribute pop
