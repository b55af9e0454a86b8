//===-- libc-shim/heap/heap_wave.c - Objects for the lanes of a wave ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See heap.h. Lanes that allocate together take the same few steps together,
// whatever their sizes. For every class among them one lane, the leader, does
// the atomics, and the others read its results. So a wave waits for memory as
// often for twenty sizes as for one: in the best case three times, for the
// slot, for the reservation together with the hint, and for the bits at the
// hint. A single active lane takes the same steps, with the slot from its
// cache.
//===----------------------------------------------------------------------===//
#include "libc-shim/heap/heap.h"

//===-- Bits --------------------------------------------------------------===//

/// Index of the n-th set bit, counted from 0.
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

/// The same, fast when the set bits are contiguous, as they mostly are.
static uint32_t nth_bit(uint64_t bits, uint32_t n) {
  uint32_t first = (uint32_t)__builtin_ctzll(bits);
  uint64_t run = bits >> first;
  return run & (run + 1) ? nth_bit_of_many(bits, n) : first + n;
}

/// The lowest `n` set bits.
static uint64_t lowest_bits(uint64_t bits, uint32_t n) {
  if ((uint32_t)__builtin_popcountll(bits) <= n)
    return bits;
  uint64_t run = ((1ull << n) - 1) << __builtin_ctzll(bits);
  if (!(run & ~bits))
    return run;
  return bits & ((1ull << nth_bit_of_many(bits, n)) - 1);
}

//===-- Waves and groups --------------------------------------------------===//

uint64_t __heap_group(uint64_t mask, uint64_t value) {
#ifdef __NVPTX__
  return __gpu_match_any_u64(mask, value);
#else
  uint64_t same = 0;
  for (uint64_t left = mask; left;) {
    uint64_t group = group_of_first(mask, left, value);
    if (group >> __gpu_lane_id() & 1)
      same = group;
    left &= ~group;
  }
  return same;
#endif
}

/// Returns the `value` of the lane `from`.
static uint64_t see(uint64_t mask, uint32_t from, uint64_t value) {
  return __gpu_shuffle_idx_u64(mask, from, value, __gpu_num_lanes());
}
static uint32_t see_word(uint64_t mask, uint32_t from, uint32_t value) {
  return __gpu_shuffle_idx_u32(mask, from, value, __gpu_num_lanes());
}

//===-- The steps ---------------------------------------------------------===//

static slab *slab_in(uint32_t class, uint32_t slot) {
  // Relaxed: the accesses that follow depend on this value.
  return __scoped_atomic_load_n(&__heap_classes[class].slots[slot],
                                __ATOMIC_RELAXED, DEVICE);
}

/// The slot where a wave starts. Waves that run at the same time have adjacent
/// numbers, so they share slots only when there are too few.
static heap_place home(uint32_t class, uint32_t extra) {
  const uint32_t wave = rpc_this_wave().number;
  const uint32_t slots = first_slots(class) + extra;
  if (wave < slots)
    return (heap_place){.slot = wave};
  return (heap_place){.slot = wave % slots, .turn = wave / slots};
}

heap_place __heap_look(uint32_t class) {
  const heap_class *c = &__heap_classes[class];
  heap_place place = home(class, 0);
  if (place.turn)
    place = home(class,
                 __scoped_atomic_load_n(&c->extra, __ATOMIC_RELAXED, DEVICE));
  place.slab = slab_in(class, place.slot);
  return place;
}

/// How many of `want` reserved places a slab has, given its state `before` the
/// reservation.
static uint32_t granted(uint64_t before, uint32_t class, uint32_t want) {
  uint32_t capacity = __heap_shapes[class].capacity;
  if (state_class(before) != class || state_used(before) >= capacity)
    return 0;
  uint32_t left = capacity - state_used(before);
  return left < want ? left : want;
}

