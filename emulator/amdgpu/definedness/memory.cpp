//===-- emulator/amdgpu/definedness/memory.cpp - Loads and stores ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of an instruction runs before the instruction: a store writes the
// shadow before the memory, a load reads the shadow before the memory. So a
// wave that has seen a flag that another wave stored also sees the shadows of
// all that the other wave stored before the flag.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/access/atomics.h"
#include "emulator/amdgpu/access/buffer.h"
#include "emulator/amdgpu/access/lane_address.h"
#include "emulator/amdgpu/access/lane_data.h"
#include "emulator/amdgpu/definedness/check.h"

#include <cstring>

namespace gpuexec::emulator::amdgpu::definedness {

#define EACH_LANE(l, mask)                                                     \
  for (u64 rest_ = (mask); rest_; rest_ &= rest_ - 1)                          \
    if (unsigned l = unsigned(__builtin_ctzll(rest_)); true)

namespace {

const char ADDRESS[] = "an address depends on it";
const char OUTPUT[] = "it is handed to the host";

/// The shadow of the bytes that one lane accesses.
struct Place {
  u8 *bytes = nullptr; // null: no shadow, unless the bytes are in the stack
  // An access may reach into the next region after `here` bytes; `rest` is the
  // shadow there.
  u32 here = ~0u;
  u8 *rest = nullptr;
  Shadow *stack = nullptr; // not null: the bytes are in the stack, at `offset`
  u32 offset = 0;
  unsigned lane = 0;
  bool is_host = false;
  Origin origin = 0;

  bool followed() const { return bytes || rest || stack; }
  /// The shadow of byte k; null if it has none.
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
      // Waves share the shadow, and most stores do not change it: not writing
      // saves cache traffic.
      if (byte && *byte != now)
        *byte = now;
    }
  }
};

bool is_host_memory(MemoryKind kind) {
  return kind != MemoryKind::device && kind != MemoryKind::code &&
         kind != MemoryKind::runtime;
}

// The operands of a lane's address (access/lane_address.h).

struct ValueOperands {
  using Long = u64;
  const Context &c;
  unsigned lane;
  u64 offset; // the instruction's

  bool has(unsigned k) const { return c.inst.src[k]; }
  u32 offset_word() const { return u32(offset); }
  u64 offset_long() const { return offset; }
  u32 lane_word(unsigned more) const {
    return u32(c.word(c.inst.src[0], lane, more).value);
  }
  u64 lane_long() const { return c.pair(c.inst.src[0], lane).value; }
  u32 scalar_word(unsigned k) const {
    return u32(c.scalar(c.inst.src[k], 4).value);
  }
  u64 scalar_long(unsigned k) const { return c.scalar(c.inst.src[k], 8).value; }
  u64 extended(u32 word) const { return word; }
  bool has_index() const { return c.inst.mods & BUFFER_IDXEN; }
  bool has_offset() const { return c.inst.mods & BUFFER_OFFEN; }
  unsigned wave_shift() const { return 5 + c.s.last_lane / 32; }
};

/// The lanes in which a part of the address has undefined bits, and where these
/// were loaded from. A sum or product has the lanes of both operands.
struct UndefinedLanes {
  u64 lanes = 0;
  Origin from = 0;
  UndefinedLanes operator+(const UndefinedLanes &other) const {
    return {lanes | other.lanes, lanes ? from : other.from};
  }
  UndefinedLanes operator*(const UndefinedLanes &other) const {
    return *this + other;
  }
  UndefinedLanes operator&(u64) const { return *this; }
  UndefinedLanes operator>>(unsigned) const { return *this; }
};
struct UndefOperands {
  using Long = UndefinedLanes;
  const Context &c;

