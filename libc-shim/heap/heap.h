//===-- libc-shim/heap/heap.h - The device heap's shape -------------------===//
// Memory comes from the host in regions of 2 MiB. A region is cut into slabs of
// 64 KiB for objects up to 512 bytes, or is one slab for larger ones, or holds
// one object that is larger still. A slab has objects of one size and a bitmap
// with a bit per object.
//
// A class of sizes has slabs in slots. A wave begins at a slot of its own, as
// far as there are enough, and where that slab is full it goes on to the next
// ones. Lanes that ask together are served together: one atomic reserves places
// for all of them, one claims their bits. Only when the slabs around have no
// room does a wave take the class's lock and see to another slab:
//   - One that was full, was taken out of its slot for that and has had room
//     since gets a slot in addition: objects come and go faster than the slots
//     hold them. So the slots grow with what waves have in use at one time.
//   - Else a new one takes the place of the full one.
// Slots that were added are folded up again before the class has taken half as
// many new slabs: what has room in them is used first. And before the heap as a
// whole grows by a quarter, slabs that are empty go to whoever needs them.
//
// Invariant: bits set plus reservations not yet turned into bits = `used` <=
// capacity, but for reservations that are being taken back; bits are cleared
// before `used` is lowered. So a reservation always finds its bits. A slab's
// header is never used for anything else (a region that has been cut stays
// cut), so a wave that holds a stale pointer to a slab does no harm: it sees
// the class changed and takes its reservation back.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_HEAP_H
#define GPUEXEC_LIBC_HEAP_H

#include "libc-shim/device/host_call.h"
#include "libc-shim/device/if_linked.h"
#include <stddef.h>

enum {
  REGION_SIZE = 2 << 20, // as LLVM's server aligns what it hands out, spec 3.5
  SLAB_SIZE = 64 << 10,
  SMALL_CLASSES = 16, // 16 ... 512 bytes
  CLASSES = 56,       // ... 512 KiB
  FIRST_SLOTS = 32,   // of a small class; of another class 1
  SLOTS = 1024,
  FREE_CLASS = 0xffff,
};

typedef enum { REGION_OF_SLABS, REGION_IS_SLAB, REGION_IS_OBJECT } region_kind;

/// At the start of every region, and 64 bytes before an object whose alignment
/// is that of a region.
typedef struct {
  uint64_t mark;    ///< REGION_MAGIC << 32 | region_kind, atomic
  uint64_t base;    ///< what the host gave
  uint64_t address; ///< REGION_IS_OBJECT: the object
  uint64_t size;    ///< REGION_IS_OBJECT: its size
  uint64_t padding[4];
} region;
_Static_assert(sizeof(region) == 64, "a slab's header follows at this offset");

/// Where a slab of a class is, as far as freeing has to know.
typedef enum {
  SLAB_ATTACHED, ///< in a slot
  SLAB_LISTED,   ///< in the class's list of slabs with room
  SLAB_DETACHED  ///< nowhere: it was full; who frees in it lists it
} slab_status;

/// 64 bytes into every slab; `bitmap` follows, then the objects.
typedef struct slab {
  uint64_t state;               ///< status << 48 | class << 32 | used, atomic
  uint64_t hint;                ///< index of an object that was free
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

// Fences empty the first level cache on NVIDIA, but not the one for constants.
#ifdef __NVPTX__
#define CONSTANT __attribute__((address_space(4)))
#else
#define CONSTANT
#endif

/// What the slabs of a class are like.
typedef struct {
  _Alignas(16) uint32_t size; ///< bytes of an object
  uint32_t first;             ///< offset of the first object from the start
  uint32_t capacity;          ///< objects
  uint32_t reciprocal;        ///< of `size` / 8, times 2^32, rounded up
  uint32_t words;             ///< of the bitmap
} slab_shape;
extern CONSTANT const slab_shape __heap_shapes[CLASSES];

/// `listed`, `fresh` and what is stored into the others: under the lock.
typedef struct {
  uint32_t lock;
  uint32_t version; ///< counts slabs that got into slots
  uint32_t newest;  ///< the slot of the last of them
  uint32_t extra;   ///< slots beyond the class's first
  uint32_t fresh;   ///< new slabs since the slots were folded up
  slab *listed;     ///< detached slabs with room, doubly linked
  slab *slots[SLOTS];
} heap_class;
extern heap_class __heap_classes[CLASSES];

static inline uint32_t first_slots(uint32_t class) {
  return class < SMALL_CLASSES ? FIRST_SLOTS : 1;
}

// Clang 22 widens the order of a load or a store on NVPTX to the whole system,
// and for that of a read-modify-write there is a fence of the device
// (toolchain/passes/order_atomics.cpp). So all atomics here are relaxed, and a
// fence stands where there must be order. What is not under a lock is read by
// atomics alone, which pass by the first level cache: that may be out of date.
#define DEVICE __MEMORY_SCOPE_DEVICE

/// Orders this wave against all others of the program. Over the whole device
/// that takes 500 cycles of an H200, within a block 33, and many a program is
/// one block.
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

/// What may be out of date, but is at hand.
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

/// malloc() without errno. Null when memory is out.
void *__heap_allocate(uint64_t alignment, uint64_t size);

/// One region-aligned piece of at least `size` bytes with its header filled in.
region *__heap_new_region(uint64_t size, region_kind kind);

/// Where a lane looks for room: first what is in the slot of its wave.
typedef struct {
  uint32_t slot;
  uint32_t turn; ///< which of the waves that begin there; 0 has it first
  slab *slab;
} heap_place;
heap_place __heap_look(uint32_t class);

/// An object for every lane of `mask`, all of which call this, each with what
/// __heap_look() gave for its class. Null for those that memory has run out
/// for. (A structure as parameter would be stored, and so waited for.)
void *__heap_take(uint64_t mask, uint32_t class, uint32_t turn, uint32_t first,
                  slab *s);

/// The same for one lane alone. Null also where somebody must look further.
void *__heap_take_alone(uint32_t class);

/// Lanes of `mask`, all of which call this, that have the same value.
uint64_t __heap_group(uint64_t mask, uint64_t value);

/// One lane found no room around slot `home`: the slot to look at next, or
/// SLOTS when memory is out.
uint32_t __heap_refill(uint32_t class, uint32_t home);

/// One lane has lowered a slab's `used`, and its state says that the slab
/// must be seen to.
void __heap_relist(slab *s, uint32_t class);

/// Bytes that objects of a class have.
static inline uint32_t class_size(uint32_t class) {
  if (class < 8)
    return 16 * (class + 1);
  uint32_t step = class - 8;
  return (32u << step / 4) * (step % 4 + 5);
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