/// The first bit to try in a slab. Waves that share the slab have the same hint
/// but different turns, so that they try different bits.
static uint32_t first_try(uint64_t hint, uint32_t turn, uint32_t words) {
  const uint32_t places = 64 * words;
  uint32_t index = (uint32_t)hint + turn % 16 * (places / 16);
  return index < places ? index : index - places;
}

static void set_hint(slab *s, uint32_t index) {
  __scoped_atomic_store_n(&s->hint, index, __ATOMIC_RELAXED, DEVICE);
}

/// One lane after the other, because lanes of one wave must not wait for each
/// other's lock.
static __attribute__((noinline)) uint32_t refill(uint64_t lanes, uint32_t class,
                                                 uint32_t home) {
  uint32_t slot = SLOTS;
  for (; lanes; lanes &= lanes - 1)
    if (__gpu_lane_id() == (uint32_t)__builtin_ctzll(lanes))
      slot = __heap_refill(class, home);
  return slot;
}

/// Takes back reservations for which the slab had no room.
static __attribute__((noinline)) void take_back(slab *s, uint32_t class,
                                                uint32_t count) {
  uint64_t before =
      __scoped_atomic_fetch_sub(&s->state, count, __ATOMIC_RELAXED, DEVICE);
  // A wave that detached the slab meanwhile may have seen it as full.
  if (state_class(before) == class && state_status(before) == SLAB_DETACHED)
    __heap_relist(s, class);
}

/// Takes an object from the slab `s` for a single lane. Null if it has no room.
static void *take_from(slab *s, uint32_t class, uint32_t turn) {
  CONSTANT const slab_shape *shape = &__heap_shapes[class];
  uint64_t hint = __scoped_atomic_load_n(&s->hint, __ATOMIC_RELAXED, DEVICE);
  uint64_t before =
      __scoped_atomic_fetch_add(&s->state, 1, __ATOMIC_RELAXED, DEVICE);
  if (__builtin_expect(!granted(before, class, 1), 0)) {
    take_back(s, class, 1);
    return NULL;
  }
  uint32_t index = first_try(hint, turn, shape->words);
  for (;;) {
    const uint64_t bit = 1ull << index % 64;
    before = __scoped_atomic_fetch_or(&s->bitmap[index / 64], bit,
                                      __ATOMIC_RELAXED, DEVICE);
    if (__builtin_expect(!(before & bit), 1))
      break;
    // Another bit of this word, or any of the next word.
    if (~before)
      index = index / 64 * 64 + (uint32_t)__builtin_ctzll(~before);
    else if ((index = (index / 64 + 1) * 64) == shape->words * 64)
      index = 0;
  }
  set_hint(s, index + 1);
  return (char *)s - sizeof(region) + shape->first +
         (uint64_t)index * shape->size;
}

void *__heap_take_alone(uint32_t class) {
  // The slot may come from the L1 cache: a slab that has left the slot since
  // then still serves.
  const heap_class *c = &__heap_classes[class];
  heap_place place = home(class, 0);
  if (place.turn)
    place = home(class, heap_cached_word(&c->extra));
  slab *s = heap_cached_pointer((void *const *)&c->slots[place.slot]);
  void *object = s ? take_from(s, class, place.turn) : NULL;
  if (__builtin_expect(!object, 0))
    heap_fence(); // invalidates L1, unless all waves share it
  return object;
}

