//===-- emulator/amdgpu/definedness/check.cpp - Operands and reports -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/definedness/check.h"

#include <cstring>

namespace gpuexec::emulator::amdgpu::definedness {

bool Context::report(const char *what, u64 lanes, Origin from) {
  raise(s, at, Fault::Kind::uninitialized, what);
  if (lanes)
    s.fault->lanes = lanes;
  Fault &fault = *s.fault;
  if (from - PRIVATE_APERTURE < APERTURE_SIZE) {
    fault.space = Fault::Space::thread;
    fault.address = from - PRIVATE_APERTURE;
  } else if (from - SHARED_APERTURE < APERTURE_SIZE) {
    fault.space = Fault::Space::block;
    fault.address = from - SHARED_APERTURE;
  } else {
    fault.address = from;
  }
  return false;
}

static const u32 *row_at(const State &s, Operand o) {
  return reinterpret_cast<const u32 *>(reinterpret_cast<const char *>(&s) +
                                       (o & ~ROW));
}

Bits Context::word(Operand o, unsigned lane, unsigned more) const {
  if (o & ROW && o != LITERAL)
    return {row_at(s, o)[more * LANES + lane],
            shadow.row(Shadow::row_of(o, more))[lane]};
  u32 value;
  std::memcpy(&value,
              (o == LITERAL ? reinterpret_cast<const char *>(&inst.imm)
                            : reinterpret_cast<const char *>(row_at(s, o))) +
                  more * 4,
              4);
  return {value, more ? shadow.scalar(o, 8) >> 32 : shadow.scalar(o, 4)};
}

Bits Context::pair(Operand o, unsigned lane) const {
  Bits low = word(o, lane), high = word(o, lane, 1);
  return {low.value | high.value << 32, low.undef | high.undef << 32};
}

Bits Context::scalar(Operand o, unsigned bytes) const {
  return bytes == 8 ? pair(o, 0) : word(o, 0);
}

Bits Context::read(Operand o, Type type, unsigned lane) const {
  if (registers_of(type) == 2)
    return pair(o, lane);
  Bits w = word(o, lane);
  unsigned width = type == Type::u8 ? 8 : is_half(type) ? 16 : 32;
  return {w.value & ones(width), w.undef & ones(width)};
}

u64 Context::undefined_lanes(Operand o, unsigned registers) const {
  if (o == LITERAL)
    return 0;
  if (!(o & ROW))
    return shadow.scalar(o, 4 * registers) ? ~u64(0) : 0;
  u64 lanes = 0;
  for (unsigned k = 0; k < registers; ++k)
    lanes |= shadow.undefined_lanes(Shadow::row_of(o, k));
  return lanes;
}

Origin Context::origin(Operand o, unsigned registers) const {
  if (o == LITERAL)
    return 0;
  if (!(o & ROW))
    return shadow.scalar_origin(o);
  for (unsigned k = 0; k < registers; ++k)
    if (unsigned r = Shadow::row_of(o, k); shadow.touched(r))
      return shadow.origin(r);
  return 0;
}

void Context::define(Operand o, unsigned registers, u64 lanes, u32 mask) {
  for (unsigned k = 0; k < registers; ++k)
    shadow.define(Shadow::row_of(o, k), lanes, mask);
}

bool Context::exec_is_known(u64 undef, Origin from) {
  undef &= shadow.all_lanes;
  return !undef || report("a branch depends on it", undef, from);
}

} // namespace gpuexec::emulator::amdgpu::definedness