  bool has(unsigned k) const { return c.inst.src[k]; }
  UndefinedLanes offset_word() const { return {}; }
  UndefinedLanes offset_long() const { return {}; }
  UndefinedLanes lane_word(unsigned more) const {
    const Operand o = c.inst.src[0] + Operand(more * LANES * 4);
    return of(o, 1);
  }
  UndefinedLanes lane_long() const { return of(c.inst.src[0], 2); }
  UndefinedLanes scalar_word(unsigned k) const { return of(c.inst.src[k], 1); }
  UndefinedLanes scalar_long(unsigned k) const { return of(c.inst.src[k], 2); }
  UndefinedLanes extended(UndefinedLanes word) const { return word; }
  bool has_index() const { return c.inst.mods & BUFFER_IDXEN; }
  bool has_offset() const { return c.inst.mods & BUFFER_OFFEN; }
  unsigned wave_shift() const { return 0; }
  /// Of a buffer: all operands are looked at.
  UndefinedLanes of_buffer() const {
    UndefinedLanes all =
        of(c.inst.sdst, 2) + of(c.inst.sdst + 8, 2) + scalar_word(1);
    for (unsigned k = 0; k < unsigned(has_index()) + has_offset(); ++k)
      all = all + lane_word(k);
    return all;
  }

private:
  UndefinedLanes of(Operand o, unsigned registers) const {
    const u64 lanes = c.undefined_lanes(o, registers);
    return {lanes, lanes ? c.origin(o, registers) : 0};
  }
};

/// An address without memory: what is read there is defined, and nothing is
/// written.
constexpr u64 OUT_OF_RANGE = ~u64(0);

/// A load, store or atomic of all active lanes.
class Lanes {
public:
  explicit Lanes(Context &c)
      : c(c), access(c.plan.operation->memory),
        format(access::format_of(*c.plan.operation)) {
    if (access.space != Space::buffer)
      return;
    u32 resource[4];
    for (unsigned k = 0; k < 4; ++k)
      resource[k] = u32(c.scalar(c.inst.sdst + Operand(4 * k), 4).value);
    is_stack = !resource[0] && resource[1] == access::STACK_BUFFER >> 32;
    buffer = access::Buffer::of(resource, u32(c.scalar(c.inst.src[1], 4).value),
                                c.inst.mods);
  }

  /// The lanes whose addresses have undefined bits.
  u64 unknown_addresses(Origin &from) const {
    const UndefOperands operands{c};
    UndefinedLanes lanes = access.space == Space::buffer
                               ? operands.of_buffer()
                               : lane_address_of(operands);
    from = lanes.from;
    return lanes.lanes & c.s.exec();
  }

  /// The lane's flat address of word k, or OUT_OF_RANGE. `offset`: the
  /// instruction's own; `bytes`: of the word.
  u64 address(unsigned l, u64 offset, unsigned k, u32 bytes) const {
    const ValueOperands operands{c, l, offset + 4 * u64(k)};
    if (access.space == Space::buffer)
      return is_stack ? PRIVATE_APERTURE | access::stack_buffer_offset(operands)
                      : buffer_address(operands, bytes);
    const u64 address = lane_address_of(operands);
    return access.space == Space::lds       ? SHARED_APERTURE | address
           : access.space == Space::scratch ? PRIVATE_APERTURE | address
                                            : address;
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
    return p; // outside of all regions: the instruction itself will fault
  }

  Place place_of(unsigned l, u64 offset) const {
    return place(l, address(l, offset, 0, access.bytes), access.bytes);
  }
  /// True if each word of a lane's access may lie in a place of its own.
  bool apart() const { return access.space == Space::buffer && !is_stack; }
  u32 word_size() const { return access.bytes < 4 ? access.bytes : 4; }
  /// A word's place, and where it begins there.
  struct WordPlace {
    Place place;
    u32 begin;
  };
  WordPlace place_of_word(const Place &whole, unsigned l, u64 offset,
                          unsigned k) const {
    if (!apart())
      return {whole, 4 * k};
    return {place(l, address(l, offset, k, word_size()), word_size()), 0};
  }

  bool load(Operand dst, u64 offset, unsigned first_row) {
    u64 exec = c.s.exec(), clean = 0;
    unsigned words = (access.bytes + 3u) / 4;
    u32 field = field_of(format.half);
    EACH_LANE(l, exec) {
      Place p = place_of(l, offset);
      u64 any = 0;
      u64 undef[4] = {};
      if (p.followed() || apart())
        for (unsigned k = 0; k < words; ++k) {
          const WordPlace word = place_of_word(p, l, offset, k);
          undef[k] = word.place.undef(word.begin, word_size());
          any |= undef[k];
        }
      if (!any) {
        clean |= u64(1) << l;
        continue;
      }
      const u32 old = c.shadow.row(Shadow::row_of(dst, first_row))[l];
      undef[0] = format.loaded(UndefBits{u32(undef[0])}, UndefBits{old}).bits;
      for (unsigned k = 0; k < words; ++k)
        c.write_lane(dst, first_row + k, l, u32(undef[k]), p.origin);
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
      const Place whole = place_of(l, offset);
      for (unsigned k = 0; k < words; ++k) {
        const auto [p, begin] = place_of_word(whole, l, offset, k);
        const u32 size = word_size();
        const u64 undef =
            dirty >> l & 1
                ? format.stored(UndefBits{u32(c.word(data, l, k).undef)}).bits &
                      ones(8 * size)
                : 0;
        if (undef && p.is_host)
          return c.report(OUTPUT, u64(1) << l, c.origin(data, words));
        p.set(begin, size, undef);
      }
    }
    return true;
  }

