//===-- emulator/amdgpu/definedness/parts.cpp - Parts and lanes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of the micro-ops around an operation (SDWA, DPP, halves, clamps), and
// of instructions that move data between lanes.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/access/lane_source.h"
#include "emulator/amdgpu/decode/dpp.h"
#include "emulator/amdgpu/decode/register_parts.h"
#include "emulator/amdgpu/definedness/check.h"

#include <cstring>

namespace gpuexec::emulator::amdgpu::definedness {

#define EACH_LANE(l, mask)                                                     \
  for (u64 rest_ = (mask); rest_; rest_ &= rest_ - 1)                          \
    if (unsigned l = unsigned(__builtin_ctzll(rest_)); true)

/// The undefined bits of dst, a temporary row, become change(those of src[0])
/// in all lanes.
template <typename F> static bool each_lane(Context &c, F change) {
  const Operand source = c.inst.src[0];
  const u64 dirty = c.undefined_lanes(source);
  const Origin from = dirty ? c.origin(source) : 0;
  c.define(c.inst.dst, 1, ~dirty);
  EACH_LANE(l, dirty)
  c.write_lane(c.inst.dst, 0, l,
               change(UndefBits{u32(c.word(source, l).undef)}).bits, from);
  return true;
}
/// In the lanes `lanes`, a part of dst gets the undefined bits of src[0].
template <typename Part> static bool written(Context &c, Part part, u64 lanes) {
  const Operand source = c.inst.src[0];
  const unsigned d = Shadow::row_of(c.inst.dst);
  const Origin from = c.origin(source);
  EACH_LANE(l, lanes)
  c.shadow.set_lane(d, l,
                    part.written(UndefBits{c.shadow.row(d)[l]},
                                 UndefBits{u32(c.word(source, l).undef)})
                        .bits,
                    from);
  return true;
}

bool part_read(Context &c) {
  return each_lane(c, [part = Sdwa::unpack(c.inst.imm)](UndefBits undef) {
    return part.read(undef);
  });
}
bool part_written(Context &c) {
  return written(c, SdwaMerge::unpack(c.inst.imm), c.s.exec());
}
bool sign_modified(Context &c) {
  return each_lane(c, [change = SignChange::unpack(c.inst.imm)](
                          UndefBits undef) { return change.applied(undef); });
}
bool upper_half(Context &c) {
  return each_lane(c, [](UndefBits undef) { return undef >> 16; });
}
bool half_inserted(Context &c) {
  const HalfInsertion half = HalfInsertion::unpack(c.inst.imm);
  return written(c, half, half.dpp_lanes ? c.s.dpp_mask : c.s.exec());
}

bool lanes_moved(Context &c) {
  const Dpp dpp = Dpp::unpack(c.inst.imm);
  const u64 readable = dpp.fetches_inactive ? ~u64(0) : c.s.exec();
  const Origin from = c.origin(c.inst.src[0], dpp.registers);
  for (unsigned k = 0; k < dpp.registers; ++k) {
    u32 moved[LANES];
    for (unsigned l = 0; l < LANES; ++l) {
      const int source = dpp.source(int(l));
      moved[l] = source >= 0 && readable >> source & 1
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
  // The conditions are those of translate.cpp: vccz, execz, scc, vccz of a wave
  // of 32 lanes. EXEC is always defined.
  enum : u64 { VCCZ, EXECZ, SCC, VCCZ_OF_32 };
  const u64 condition = c.inst.imm;
  u64 undef = 0;
  Origin from = 0;
  if (condition == VCCZ || condition == VCCZ_OF_32) {
    const unsigned bytes = condition == VCCZ ? 8 : 4;
    undef = maybe_zero(c.scalar(scalar_operand(VCC), bytes));
    from = c.shadow.scalar_origin(scalar_operand(VCC));
  } else if (condition == SCC) {
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
  Bits b = c.word(c.inst.src[0], lane.value & c.s.last_lane);
  if (lane.undef & c.s.last_lane)
    b.undef = ones(32);
  c.shadow.set_scalar(c.inst.dst, 4, b.undef, c.origin(c.inst.src[0]));
  return true;
}
bool lane_written(Context &c) {
  Bits lane = c.scalar(c.inst.src[1], 4);
  if (lane.undef & c.s.last_lane)
    return c.report("the number of a lane depends on it", 0,
                    c.shadow.scalar_origin(c.inst.src[1]));
  c.write_lane(c.inst.dst, 0, lane.value & c.s.last_lane,
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

/// All of the result is undefined if any bit of a source is.
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

/// In the active lanes, dst gets the undefined bits undef(lane). All of them
/// are computed before one is written.
template <typename F> static bool exchanged(Context &c, Operand data, F undef) {
  u32 result[LANES];
  Origin from = c.origin(data);
  u64 exec = c.s.exec();
  EACH_LANE(l, exec) result[l] = undef(l);
  EACH_LANE(l, exec) c.write_lane(c.inst.dst, 0, l, result[l], from);
  return true;
}
/// The bits of a byte address that name a lane (access::lane_at_address).
static u64 lane_bits(const State &s) { return u64(s.last_lane) << 2; }

bool backward_permuted(Context &c) {
  const u64 exec = c.s.exec();
  return exchanged(c, c.inst.src[2], [&](unsigned l) {
    const Bits index = c.word(c.inst.src[0], l);
    if (index.undef & lane_bits(c.s))
      return ~0u;
    const unsigned from =
        access::lane_at_address(u32(index.value), c.inst.imm, c.s.last_lane);
    return exec >> from & 1 ? u32(c.word(c.inst.src[2], from).undef) : 0;
  });
}
bool permuted(Context &c) {
  u32 result[LANES] = {};
  EACH_LANE(l, c.s.exec()) {
    const Bits index = c.word(c.inst.src[0], l);
    if (index.undef & lane_bits(c.s)) { // any lane may get this lane's data
      std::memset(result, 0xff, sizeof(result));
      break;
    }
    result[access::lane_at_address(u32(index.value), c.inst.imm,
                                   c.s.last_lane)] =
        u32(c.word(c.inst.src[2], l).undef);
  }
  return exchanged(c, c.inst.src[2], [&](unsigned l) { return result[l]; });
}
bool swizzled(Context &c) {
  const u64 exec = c.s.exec();
  return exchanged(c, c.inst.src[0], [&](unsigned l) {
    const unsigned from = access::swizzle_source(u32(c.inst.imm), l);
    return exec >> from & 1 ? u32(c.word(c.inst.src[0], from).undef) : 0;
  });
}

bool halves_swapped(Context &c) {
  const auto [up_a, up_b] = access::SwappedHalves::of(c.inst.mods);
  const Operand a = c.inst.dst, b = c.inst.src[0];
  const Origin from_a = c.origin(a), from_b = c.origin(b);
  EACH_LANE(l, c.s.exec()) {
    const u32 x = u32(c.word(a, l).undef) >> up_a & 0xffff,
              y = u32(c.word(b, l).undef) >> up_b & 0xffff;
    // One after the other: they may be halves of one register.
    c.write_lane(a, 0, l,
                 (u32(c.word(a, l).undef) & ~(0xffffu << up_a)) | y << up_a,
                 from_b);
    c.write_lane(b, 0, l,
                 (u32(c.word(b, l).undef) & ~(0xffffu << up_b)) | x << up_b,
                 from_a);
  }
  return true;
}

/// Each lane reads the lane of a row that the low four bits of `select` name.
/// If these are undefined, so is the result.
template <bool OtherRow, typename F>
static bool permuted_by(Context &c, F select) {
  const u64 exec = c.s.exec();
  const auto mods = access::Permlane16::of(c.inst.mods);
  const Origin origin = c.origin(c.inst.src[0]);
  u32 result[LANES];
  u64 write = 0;
  EACH_LANE(l, exec) {
    const Bits selection = select(l);
    const unsigned from =
        access::permlane16_source(l, u32(selection.value), OtherRow);
    const bool valid = mods.fetches_inactive || (exec >> from & 1);
    result[l] = selection.undef & 15 ? ~0u
                : valid              ? u32(c.word(c.inst.src[0], from).undef)
                                     : 0;
    write |= u64(valid || mods.zeroes || (selection.undef & 15)) << l;
  }
  EACH_LANE(l, write) c.write_lane(c.inst.dst, 0, l, result[l], origin);
  return true;
}
template <bool OtherRow> bool permuted_in_rows(Context &c) {
  return permuted_by<OtherRow>(c, [&](unsigned l) {
    const Bits half = c.scalar(c.inst.src[l & 8 ? 2 : 1], 4);
    const unsigned shift = 4 * (l & 7);
    return Bits{half.value >> shift, half.undef >> shift};
  });
}
template <bool OtherRow> bool permuted_in_rows_by_lane(Context &c) {
  return permuted_by<OtherRow>(
      c, [&](unsigned l) { return c.word(c.inst.src[1], l); });
}
template bool permuted_in_rows<false>(Context &);
template bool permuted_in_rows<true>(Context &);
template bool permuted_in_rows_by_lane<false>(Context &);
template bool permuted_in_rows_by_lane<true>(Context &);

bool wave_halves_swapped(Context &c) {
  return exchanged(c, c.inst.src[0], [&](unsigned l) {
    return u32(
        c.word(c.inst.src[0], access::permlane64_source(l, c.s.last_lane))
            .undef);
  });
}

} // namespace gpuexec::emulator::amdgpu::definedness
