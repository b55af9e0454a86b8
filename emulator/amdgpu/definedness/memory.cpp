//===-- emulator/amdgpu/definedness/memory.cpp - Loads and stores ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of memory change before the memory itself does, and are read before
// it is: a wave that sees what another one stored sees its shadow too.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/definedness/check.h"

#include <cstring>

namespace gpuexec::emulator::amdgpu::definedness {

#define EACH_LANE(l, mask)                                                     \
  for (u64 rest_ = (mask); rest_; rest_ &= rest_ - 1)                          \
    if (unsigned l = unsigned(__builtin_ctzll(rest_)); true)

namespace {

const char ADDRESS[] = "an address depends on it";
const char OUTPUT[] = "it is handed to the host";

/// Where one lane's bytes have their shadow.
struct Place {
  u8 *bytes = nullptr; // null, and not in the stack: there is none
  // Behind so many bytes the next region begins; the shadow of the rest.
  u32 here = ~0u;
  u8 *rest = nullptr;
  Shadow *stack = nullptr;
  u32 offset = 0;
  unsigned lane = 0;
  bool is_host = false;
  Origin origin = 0;

  bool followed() const { return bytes || rest || stack; }
  /// Of byte k; null: it has none.
  u8 *at(u32 k) const {
    if (stack)
      return stack->stack(lane, offset + k);
    if (k >= here)
      return rest ? rest + (k - here) : nullptr;
    return bytes ? bytes + k : nullptr;
  }
  /// Undefined bits of `size` bytes from byte `begin` on.
  u64 undef(u32 begin, u32 size) const {
    if (!followed())
      return 0;
    u64 defined = 0;
    if (bytes && begin + size <= here)
      std::memcpy(&defined, bytes + begin, size);
    else
      for (u32 k = 0; k < size; ++k) {
        const u8 *byte = at(begin + k);
        defined |= u64(byte ? *byte : DEFINED) << (8 * k);
      }
    return ~defined & ones(8 * size);
  }
  void set(u32 begin, u32 size, u64 undef) const {
    if (!followed())
      return;
    if (stack)
      stack->stack_written(offset + begin + size);
    for (u32 k = 0; k < size; ++k) {
      u8 now = u8(~(undef >> (8 * k)));
      u8 *byte = at(begin + k);
      if (byte && *byte != now) // shared by all waves; mostly it is as it was
        *byte = now;
    }
  }
};

bool is_host_memory(MemoryKind kind) {
  return kind != MemoryKind::device && kind != MemoryKind::code &&
         kind != MemoryKind::runtime;
}

class Lanes {
public:
  explicit Lanes(Context &c)
      : c(c), access(c.plan.operation->memory), half(c.plan.operation->half) {}

  /// The lanes whose addresses have undefined bits.
  u64 unknown_addresses(Origin &from) const {
    u64 lanes = 0;
    auto see = [&](Operand o, unsigned registers) {
      u64 of_this = c.undefined_lanes(o, registers);
      if (of_this && !lanes)
        from = c.origin(o, registers);
      lanes |= of_this;
    };
    const Inst &i = c.inst;
    switch (access.space) {
    case Space::buffer: {
      unsigned n =
          (i.mods & BUFFER_IDXEN ? 1 : 0) + (i.mods & BUFFER_OFFEN ? 1 : 0);
      if (n)
        see(i.src[0], n);
      see(i.src[1], 1);
      see(i.sdst, 2);
      break;
    }
    case Space::global:
    case Space::flat:
      if (i.src[1])
        see(i.src[1], 2);
      if (i.src[0])
        see(i.src[0], i.src[1] ? 1 : 2);
      break;
    case Space::scratch:
      if (i.src[1])
        see(i.src[1], 1);
      [[fallthrough]];
    case Space::lds:
      if (i.src[0])
        see(i.src[0], 1);
      break;
    case Space::scalar: // scalar_memory()
    case Space::scalar_buffer:
    case Space::none:
      break;
    }
    return lanes & c.s.exec();
  }

