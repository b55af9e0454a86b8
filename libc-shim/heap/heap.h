//===-- libc-shim/heap/heap.h - The device heap's shape -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory comes from the host in regions of 2 MiB. A region is cut into slabs of
// 64 KiB for objects up to 512 bytes, or is one slab for larger ones, or holds
// one object that is larger still. A slab has objects of one size and a bitmap
// with a bit per object.
//
// A size class keeps its slabs in slots. A wave starts at a slot of its own
// while there are enough, and goes on to the next slots when that slab is full.
// Lanes that allocate together are served together: one atomic reserves places
// for all of them, one claims their bits. A wave takes the class's lock only
// when the slabs around have no room. Under the lock it finds another slab:
//   - A slab that was removed from its slot because it was full, and has room
//     again, gets an additional slot. So the number of slots grows with the
//     number of objects that waves hold at one time.
//   - Otherwise a new slab replaces the full one.
// Objects of COLOURED bytes and more are 128 bytes longer than a power of two
// or a quarter of one. So objects of one size, one for each lane of a wave,
// begin in different sets of a cache and in different channels of the memory.
//
// The additional slots are removed again before the class has taken half as
// many new slabs, so that slabs with room are used first. Before the heap as a
// whole grows by a quarter, empty slabs return to the pool of all classes.
//
// Invariant: bits set + reservations without a bit = `used` <= capacity, except
// for reservations that are being taken back. Bits are cleared before `used` is
// lowered. Therefore a reservation always finds its bits. A slab's header is
// never used for anything else (a region that has been cut stays cut), so a
// stale pointer to a slab does no harm: the wave sees that the class changed
// and takes its reservation back.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_HEAP_H
#define GPUEXEC_LIBC_HEAP_H

#include "libc-shim/device/host_call.h"
#include "libc-shim/device/if_linked.h"
#include "libc-shim/device/shared.h"
#include <stddef.h>

enum {
  REGION_SIZE = 2 << 20, // bytes; LLVM's server aligns memory to this, spec 3.5
  SLAB_SIZE = 64 << 10,  // bytes of a slab of a small class
  SMALL_CLASSES = 16,    // classes for objects of 16 to 512 bytes
  CLASSES = 56,          // all classes; the last is for 512 KiB
  FIRST_SLOTS = 32,      // permanent slots of a small class; others have one
  SLOTS = 1024,          // the most slots of a class
  FREE_CLASS = 0xffff,   // the class of a slab in the pool
  COLOURED = 4096,       // objects from this size on are COLOUR bytes longer
  COLOUR = 128,          // bytes by which equal objects are shifted in caches
};

typedef enum { REGION_OF_SLABS, REGION_IS_SLAB, REGION_IS_OBJECT } region_kind;

/// At the start of every region, and 64 bytes before an object whose alignment
/// is that of a region.
typedef struct {
  uint64_t mark;    ///< REGION_MAGIC << 32 | region_kind, atomic
  uint64_t base;    ///< the address that the host returned, to be freed
  uint64_t address; ///< REGION_IS_OBJECT: the object
  uint64_t size;    ///< REGION_IS_OBJECT: its size
  uint64_t padding[4];
} region;
_Static_assert(sizeof(region) == 64, "a slab's header follows at this offset");

/// Where a slab of a class is. Freeing depends on it.
typedef enum {
  SLAB_ATTACHED, ///< in a slot
  SLAB_LISTED,   ///< in the class's list of slabs with room
  SLAB_DETACHED  ///< in neither: it was full; a wave that frees lists it
} slab_status;

/// 64 bytes into every slab; `bitmap` follows, then the objects.
typedef struct slab {
  uint64_t state;               ///< status << 48 | class << 32 | used, atomic
  uint64_t hint;                ///< index of a place that may be free
  struct slab *next, *previous; ///< of the class's list
  uint64_t bitmap[];
} slab;

#define REGION_MAGIC 0x47504855ull
#define REGION_MARK(kind) (REGION_MAGIC << 32 | (kind))

#define STATE_OF(class, status)                                                \
  ((uint64_t)(status) << 48 | (uint64_t)(class) << 32)
static inline uint32_t state_used(uint64_t state) { return (uint32_t)state; }
static inline uint32_t state_class(uint64_t state) {
  return (uint32_t)(state >> 32) & 0xffff;
}
static inline slab_status state_status(uint64_t state) {
  return (slab_status)(state >> 48);
}

// On NVIDIA a fence invalidates the L1 cache, but not the constant cache.
#ifdef __NVPTX__
#define CONSTANT __attribute__((address_space(4)))
#else
#define CONSTANT
#endif

/// Layout of the slabs of a class.
typedef struct {
  _Alignas(16) uint32_t size; ///< bytes of an object
  uint32_t first;             ///< offset of the first object from the start
  uint32_t capacity;          ///< objects
  uint32_t reciprocal;        ///< of `size` / 8, times 2^32, rounded up
  uint32_t words;             ///< of the bitmap
} slab_shape;
extern CONSTANT const slab_shape __heap_shapes[CLASSES];