  bool atomic() {
    const Inst &i = c.inst;
    const unsigned words = access.bytes / 4;
    const bool is_lds = access.space == Space::lds,
               compares = amdgpu::compares(access.atomic),
               has_second = is_lds && i.src[1];
    const auto [fresh_at, expected_at] =
        compares ? access::compare_operands(is_lds, words)
                 : access::CompareOperands{{2}, {2}};
    auto data = [&](access::AtomicData at, unsigned l) {
      const Operand o = i.src[at.source];
      u64 undef = c.word(o, l, at.row).undef;
      if (words == 2)
        undef |= c.word(o, l, at.row + 1).undef << 32;
      return undef;
    };
    EACH_LANE(l, c.s.exec()) {
      const Place p = place_of(l, i.imm);
      const u64 old = p.undef(0, access.bytes);
      u64 fresh = data(fresh_at, l);
      if (has_second && !compares)
        fresh |= data({1}, l);
      fresh = access::undefined_by(access::undef_rule(access.atomic), old,
                                   fresh, compares ? data(expected_at, l) : 0,
                                   ones(8 * access.bytes));
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
  u64 buffer_address(const ValueOperands &operands, u32 bytes) const {
    access::Buffer::Element element{buffer.adds_lane ? operands.lane : 0,
                                    operands.offset_long()};
    if (operands.has_index())
      element.index += operands.lane_word(0);
    if (operands.has_offset())
      element.offset += operands.lane_word(operands.has_index() ? 1 : 0);
    return buffer.holds(element, bytes) ? buffer.address(element)
                                        : OUT_OF_RANGE;
  }
  template <typename Operands>
  typename Operands::Long lane_address_of(Operands operands) const {
    return access::lane_address_in(access.space, operands,
                                   [](auto address) { return address; });
  }

  Context &c;
  const MemoryAccess &access;
  access::DataFormat format;
  access::Buffer buffer; // Space::buffer: the resource
  bool is_stack = false;
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
  const MemoryAccess &access = c.plan.operation->memory;
  const bool by_buffer = access.space == Space::scalar_buffer;
  const Operand size_and_flags = i.src[0] + 8; // of a buffer
  if (by_buffer && c.undefined_lanes(size_and_flags, 2))
    return c.report(ADDRESS, 0, c.origin(size_and_flags, 2));
  auto address_of = [&](auto operands) {
    return by_buffer
               ? access::scalar_address<Space::scalar_buffer>(operands,
                                                              access.bytes)
               : access::scalar_address<Space::scalar>(operands, access.bytes);
  };
  if (const UndefinedLanes unknown = address_of(UndefOperands{c});
      unknown.lanes)
    return c.report(ADDRESS, 0, unknown.from);
  u64 a = address_of(ValueOperands{c, 0, i.imm});
  c.s.regions->refresh();
  const u32 size = access.bytes < 4 ? access.bytes : 4;
  u64 left = access.bytes; // in the buffer; what is behind it is read as zero
  if (by_buffer) {
    u32 resource[4];
    for (unsigned k = 0; k < 4; ++k)
      resource[k] = u32(c.scalar(i.src[0] + Operand(4 * k), 4).value);
    const u32 more = i.src[1] ? u32(c.scalar(i.src[1], 4).value) : 0;
    left = access::left_in_scalar_buffer(resource, i.imm + more);
  }
  for (unsigned k = 0; k < access.bytes; k += size, a += size) {
    const Region *r = k + size <= left ? c.s.regions->find(a, size) : nullptr;
    u32 defined = ~0u;
    if (r && r->shadow)
      std::memcpy(&defined, r->shadow + (a - r->begin), size);
    const UndefBits undef =
        access::DataFormat{size, access.is_signed, Half::none}.loaded(
            UndefBits{u32(~defined)}, UndefBits{});
    c.shadow.set_scalar(i.dst + Operand(k), 4, undef.bits, a);
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