  u64 address(unsigned l, u64 offset) const {
    const Inst &i = c.inst;
    switch (access.space) {
    case Space::buffer: {
      u64 low = c.scalar(i.sdst, 8).value, index = 0;
      u64 soffset = c.scalar(i.src[1], 4).value;
      unsigned next = 0;
      if (i.mods & BUFFER_IDXEN)
        index = c.word(i.src[0], l, next++).value;
      if (i.mods & BUFFER_OFFEN)
        offset += c.word(i.src[0], l, next).value;
      if (low >> 63)
        return PRIVATE_APERTURE | u32(offset + soffset / (c.s.last_lane + 1));
      return (low & ones(48)) + soffset + offset + index * (low >> 48 & 0x3fff);
    }
    case Space::global:
    case Space::flat:
      if (i.src[1])
        return offset + c.scalar(i.src[1], 8).value +
               (i.src[0] ? c.word(i.src[0], l).value : 0);
      return offset + c.pair(i.src[0], l).value;
    case Space::scratch:
      if (i.src[1])
        offset += c.scalar(i.src[1], 4).value;
      [[fallthrough]];
    case Space::lds:
      if (i.src[0])
        offset += c.word(i.src[0], l).value;
      break;
    case Space::scalar:
    case Space::scalar_buffer:
    case Space::none:
      break;
    }
    return (access.space == Space::lds ? SHARED_APERTURE : PRIVATE_APERTURE) |
           u32(offset);
  }

  Place place(unsigned l, u64 a, u32 bytes) const {
    Place p;
    p.lane = l;
    p.origin = a;
    if (a - PRIVATE_APERTURE < APERTURE_SIZE) {
      if (c.shadow.has_stack(l, u32(a), bytes)) {
        p.stack = &c.shadow;
        p.offset = u32(a);
      }
    } else if (a - SHARED_APERTURE < APERTURE_SIZE) {
      if (c.shadow.lds && u64(u32(a)) + bytes <= c.shadow.lds_size)
        p.bytes = c.shadow.lds + u32(a);
    } else if (const Region *r = c.s.regions->find(a, 1)) {
      auto shadow = [](const Region *region, u64 at) {
        return region->shadow ? region->shadow + (at - region->begin) : nullptr;
      };
      if (bytes > r->end - a) {
        if (!c.s.dispatch->memory->may_access(a, bytes, false))
          return p;
        const Region *next = c.s.dispatch->memory->find(r->end);
        p.here = u32(r->end - a);
        p.rest = shadow(next, next->begin);
        p.is_host = is_host_memory(next->kind);
      }
      p.is_host |= is_host_memory(r->kind);
      p.bytes = shadow(r, a);
    }
    return p; // elsewhere the instruction itself will fault
  }

  bool load(Operand dst, u64 offset, unsigned first_row) {
    u64 exec = c.s.exec(), clean = 0;
    unsigned words = (access.bytes + 3u) / 4;
    u32 field = field_of(half);
    EACH_LANE(l, exec) {
      Place p = place(l, address(l, offset), access.bytes);
      u64 any = 0;
      u64 undef[4] = {};
      if (p.followed())
        for (unsigned k = 0; k < words; ++k) {
          undef[k] = p.undef(4 * k, access.bytes < 4 ? access.bytes : 4);
          any |= undef[k];
        }
      if (!any) {
        clean |= u64(1) << l;
        continue;
      }
      if (access.bytes < 4)
        undef[0] =
            extended({0, undef[0]}, 8u * access.bytes, 32, access.is_signed)
                .undef;
      if (half == Half::high)
        undef[0] <<= 16;
      for (unsigned k = 0; k < words; ++k) {
        u32 old = c.shadow.row(Shadow::row_of(dst, first_row + k))[l];
        c.write_lane(dst, first_row + k, l,
                     (u32(undef[k]) & field) | (old & ~field), p.origin);
      }
    }
    for (unsigned k = 0; k < words; ++k)
      c.shadow.define(Shadow::row_of(dst, first_row + k), clean, field);
    return true;
  }

  bool store(Operand data, u64 offset) {
    u64 exec = c.s.exec();
    unsigned words = (access.bytes + 3u) / 4;
    u64 dirty = c.undefined_lanes(data, words);
    EACH_LANE(l, exec) {
      Place p = place(l, address(l, offset), access.bytes);
      for (unsigned k = 0; k < words; ++k) {
        u32 size = access.bytes < 4 ? access.bytes : 4;
        u64 undef = dirty >> l & 1 ? c.word(data, l, k).undef : 0;
        if (half == Half::high)
          undef >>= 16;
        undef &= ones(8 * size);
        if (undef && p.is_host)
          return c.report(OUTPUT, u64(1) << l, c.origin(data, words));
        p.set(4 * k, size, undef);
      }
    }
    return true;
  }

  u64 updated(u64 memory, u64 data) const {
    u64 both = memory | data;
    switch (access.atomic) {
    case AtomicOperation::swap:
      return data;
    case AtomicOperation::logic_and:
    case AtomicOperation::logic_or:
    case AtomicOperation::logic_xor:
      return both;
    case AtomicOperation::add: // carries go up
    case AtomicOperation::sub:
      return both ? ones(8 * access.bytes) &
                        ~ones(unsigned(__builtin_ctzll(both)))
                  : 0;
    default:
      return both ? ones(8 * access.bytes) : 0;
    }
  }