/// `listed` and `fresh` are accessed under the lock. The other members are
/// stored to under it and loaded without.
typedef struct {
  uint32_t lock;
  uint32_t version; ///< number of times that a slab was put into a slot
  uint32_t newest;  ///< the slot that got a slab last
  uint32_t extra;   ///< number of additional slots
  uint32_t fresh;   ///< new slabs since the additional slots were removed
  slab *listed;     ///< detached slabs with room, doubly linked
  slab *slots[SLOTS];
} heap_class;
extern heap_class __heap_classes[CLASSES];

static inline uint32_t first_slots(uint32_t class) {
  return class < SMALL_CLASSES ? FIRST_SLOTS : 1;
}

// On NVPTX clang 22 widens an ordered load or store to system scope, and an
// ordered read-modify-write gets a fence of device scope
// (toolchain/passes/fixes/order_atomics.cpp). So all atomics here are relaxed,
// with explicit fences where order matters. Memory that no lock protects is
// read by atomics only: they bypass the L1 cache, which may be stale.
#define DEVICE __MEMORY_SCOPE_DEVICE

/// Orders this wave against all others of the program. A fence of device scope
/// takes 500 cycles on an H200, one of block scope 33. Many programs run as a
/// single block.
static inline void heap_fence(void) {
  if ((__gpu_num_blocks_x() | __gpu_num_blocks_y() | __gpu_num_blocks_z()) != 1)
    rpc_device_fence();
  else
#ifdef __NVPTX__
    __asm__ volatile("fence.acq_rel.cta;" ::: "memory");
#else
    __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);
#endif
}

/// Loads that may hit the L1 cache: the value may be stale.
static inline uint32_t heap_cached_word(const uint32_t *word) {
#ifdef __NVPTX__
  uint32_t value;
  __asm__ volatile("ld.b32 %0, [%1];" : "=r"(value) : "l"(word));
  return value;
#else
  return __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
#endif
}
static inline void *heap_cached_pointer(void *const *pointer) {
#ifdef __NVPTX__
  void *value;
  __asm__ volatile("ld.b64 %0, [%1];" : "=l"(value) : "l"(pointer));
  return value;
#else
  return __scoped_atomic_load_n(pointer, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_WRKGRP);
#endif
}

/// malloc() with an alignment; does not set errno. Null when there is no
/// memory.
void *__heap_allocate(uint64_t alignment, uint64_t size);

/// Gets at least `size` bytes from the host, aligned to REGION_SIZE, and fills
/// in their header. Null when there is no memory.
region *__heap_new_region(uint64_t size, region_kind kind);

/// Where a lane looks for room first: the slab in the slot of its wave.
typedef struct {
  uint32_t slot;
  uint32_t turn; ///< number of this wave among those that start at this slot
  slab *slab;
} heap_place;
heap_place __heap_look(uint32_t class);

/// An object for every lane of `mask`, all of which call this, each with the
/// result of __heap_look() for its class. Null for lanes without memory. (A
/// structure as a parameter would be stored, which waits for its loads.)
void *__heap_take(uint64_t mask, uint32_t class, uint32_t turn, uint32_t first,
                  slab *s);

/// The same for a single lane. Null also when its slab has no room.
void *__heap_take_alone(uint32_t class);

/// Lanes of `mask`, all of which call this, that have the same value.
uint64_t __heap_group(uint64_t mask, uint64_t value);

/// Called by one lane that found no room in slot `home` and the next ones: puts
/// a slab with room into a slot. Returns that slot, or SLOTS when there is no
/// memory.
uint32_t __heap_refill(uint32_t class, uint32_t home);

/// Called by one lane that has lowered a slab's `used` and found the slab in no
/// slot: adds the slab to its class's list or gives an empty one to the pool.
void __heap_relist(slab *s, uint32_t class);

/// Size of the objects of a class, in bytes.
static inline uint32_t class_size(uint32_t class) {
  if (class < 8)
    return 16 * (class + 1);
  uint32_t step = class - 8;
  uint32_t size = (32u << step / 4) * (step % 4 + 5);
  return size < COLOURED ? size : size + COLOUR;
}

/// The smallest class for `size` bytes; CLASSES when there is none.
static inline uint32_t class_of(uint64_t size) {
  if (size <= 128)
    return size ? (uint32_t)(size - 1) / 16 : 0;
  if (size > 512 << 10)
    return CLASSES;
  uint32_t below = (uint32_t)size - 1;
  uint32_t bits = 31 - (uint32_t)__builtin_clz(below); // 7 for 129..256
  return 8 + (bits - 7) * 4 + (below >> (bits - 2)) - 4;
}

#endif