__attribute__((noinline)) void *__heap_take(uint64_t mask, uint32_t class,
                                            uint32_t turn, uint32_t first,
                                            slab *s) {
  enum { PROBES = 4 };
  CONSTANT const slab_shape *shape = &__heap_shapes[class];
  const uint32_t lane = __gpu_lane_id();
  const uint64_t group = __heap_group(mask, class);
  const uint32_t leader = (uint32_t)__builtin_ctzll(group);
  const uint32_t all = (uint32_t)__builtin_popcountll(group);
  const uint32_t rank =
      (uint32_t)__builtin_popcountll(group & ((1ull << lane) - 1));
  // From here on all lanes of a group have the same values, except `result`.
  char *result = NULL;
  uint32_t slot = first, probe = 0, served = 0;
  bool look_first = false;
  do {
    s = (slab *)see(mask, leader, (uint64_t)s);
    const uint32_t want = all - served;
    const bool leads = lane == leader && want && s;
    uint32_t got = 0;
    uint64_t hint = 0, taken = 0, before = 0;
    if (leads) {
      hint = __scoped_atomic_load_n(&s->hint, __ATOMIC_RELAXED, DEVICE);
      if (look_first)
        before = __scoped_atomic_load_n(&s->state, __ATOMIC_RELAXED, DEVICE);
    }
    const bool asks = leads && (!look_first || granted(before, class, want));
    if (asks)
      before =
          __scoped_atomic_fetch_add(&s->state, want, __ATOMIC_RELAXED, DEVICE);
    // A group's objects should not straddle two words of the bitmap.
    const uint32_t aligned =
        want > 1 ? -(1u << (32 - __builtin_clz(want - 1))) : ~0u;
    const uint32_t index = first_try(hint, turn, shape->words) & aligned;
    uint32_t word = index / 64;
    if (asks) {
      got = granted(before, class, want);
      if (got < want)
        take_back(s, class, want - got);
      // Assume that exactly the wanted bits are free there.
      taken = ~(((2ull << (want - 1)) - 1) << index % 64);
    }
    got = see_word(mask, leader, got);
    word = see_word(mask, leader, word);

    // The bits exist; other waves only change which ones they are.
    for (uint32_t claimed = 0; __gpu_ballot(mask, claimed < got);) {
      const bool claims = claimed < got;
      taken = see(mask, leader, taken);
      uint64_t wanted =
          claims && ~taken ? lowest_bits(~taken, got - claimed) : 0;
      before = ~0ull;
      if (lane == leader && wanted)
        before = __scoped_atomic_fetch_or(&s->bitmap[word], wanted,
                                          __ATOMIC_RELAXED, DEVICE);
      uint64_t mine = wanted & ~see(mask, leader, before);
      uint32_t count = (uint32_t)__builtin_popcountll(mine);
      uint32_t nth = rank - served - claimed;
      if (nth < count)
        result = (char *)s - sizeof(region) + shape->first +
                 (uint64_t)(word * 64 + nth_bit(mine, nth)) * shape->size;
      claimed += count;
      if (claims && lane == leader) {
        if (claimed == got) {
          set_hint(s, word * 64 + 64 - (uint32_t)__builtin_clzll(wanted));
        } else {
          // Another wave was faster; this word may have more free bits.
          taken = before | wanted;
          if (!~taken) {
            word = word + 1 == shape->words ? 0 : word + 1;
            taken = __scoped_atomic_load_n(&s->bitmap[word], __ATOMIC_RELAXED,
                                           DEVICE);
          }
        }
      }
      word = see_word(mask, leader, word);
    }
    served += got;

    // A group that needs more tries the next slots, then asks for a slab.
    look_first = served < all;
    if (got)
      probe = 0;
    bool refills = false;
    if (look_first) {
      uint32_t slots = first_slots(class) +
                       __scoped_atomic_load_n(&__heap_classes[class].extra,
                                              __ATOMIC_RELAXED, DEVICE);
      refills = ++probe >= PROBES || probe >= slots || !s;
      slot = slot + 1 >= slots ? 0 : slot + 1;
    }
    refills = see_word(mask, leader, refills);
    const uint64_t refilling = __gpu_ballot(mask, refills && lane == leader);
    if (refilling) {
      uint32_t next = refill(refilling, class, first);
      next = see_word(mask, leader, next);
      if (refills) {
        slot = next;
        probe = 0;
        if (slot == SLOTS)
          served = all; // memory is out
      }
    }
    if (served < all && lane == leader)
      s = slab_in(class, slot);
  } while (__gpu_ballot(mask, served < all));
  return result;
}