  bool atomic() {
    const Inst &i = c.inst;
    unsigned words = access.bytes / 4;
    auto data = [&](Operand o, unsigned l, unsigned more) {
      u64 undef = c.word(o, l, more).undef;
      if (words == 2)
        undef |= c.word(o, l, more + 1).undef << 32;
      return undef;
    };
    EACH_LANE(l, c.s.exec()) {
      Place p = place(l, address(l, i.imm), access.bytes);
      u64 old = p.undef(0, access.bytes), fresh = data(i.src[2], l, 0);
      if (compares(access.atomic)) { // global: new value, then the expected one
        bool swapped = access.space == Space::lds && i.src[1];
        u64 second = swapped ? data(i.src[1], l, 0) : data(i.src[2], l, words);
        u64 expected = swapped ? fresh : second;
        fresh = (swapped ? second : fresh) | old;
        if (expected)
          fresh = ones(8 * access.bytes);
      } else
        fresh = updated(old, fresh);
      if (fresh && p.is_host)
        return c.report(OUTPUT, u64(1) << l, c.origin(i.src[2], words));
      p.set(0, access.bytes, fresh);
      if (i.dst)
        for (unsigned k = 0; k < words; ++k)
          c.write_lane(i.dst, k, l, u32(old >> (32 * k)), p.origin);
    }
    return true;
  }

private:
  Context &c;
  const MemoryAccess &access;
  Half half;
};

} // namespace

bool memory(Context &c) {
  if (!c.s.exec())
    return true;
  c.s.regions->refresh();
  Lanes lanes(c);
  Origin from = 0;
  if (u64 unknown = lanes.unknown_addresses(from))
    return c.report(ADDRESS, unknown, from);
  const Inst &i = c.inst;
  const MemoryAccess &access = c.plan.operation->memory;
  unsigned words = (access.bytes + 3u) / 4;
  switch (access.access) {
  case Access::load:
    return lanes.load(i.dst, i.imm, 0);
  case Access::store:
    return lanes.store(i.src[2], i.imm);
  case Access::atomic:
    return lanes.atomic();
  case Access::load_two:
    return lanes.load(i.dst, i.imm, 0) &&
           lanes.load(i.dst, u64(i.scond), words);
  case Access::store_two:
    return lanes.store(i.src[2], i.imm) && lanes.store(i.src[1], u64(i.scond));
  case Access::none:
    break;
  }
  return true;
}

bool scalar_memory(Context &c) {
  const Inst &i = c.inst;
  u64 base = c.scalar(i.src[0], 8).value;
  if (c.plan.operation->memory.space == Space::scalar_buffer)
    base &= ones(48);
  if (c.shadow.scalar(i.src[0], 8))
    return c.report(ADDRESS, 0, c.shadow.scalar_origin(i.src[0]));
  u64 a = base + i.imm;
  if (i.src[1]) {
    if (c.shadow.scalar(i.src[1], 4))
      return c.report(ADDRESS, 0, c.shadow.scalar_origin(i.src[1]));
    a += c.scalar(i.src[1], 4).value;
  }
  a &= ~u64(3);
  c.s.regions->refresh();
  for (unsigned k = 0; k < c.plan.operation->memory.bytes / 4u; ++k, a += 4) {
    const Region *r = c.s.regions->find(a, 4);
    u32 defined = ~0u;
    if (r && r->shadow)
      std::memcpy(&defined, r->shadow + (a - r->begin), 4);
    c.shadow.set_scalar(i.dst + Operand(4 * k), 4, u32(~defined), a);
  }
  return true;
}

/// ds_append and ds_consume.
bool appended(Context &c) {
  if (c.shadow.scalar(scalar_operand(M0), 4))
    return c.report(ADDRESS, 0, c.shadow.scalar_origin(scalar_operand(M0)));
  u32 offset = (c.s.s[M0] >> 16) + u32(c.inst.imm);
  u32 undef = 0;
  if (c.shadow.lds && u64(offset) + 4 <= c.shadow.lds_size) {
    std::memcpy(&undef, c.shadow.lds + offset, 4);
    undef = ~undef;
  }
  EACH_LANE(l, c.s.exec())
  c.write_lane(c.inst.dst, 0, l, undef, SHARED_APERTURE | offset);
  return true;
}

} // namespace gpuexec::emulator::amdgpu::definedness
