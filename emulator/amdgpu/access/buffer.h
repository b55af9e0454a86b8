//===-- emulator/amdgpu/access/buffer.h - Buffer resources ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of a buffer resource: where an access lies, and whether it is in
// range. They are written once; the interpreter and --check=uninit use them.
// The compilers' code accesses the stack's buffer alone.
//
// Sources: AMD's guides "CDNA3 ISA" 9.1.5 and "RDNA3 ISA" 9.1.5 (buffer
// addressing, range checking, swizzling, the table of the resource's fields);
// LLVM's AMDGPUUsage, "Relaxed Buffer OOB Mode": each word of a wide access is
// checked by itself, sums saturate, and a word that is partly out of range
// counts as out of range. gfx9's unit of num_records is what AMD's drivers use:
// records where the instruction has an index and the stride is not zero, else
// bytes. Atomics are wholly in range or wholly out of it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_ACCESS_BUFFER_H
#define GPUEXEC_EMULATOR_AMDGPU_ACCESS_BUFFER_H

#include "emulator/amdgpu/access/lane_address.h"

namespace gpuexec::emulator::amdgpu::access {

/// A resource as the instruction's lanes see it.
struct Buffer {
  static constexpr u64 UNLIMITED = ~u64(0);

  u64 base = 0; // the resource's address and the scalar offset
  u32 stride = 0;
  u32 checked = 0;          // a part of base that the check of offsets adds
  u64 offsets = UNLIMITED;  // an access ends at this offset or before it
  u64 records = UNLIMITED;  // indices are below
  u64 swizzled = UNLIMITED; // as `offsets`, of the offset after swizzling
  u32 element = 0;          // bytes of a swizzled element; 0: linear
  u32 together = 0;         // swizzled: records whose elements are neighbours
  bool adds_lane = false;   // the lane's number is added to the index

  [[gnu::always_inline]] static Buffer of(const u32 (&resource)[4], u32 soffset,
                                          u32 mods);

  struct Element {
    u64 index, offset;
  };
  /// Where the part of the buffer lies, from `base` on.
  [[gnu::always_inline]] u64 place(Element e) const {
    if (!element)
      return e.index * stride + e.offset;
    return ((e.index / together) * stride + e.offset / element * element) *
               together +
           e.index % together * element + e.offset % element;
  }
  [[gnu::always_inline]] u64 address(Element e) const {
    return base + place(e);
  }
  [[gnu::always_inline]] bool holds(Element e, u32 bytes) const {
    return e.offset + checked + bytes <= offsets && e.index < records &&
           (swizzled == UNLIMITED || place(e) + bytes <= swizzled);
  }
};

/// The only buffer in the private segment is the stack's: AmdWave makes it.
inline constexpr u64 STACK_BUFFER = u64(1) << 63; // its first two words

inline Buffer Buffer::of(const u32 (&resource)[4], u32 soffset, u32 mods) {
  enum : u32 { STRUCTURED_WITH_OFFSET, STRUCTURED, ONLY_EMPTY, RAW };
  const u32 flags = resource[3], count = resource[2];
  const bool is_gfx9 = !(mods & (BUFFER_GFX10 | BUFFER_GFX11)),
             is_gfx11 = mods & BUFFER_GFX11, has_index = mods & BUFFER_IDXEN;
  Buffer b;
  b.base = (resource[0] | u64(resource[1] & 0xffff) << 32) + soffset;
  b.stride = resource[1] >> 16 & 0x3fff;
  b.adds_lane = flags >> 23 & 1;
  if (is_gfx9 && b.adds_lane) // the field of the format has more of the stride
    b.stride |= (flags >> 15 & 15) << 14;
  const u32 swizzle = is_gfx11 ? resource[1] >> 30 : resource[1] >> 31;
  if (swizzle) {
    b.element = 2u << swizzle;
    b.together = 8u << (flags >> 21 & 3);
  }
  const u32 check = flags >> 28 & 3;
  if (is_gfx9) {
    if (has_index && b.stride) {
      b.records = count;
      if (swizzle)
        b.offsets = b.stride;
    } else {
      b.offsets = count;
      b.checked = soffset;
    }
  } else if (check == STRUCTURED_WITH_OFFSET ||
             (check == RAW && is_gfx11 && swizzle && b.stride)) {
    b.records = count;
    b.offsets = b.stride;
  } else if (check == STRUCTURED)
    b.records = count;
  else if (check == ONLY_EMPTY)
    b.records = count ? UNLIMITED : 0;
  else if (swizzle && !is_gfx11)
    b.swizzled = count;
  else
    b.offsets = count;
  return b;
}

/// How many bytes scalar loads may read from `offset` in the resource on.
[[gnu::always_inline]] inline u64 left_in_scalar_buffer(const u32 *resource,
                                                        u64 offset) {
  const u32 stride = resource[1] >> 16 & 0x3fff;
  const u64 size = u64(resource[2]) * (stride ? stride : 1);
  return offset < size ? size - offset : 0;
}

} // namespace gpuexec::emulator::amdgpu::access

#endif // GPUEXEC_EMULATOR_AMDGPU_ACCESS_BUFFER_H
