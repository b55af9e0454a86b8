//===-- emulator/amdgpu/definedness/vector.cpp - Vector arithmetic --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/definedness/check.h"

namespace gpuexec::emulator::amdgpu::definedness {

#define EACH_LANE(l, mask)                                                     \
  for (u64 rest_ = (mask); rest_; rest_ &= rest_ - 1)                          \
    if (unsigned l = unsigned(__builtin_ctzll(rest_)); true)

static unsigned width_of(Type type) {
  return type == Type::none        ? 0
         : registers_of(type) == 2 ? 64
         : type == Type::u8        ? 8
         : is_half(type)           ? 16
                                   : 32;
}

/// Bits of a destination register that an operation writes.
static u32 written(const Operation &op) {
  return op.result == Type::u8                ? 0xffu
         : is_half(op.result) && op.keep_high ? 0xffffu
                                              : ~0u;
}

/// The lanes in which a source has undefined bits; `from`: where the first such
/// source was loaded from.
static u64 undefined_sources(const Context &c, Origin &from) {
  const Operation &op = *c.plan.operation;
  u64 lanes = 0;
  for (unsigned k = 0; k < op.sources; ++k) {
    unsigned registers = registers_of(op.source[k]);
    u64 of_this = c.undefined_lanes(c.inst.src[k], registers);
    if (of_this && !lanes)
      from = c.origin(c.inst.src[k], registers);
    lanes |= of_this;
  }
  return lanes;
}

static LaneOut as_a_whole(const Operation &op, const LaneIn &in) {
  u64 undef = in.condition.undef;
  for (unsigned k = 0; k < op.sources; ++k)
    undef |= in.x[k].undef;
  return {undef ? ones(width_of(op.result)) : 0, undef != 0};
}

/// clang counts the trailing zeros of 64 bits as the minimum of two results of
/// v_ffbl_b32: that of the lower half, and that of the upper half plus 32. If
/// the lower half is defined and not zero, so is the minimum, even if the upper
/// half is undefined. For that, the rule for the minimum must know that the sum
/// is 31 or more: this returns the range of the sum.
static Shadow::Range range_of_result(const Context &c) {
  auto of = [&](unsigned k) {
    Operand o = c.inst.src[k];
    return o != LITERAL && o & ROW ? c.shadow.range(Shadow::row_of(o))
                                   : Shadow::Range();
  };
  switch (c.plan.ranges) {
  case Ranges::none:
    break;
  case Ranges::copy:
    return of(0);
  case Ranges::count:
    return {true, 0};
  case Ranges::sum:
    for (unsigned k = 0; k < 2; ++k) {
      Operand other = c.inst.src[1 - k];
      if (!of(k).is_count || (other != LITERAL && other & ROW))
        continue;
      Bits addend = c.scalar(other, 4);
      if (!addend.undef && addend.value && addend.value < 1u << 16)
        return {false, u32(addend.value) - 1};
    }
    break;
  }
  return {};
}

bool vector(Context &c) {
  const Operation &op = *c.plan.operation;
  const Inst &i = c.inst;
  u64 exec = c.s.exec();
  Origin from = 0;
  u64 dirty = undefined_sources(c, from), condition = 0, condition_undef = 0;
  if (op.condition) {
    condition = c.scalar(i.scond, 8).value;
    condition_undef = c.mask_undef(i.scond);
    if (condition_undef && !dirty)
      from = c.shadow.scalar_origin(i.scond);
    dirty |= condition_undef;
  }
  dirty &= exec;
  Shadow::Range range;
  u32 at_least[3] = {0, 0, 0};
  LaneIn in;
  in.saturates = c.plan.saturates;
  if (dirty) {
    range = range_of_result(c);
    for (unsigned k = 0; k < op.sources; ++k)
      if (Operand o = i.src[k]; o != LITERAL && o & ROW)
        at_least[k] = c.shadow.range(Shadow::row_of(o)).at_least;
  }
  bool has_value = op.result != Type::none;
  unsigned registers = registers_of(op.result);
  u32 field = written(op);
  u64 bits = 0;
  // Reads of a lane come before its writes: rows may overlap.
  EACH_LANE(l, dirty) {
    in.lane = l;
    for (unsigned k = 0; k < op.sources; ++k) {
      in.x[k] = c.read(i.src[k], op.source[k], l);
      in.at_least[k] = in.x[k].undef ? at_least[k] : 0;
    }
    in.condition = {condition >> l & 1, condition_undef >> l & 1};
    LaneOut out = c.plan.lane ? c.plan.lane(in) : as_a_whole(op, in);
    bits |= u64(out.bit) << l;
    if (has_value) {
      u32 low = u32(out.undef) & field;
      if (field != ~0u)
        low |= c.shadow.row(Shadow::row_of(i.dst))[l] & ~field;
      c.write_lane(i.dst, 0, l, low, from);
      if (registers == 2)
        c.write_lane(i.dst, 1, l, u32(out.undef >> 32), from);
    }
  }
  if (has_value)
    c.define(i.dst, registers, exec & ~dirty, field);
  // A lane that is not active may keep an undefined value of another range.
  if (dirty && has_value && !(c.undefined_lanes(i.dst) & ~dirty))
    c.shadow.set_range(Shadow::row_of(i.dst), range);
  if (op.writes_mask)
    c.shadow.set_scalar(i.sdst, 8, bits, from);
  return true;
}

// Packed halves: the rule of the operation is applied to each half.

namespace {
struct Halves {
  Bits operator()(const Context &c, unsigned k, unsigned lane,
                  bool upper) const {
    bool high = c.inst.mods & (upper ? mod_opsel_hi(k) : mod_opsel(k));
    Bits w = c.word(c.inst.src[k], lane);
    unsigned shift = high ? 16 : 0;
    return {w.value >> shift & 0xffff, w.undef >> shift & 0xffff};
  }
};
} // namespace

bool packed(Context &c) {
  const Operation &op = *c.plan.operation;
  u64 exec = c.s.exec();
  Origin from = 0;
  u64 dirty = undefined_sources(c, from) & exec;
  EACH_LANE(l, dirty) {
    u32 undef = 0;
    for (bool upper : {false, true}) {
      LaneIn in;
      in.saturates = c.plan.saturates;
      for (unsigned k = 0; k < op.sources; ++k)
        in.x[k] = Halves()(c, k, l, upper);
      LaneOut out = c.plan.lane ? c.plan.lane(in) : as_a_whole(op, in);
      u32 half = u32(c.plan.lane ? out.undef & 0xffff : out.undef ? 0xffff : 0);
      undef |= half << (upper ? 16 : 0);
    }
    c.write_lane(c.inst.dst, 0, l, undef, from);
  }
  c.define(c.inst.dst, 1, exec & ~dirty);
  return true;
}

bool packed_pairs(Context &c) {
  const Operation &op = *c.plan.operation;
  u64 exec = c.s.exec();
  Origin from = 0;
  u64 dirty = undefined_sources(c, from) & exec;
  EACH_LANE(l, dirty) {
    u32 undef[2] = {0, 0};
    for (unsigned upper = 0; upper < 2; ++upper)
      for (unsigned k = 0; k < op.sources; ++k) {
        bool high = c.inst.mods & (upper ? mod_opsel_hi(k) : mod_opsel(k));
        if (c.word(c.inst.src[k], l, high).undef)
          undef[upper] = ~0u;
      }
    c.write_lane(c.inst.dst, 0, l, undef[0], from);
    c.write_lane(c.inst.dst, 1, l, undef[1], from);
  }
  c.define(c.inst.dst, 2, exec & ~dirty);
  return true;
}

bool packed_move(Context &c) {
  u64 exec = c.s.exec();
  Origin from = 0;
  u64 dirty = undefined_sources(c, from) & exec;
  EACH_LANE(l, dirty) {
    u32 undef[2];
    for (unsigned k = 0; k < 2; ++k)
      undef[k] = u32(
          c.word(c.inst.src[k], l, (c.inst.mods & mod_opsel(k)) != 0).undef);
    c.write_lane(c.inst.dst, 0, l, undef[0], from);
    c.write_lane(c.inst.dst, 1, l, undef[1], from);
  }
  c.define(c.inst.dst, 2, exec & ~dirty);
  return true;
}

bool mixed(Context &c) {
  u32 field = field_of(c.plan.operation->half);
  u64 exec = c.s.exec(), dirty = 0;
  Origin from = 0;
  EACH_LANE(l, exec) {
    u64 undef = 0;
    for (unsigned k = 0; k < 3; ++k) {
      u64 of_this = c.word(c.inst.src[k], l).undef;
      if (c.inst.mods & mod_opsel_hi(k))
        of_this = c.inst.mods & mod_opsel(k) ? of_this >> 16 : of_this & 0xffff;
      if (of_this && !undef)
        from = c.origin(c.inst.src[k]);
      undef |= of_this;
    }
    if (!undef)
      continue;
    dirty |= u64(1) << l;
    c.write_lane(c.inst.dst, 0, l,
                 field | (c.shadow.row(Shadow::row_of(c.inst.dst))[l] & ~field),
                 from);
  }
  c.define(c.inst.dst, 1, exec & ~dirty, field);
  return true;
}

} // namespace gpuexec::emulator::amdgpu::definedness
