//===-- emulator/amdgpu/access/lane_address.h - Addresses -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the operands of a load, store or atomic make an address: once, for the
// interpreter and stencils (values), the JIT (LLVM IR) and --check=uninit
// (values, and which lanes' addresses are undefined).
//
// A D says where operands come from, and what 32 and 64 bits are there:
//   Word, Long             with + and >>; Long: & with a constant, * as well
//   has(k)                 whether Inst::src[k] is there
//   offset_word(), offset_long()   the instruction's own offset
//   lane_word(more), lane_long()   the lane's value of the row src[0], of the
//                          row `more` behind it, of two rows
//   scalar_word(k), scalar_long(k) of the scalar src[k]
//   extended(word)         a Long with zeros above
// For buffers also:
//   has_index(), has_offset()      idxen and offen
//   descriptor()           its first 64 bits, a Long
//   wave_shift()           log2 of the wave's lanes, for Word's >>
//   is_swizzled(descriptor)        a bool
//   in_private_segment(word)       a Long: the flat address
// Inst fields: src[0]: address row (0: none); src[1]: scalar base (0: none);
// imm: signed offset. Buffers: sdst is the descriptor, src[1] soffset. Scalar
// loads: src[0] is the base, src[1] a scalar offset.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_ADDRESS_H
#define GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_ADDRESS_H

#include "emulator/amdgpu/abi/apertures.h"
#include "emulator/amdgpu/decode/operation.h"

namespace gpuexec::emulator::amdgpu::access {

// Every function here is inlined: handlers of several x86-64 levels use it.
#define GPUEXEC_ACCESS [[gnu::always_inline]] static inline

/// Offset in the lane's private segment by way of a swizzled buffer, which that
/// of the stack is: soffset counts the bytes of the whole wave.
template <typename D> GPUEXEC_ACCESS auto stack_buffer_offset(D d) {
  auto offset = d.offset_word();
  if (d.has_offset())
    offset = offset + d.lane_word(d.has_index() ? 1 : 0);
  return offset + (d.scalar_word(1) >> d.wave_shift());
}

template <typename D> GPUEXEC_ACCESS auto buffer_address(D d) {
  const auto descriptor = d.descriptor();
  if (d.is_swizzled(descriptor))
    return d.in_private_segment(stack_buffer_offset(d));
  auto address = (descriptor & ((u64(1) << 48) - 1)) +
                 d.extended(d.scalar_word(1)) + d.offset_long();
  if (d.has_offset())
    address = address + d.extended(d.lane_word(d.has_index() ? 1 : 0));
  if (d.has_index())
    address = address + d.extended(d.lane_word(0)) *
                            (descriptor >> 48 & 0x3fff); // the stride
  return address;
}

/// The address in global memory, or a flat one; of the private segment and LDS
/// an offset of 32 bits in it.
template <Space S, typename D> GPUEXEC_ACCESS auto lane_address(D d) {
  if constexpr (S == Space::buffer)
    return buffer_address(d);
  else if constexpr (S == Space::global || S == Space::flat) {
    if (!d.has(1))
      return d.lane_long() + d.offset_long();
    const auto base = d.scalar_long(1) + d.offset_long();
    return d.has(0) ? base + d.extended(d.lane_word(0)) : base;
  } else {
    static_assert(S == Space::scratch || S == Space::lds);
    auto offset = d.offset_word();
    if (d.has(0))
      offset = offset + d.lane_word(0);
    if (S == Space::scratch && d.has(1))
      offset = offset + d.scalar_word(1);
    return d.extended(offset);
  }
}

/// Of a scalar load of `bytes`. Base of a scalar_buffer: a descriptor.
template <Space S, typename D>
GPUEXEC_ACCESS auto scalar_address(D d, unsigned bytes) {
  auto address = d.scalar_long(0);
  if constexpr (S == Space::scalar_buffer)
    address = address & ((u64(1) << 48) - 1);
  address = address + d.offset_long();
  if (d.has(1))
    address = address + d.extended(d.scalar_word(1));
  return address & ~u64(bytes < 4 ? bytes - 1 : 3);
}

/// lane_address of a space that is not known before, other than a buffer:
/// use(address).
template <typename D, typename Use>
GPUEXEC_ACCESS auto lane_address_in(Space space, D d, Use use) {
  switch (space) {
  case Space::scratch:
    return use(lane_address<Space::scratch>(d));
  case Space::lds:
    return use(lane_address<Space::lds>(d));
  default:
    return use(lane_address<Space::global>(d));
  }
}

} // namespace gpuexec::emulator::amdgpu::access

#endif // GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_ADDRESS_H
