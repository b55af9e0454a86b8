//===-- emulator/amdgpu/access/lane_address.h - Addresses -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the operands of a load, store or atomic make an address. The rules are
// written once, as templates: the interpreter and stencils instantiate them
// with values, the JIT with LLVM IR, --check=uninit with values and with sets
// of lanes whose addresses are undefined.
//
// The template parameter D reads the operands. It has two types and these
// functions:
//   Word, Long             32 and 64 bits, with + and >>; Long also has & with
//                          a constant, and *
//   has(k)                 true if the instruction has an operand src[k]
//   offset_word(), offset_long()   the instruction's own offset
//   lane_word(more)        the lane's value in row src[0] + `more`
//   lane_long()            the lane's value in the two rows from src[0] on
//   scalar_word(k), scalar_long(k) the value of the scalar src[k]
//   extended(word)         a Long with zeros above
// For the stack's buffer also (access/buffer.h has the rules of others):
//   has_index(), has_offset()      idxen and offen
//   wave_shift()           log2 of the wave's lanes, for Word's >>
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

/// Offset in the lane's private segment of an access through the stack's
/// buffer. Its soffset counts the bytes of all lanes of the wave.
template <typename D> GPUEXEC_ACCESS auto stack_buffer_offset(D d) {
  auto offset = d.offset_word();
  if (d.has_offset())
    offset = offset + d.lane_word(d.has_index() ? 1 : 0);
  return offset + (d.scalar_word(1) >> d.wave_shift());
}

/// The lane's address: in global memory, or a flat address. For the private
/// segment, the stack's buffer and LDS it is a 32-bit offset in them.
template <Space S, typename D> GPUEXEC_ACCESS auto lane_address(D d) {
  if constexpr (S == Space::buffer)
    return d.extended(stack_buffer_offset(d));
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

/// The address of a scalar load of `bytes`. In Space::scalar_buffer the base is
/// a buffer's descriptor.
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

/// Calls use(lane_address()) for a space that is only known when this runs.
/// Not for buffers.
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
