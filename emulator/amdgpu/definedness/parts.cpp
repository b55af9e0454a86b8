//===-- emulator/amdgpu/definedness/parts.cpp - Steps and lanes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The micro-ops around an operation (SDWA, DPP, halves, clamps), and what moves
// data between lanes.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/definedness/check.h"

#include <cstring>

namespace gpuexec::emulator::amdgpu::definedness {

#define EACH_LANE(l, mask)                                                     \
  for (u64 rest_ = (mask); rest_; rest_ &= rest_ - 1)                          \
    if (unsigned l = unsigned(__builtin_ctzll(rest_)); true)

/// dst = change(source), lane by lane; a temporary row gets all lanes.
template <typename F>
static bool each_lane(Context &c, Operand source, u64 lanes, F change) {
  u64 dirty = c.undefined_lanes(source) & lanes;
  Origin from = dirty ? c.origin(source) : 0;
  c.define(c.inst.dst, 1, lanes & ~dirty);
  EACH_LANE(l, dirty)
  c.write_lane(c.inst.dst, 0, l, u32(change(c.word(source, l).undef, l)), from);
  return true;
}

bool part_read(Context &c) {
  unsigned shift = c.inst.imm & 31, width = c.inst.imm >> 8 & 63;
  bool sign = c.inst.imm >> 16 & 1;
  return each_lane(c, c.inst.src[0], ~u64(0), [&](u64 undef, unsigned) {
    return extended({0, undef >> shift}, width, 32, sign).undef;
  });
}

bool part_written(Context &c) {
  unsigned shift = c.inst.imm & 31, width = c.inst.imm >> 8 & 63,
           unused = c.inst.imm >> 17 & 3;
  u64 field = ones(width) << shift & ones(32);
  Operand a = c.inst.src[0];
  unsigned d = Shadow::row_of(c.inst.dst);
  Origin from = c.origin(a);
  EACH_LANE(l, c.s.exec()) {
    u64 undef = c.word(a, l).undef;
    u64 part = unused == 1 ? sign_extended(undef, width, 32) << shift & ones(32)
                           : undef << shift & field;
    u64 kept = unused == 2 ? c.shadow.row(d)[l] & ~field : 0;
    c.shadow.set_lane(d, l, u32(kept | part), from);
  }
  return true;
}

/// Source lane of a DPP control, or -1: as in interpret/micro_ops.h.
static int dpp_source(unsigned control, int lane) {
  int in_row = lane & 15, row_base = lane & ~15, n = int(control & 15), at;
  if (control <= 0xff)
    return (lane & ~3) + int(control >> (2 * (lane & 3)) & 3);
  switch (control & 0x1f0) {
  case 0x100:
    at = in_row + n;
    return at < 16 ? row_base + at : -1;
  case 0x110:
    at = in_row - n;
    return at >= 0 ? row_base + at : -1;
  case 0x120:
    return row_base + ((in_row - n) & 15);
  case 0x130:
    return n == 0   ? (lane < 63 ? lane + 1 : -1)
           : n == 4 ? (lane + 1) & 63
           : n == 8 ? lane - 1
                    : (lane - 1) & 63;
  case 0x140:
    return n == 0      ? row_base + 15 - in_row
           : n == 1    ? (lane & ~7) + 7 - (lane & 7)
           : n == 2    ? row_base - 1
           : lane < 32 ? -1
                       : 31;
  case 0x160:
    return row_base + (in_row ^ n);
  default:
    return row_base + n;
  }
}

bool lanes_moved(Context &c) {
  unsigned registers = c.inst.imm >> 18 & 3;
  const u64 imm = c.inst.imm; // as in interpret/micro_ops.h
  const bool dpp8 = imm >> 21 & 1;
  u64 exec = imm >> 20 & 1 ? ~u64(0) : c.s.exec();
  Origin from = c.origin(c.inst.src[0], registers);
  for (unsigned k = 0; k < registers; ++k) {
    u32 moved[LANES];
    for (unsigned l = 0; l < LANES; ++l) {
      int source = dpp8 ? int((l & ~7u) | (imm >> (32 + 3 * (l & 7)) & 7))
                        : dpp_source(imm & 0x1ff, int(l));
      moved[l] = source >= 0 && exec >> source & 1
                     ? u32(c.word(c.inst.src[0], unsigned(source), k).undef)
                     : 0;
    }
    for (unsigned l = 0; l < LANES; ++l)
      c.write_lane(c.inst.dst, k, l, moved[l], from);
  }
  return true;
}

bool masked_copy(Context &c) {
  Origin from = c.origin(c.inst.src[0], unsigned(c.inst.imm));
  EACH_LANE(l, c.s.dpp_mask)
  for (unsigned k = 0; k < c.inst.imm; ++k)
    c.write_lane(c.inst.dst, k, l, u32(c.word(c.inst.src[0], l, k).undef),
                 from);
  return true;
}

bool sign_modified(Context &c) {
  u64 keep = c.inst.imm & 2 ? 0x7fffffff : ones(32);
  return each_lane(c, c.inst.src[0], ~u64(0),
                   [&](u64 undef, unsigned) { return undef & keep; });
}
bool upper_half(Context &c) {
  return each_lane(c, c.inst.src[0], ~u64(0),
                   [](u64 undef, unsigned) { return undef >> 16; });
}
bool half_inserted(Context &c) {
  unsigned d = Shadow::row_of(c.inst.dst);
  Origin from = c.origin(c.inst.src[0]);
  EACH_LANE(l, c.inst.imm & 2 ? c.s.dpp_mask : c.s.exec()) {
    u32 undef = u32(c.word(c.inst.src[0], l).undef), old = c.shadow.row(d)[l];
    c.shadow.set_lane(d, l,
                      c.inst.imm & 1 ? (old & 0xffff) | undef << 16
                                 : (old & 0xffff0000) | (undef & 0xffff),
                      from);
  }
  return true;
}

bool finished(Context &c) {
  Type type = Type(c.inst.imm);
  unsigned registers = registers_of(type);
  Origin from = c.origin(c.inst.src[0], registers);
  auto whole = [](u64 undef) { return undef ? ~0u : 0u; };
  EACH_LANE(l, c.s.exec()) {
    u64 low = c.word(c.inst.src[0], l).undef;
    u32 result[2] = {whole(low), 0};
    if (registers == 2) {
      u64 high = c.word(c.inst.src[0], l, 1).undef;
      result[1] = whole(high);
      if (type == Type::f64)
        result[0] = result[1] = whole(low | high);
    } else if (type == Type::p16)
      result[0] = (low & 0xffff ? 0xffffu : 0) | (low >> 16 ? 0xffff0000u : 0);
    else if (type == Type::f16)
      result[0] = (low & 0xffff ? 0xffffu : 0) |
                  (c.inst.sdst ? c.shadow.row(Shadow::row_of(c.inst.dst))[l] &
                                     0xffff0000u
                               : 0);
    for (unsigned k = 0; k < registers; ++k)
      c.write_lane(c.inst.dst, k, l, result[k], from);
  }
  return true;
}

bool scalar_copied(Context &c) {
  u64 undef = 0;
  Origin from = 0;
  if (c.inst.imm == 0) {
    undef = maybe_zero(c.scalar(scalar_operand(VCC), 8));
    from = c.shadow.scalar_origin(scalar_operand(VCC));
  } else if (c.inst.imm == 2) {
    undef = c.shadow.scc;
    from = c.shadow.scc_origin;
  }
  c.shadow.set_scalar(c.inst.dst, 8, undef, from);
  return true;
}

bool exec_set(Context &c) {
  return c.exec_is_known(c.mask_undef(c.inst.src[0]),
                         c.shadow.scalar_origin(c.inst.src[0]));
}

// Across lanes.

bool first_lane_read(Context &c) {
  u64 exec = c.s.exec();
  Bits b = c.word(c.inst.src[0], exec ? unsigned(__builtin_ctzll(exec)) : 0);
  c.shadow.set_scalar(c.inst.dst, 4, b.undef, c.origin(c.inst.src[0]));
  return true;
}
bool lane_read(Context &c) {
  Bits lane = c.scalar(c.inst.src[1], 4);
  Bits b = c.word(c.inst.src[0], lane.value & 63);
  if (lane.undef & 63)
    b.undef = ones(32);
  c.shadow.set_scalar(c.inst.dst, 4, b.undef, c.origin(c.inst.src[0]));
  return true;
}
bool lane_written(Context &c) {
  Bits lane = c.scalar(c.inst.src[1], 4);
  if (lane.undef & 63)
    return c.report("the number of a lane depends on it", 0,
                    c.shadow.scalar_origin(c.inst.src[1]));
  c.write_lane(c.inst.dst, 0, lane.value & 63,
               u32(c.scalar(c.inst.src[0], 4).undef),
               c.shadow.scalar_origin(c.inst.src[0]));
  return true;
}
bool rows_swapped(Context &c) {
  Origin a = c.origin(c.inst.dst), b = c.origin(c.inst.src[0]);
  EACH_LANE(l, c.s.exec()) {
    u32 first = u32(c.word(c.inst.dst, l).undef),
        second = u32(c.word(c.inst.src[0], l).undef);
    c.write_lane(c.inst.dst, 0, l, second, b);
    c.write_lane(c.inst.src[0], 0, l, first, a);
  }
  return true;
}

/// All of the result is undefined when anything of a source is.
bool matrices_multiplied(Context &c) {
  const MatrixShape &shape = operation(c.inst).matrix;
  Origin from = 0;
  bool undefined = false;
  const auto look_at = [&](Operand o, unsigned count) {
    if (!(o & ROW))
      return;
    for (unsigned r = 0; r < count; ++r)
      if (!undefined && c.shadow.undefined_lanes(Shadow::row_of(o, r))) {
        undefined = true;
        from = c.origin(o);
      }
  };
  look_at(c.inst.src[0], shape.registers_of_a());
  look_at(c.inst.src[1], shape.registers_of_b());
  look_at(c.inst.src[2], shape.sparse ? 1 : shape.registers_of_result());
  if (shape.sparse) // D is C
    look_at(c.inst.dst, shape.registers_of_result());
  for (unsigned r = 0; r < shape.registers_of_result(); ++r)
    for (unsigned l = 0; l < LANES; ++l)
      c.shadow.set_lane(Shadow::row_of(c.inst.dst, r), l, undefined ? ~0u : 0,
                        from);
  return true;
}

/// dst in the active lanes = undef(lane), all of them read first.
template <typename F> static bool exchanged(Context &c, Operand data, F undef) {
  u32 result[LANES];
  Origin from = c.origin(data);
  u64 exec = c.s.exec();
  EACH_LANE(l, exec) result[l] = undef(l);
  EACH_LANE(l, exec) c.write_lane(c.inst.dst, 0, l, result[l], from);
  return true;
}
bool backward_permuted(Context &c) {
  u64 exec = c.s.exec();
  return exchanged(c, c.inst.src[2], [&](unsigned l) {
    Bits index = c.word(c.inst.src[0], l);
    if (index.undef & 0xfc)
      return ~0u;
    unsigned from = (index.value + c.inst.imm) >> 2 & 63;
    return exec >> from & 1 ? u32(c.word(c.inst.src[2], from).undef) : 0;
  });
}
bool permuted(Context &c) {
  u32 result[LANES] = {};
  u64 exec = c.s.exec();
  EACH_LANE(l, exec) {
    Bits index = c.word(c.inst.src[0], l);
    if (index.undef & 0xfc) { // it may be any lane's
      std::memset(result, 0xff, sizeof(result));
      break;
    }
    result[(index.value + c.inst.imm) >> 2 & 63] =
        u32(c.word(c.inst.src[2], l).undef);
  }
  return exchanged(c, c.inst.src[2], [&](unsigned l) { return result[l]; });
}
bool swizzled(Context &c) {
  u64 exec = c.s.exec();
  unsigned pattern = c.inst.imm & 0xffff;
  return exchanged(c, c.inst.src[0], [&](unsigned l) {
    unsigned from =
        pattern & 0x8000
            ? (l & ~3u) + (pattern >> (2 * (l & 3)) & 3)
            : (l & ~31u) + ((((l & 31) & pattern) | (pattern >> 5 & 31)) ^
                            (pattern >> 10 & 31));
    return exec >> from & 1 ? u32(c.word(c.inst.src[0], from).undef) : 0;
  });
}

} // namespace gpuexec::emulator::amdgpu::definedness
