//===-- libc-shim/src/heap.h - The device heap's shape --------------------===//
// Memory comes from the host in regions of 2 MiB. A region is cut into slabs of
// 64 KiB for objects up to 8 KiB, or is one slab for larger ones, or holds one
// object that is larger still. A slab has objects of one size and a bitmap with
// a bit per object.
//
// Waves that allocate at the same time use different slabs (arenas). Lanes that
// ask together are served together: one atomic reserves places for all of them,
// one claims their bits. Only when a slab is full does a wave take a lock.
//
// Invariant: bits set plus reservations not yet turned into bits = `used` <=
// capacity; bits are cleared before `used` is lowered. So a reservation always
// finds its bits. A slab's header is never used for anything else, so a wave
// that holds a stale pointer to a slab does no harm: it sees the class changed
// and takes its reservation back.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_HEAP_H
#define GPUEXEC_LIBC_HEAP_H

#include "call.h"

enum {
  REGION_SIZE = 2 << 20, // as LLVM's server aligns what it hands out, spec 3.5
  SLAB_SIZE = 64 << 10,
  SMALL_CLASSES = 32, // 16 ... 8192 bytes
  CLASSES = 56,       // ... 512 KiB
  ARENAS = 32,
  FREE_CLASS = 0xffff,
  REGION_MAGIC = 0x47504855,
};

typedef enum { REGION_OF_SLABS, REGION_IS_SLAB, REGION_IS_OBJECT } region_kind;

/// At the start of every region, and 64 bytes before an object whose alignment
/// is that of a region.
typedef struct {
  uint32_t magic;
  uint32_t kind;
  uint64_t base;    ///< what the host gave
  uint64_t address; ///< REGION_IS_OBJECT: the object
  uint64_t size;    ///< REGION_IS_OBJECT: its size
  uint64_t padding[4];
} region;
_Static_assert(sizeof(region) == 64, "a slab's header follows at this offset");

typedef enum { SLAB_ATTACHED, SLAB_LISTED, SLAB_DETACHED } slab_status;

/// 64 bytes into every slab; `bitmap` follows, then the objects.
typedef struct slab {
  uint64_t state; ///< class << 32 | used, atomic
  uint32_t status;
  uint32_t capacity; ///< objects
  uint32_t object_size;
  uint32_t first;      ///< offset of the first object from the slab's start
  uint64_t reciprocal; ///< of object_size, times 2^40
  uint32_t hint;       ///< a word of the bitmap that had room
  uint32_t words;
  struct slab *next, *previous; ///< of the class's list
  uint64_t bitmap[];
} slab;

/// malloc() without errno, which itself may need memory. Null when it is out.
void *__heap_allocate(uint64_t alignment, uint64_t size);

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
