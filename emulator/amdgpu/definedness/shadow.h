//===-- emulator/amdgpu/definedness/shadow.h - What is undefined -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For --check=uninit: which bits of a wave's registers, stack and LDS are
// undefined, and where they came from. An operand's offset in State says where
// its shadow is. Lanes that the wave does not have count as defined.
// Registers: bit set = undefined. Memory: bit set = defined, so that fresh
// pages of zeroes are undefined memory.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_SHADOW_H
#define GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_SHADOW_H

#include "emulator/amdgpu/decode/state.h"

#include <memory>
#include <vector>

namespace gpuexec::emulator::amdgpu::definedness {

inline constexpr u8 DEFINED = 0xff; // a byte of memory's shadow

/// Where undefined bits were loaded from: a device address, one of the private
/// or the shared aperture for stack and LDS, 0 when that is not known.
using Origin = u64;

class Shadow {
public:
  /// The wave has `lanes` of its lanes and `private_size` bytes of stack each.
  void start(u64 lanes, u32 private_size, char *lds, u32 lds_size);

  // Rows of lanes. `o` has bit ROW set; `more` rows further on.
  static unsigned row_of(Operand o, unsigned more = 0) {
    unsigned row = unsigned(o & ~ROW) - unsigned(offsetof(State, temp));
    row = row / (LANES * 4) + more;
    return row < ROWS ? row : ROWS - 1;
  }
  const u32 *row(unsigned r) const { return rows[r]; }
  bool touched(unsigned r) const { return maybe_undefined[r]; }
  /// Lanes with undefined bits.
  u64 undefined_lanes(unsigned r) const;
  void set_lane(unsigned r, unsigned lane, u32 undef, Origin from) {
    rows[r][lane] = undef;
    row_range[r] = {};
    if (undef) {
      maybe_undefined[r] = true;
      if (from)
        row_origin[r] = from;
    }
  }
  /// Clears the bits of `mask` in the lanes.
  void define(unsigned r, u64 lanes, u32 mask = ~0u);
  void undefine(unsigned r);
  Origin origin(unsigned r) const { return row_origin[r]; }
  /// What is known of a row's undefined lanes beyond their bits.
  struct Range {
    bool is_count = false; // of v_ffbl_b32: -1 to 31
    u32 at_least = 0;
  };
  Range range(unsigned r) const { return row_range[r]; }
  void set_range(unsigned r, Range range) { row_range[r] = range; }

  // Scalar registers, and the slots for vccz, execz and scc.
  u64 scalar(Operand o, unsigned bytes) const;
  void set_scalar(Operand o, unsigned bytes, u64 undef, Origin from);
  Origin scalar_origin(Operand o) const;

  bool scc = false;
  Origin scc_origin = 0;
  u64 all_lanes = 0;

  // The private segment: a byte for each.
  bool has_stack(unsigned lane, u64 offset, u32 bytes) const {
    return lane < stack_lanes &&
           (offset + bytes + 3) * stack_lanes < stack_size;
  }
  u8 *stack(unsigned lane, u32 offset) {
    return stack_bytes.get() + u64(offset & ~3u) * stack_lanes + lane * 4 +
           (offset & 3);
  }
  /// Undefines what is at `offset` and above in all lanes.
  void drop_stack(u32 offset);
  void stack_written(u32 end) { top = end > top ? end : top; }
  u8 *lds = nullptr;
  u32 lds_size = 0;

  /// A call of the device's allocator that has not returned yet.
  struct Allocation {
    u64 returns_to, lanes;
    u64 sizes[LANES];
  };
  std::vector<Allocation> allocations;

private:
  static constexpr unsigned ROWS = TEMP_ROWS + VECTORS + 8;
  static constexpr unsigned SLOTS = 4;
  int scalar_index(Operand o) const; // in `scalars`, -1: a constant
  alignas(64) u32 rows[ROWS][LANES];
  bool maybe_undefined[ROWS];
  Origin row_origin[ROWS];
  Range row_range[ROWS];
  u32 scalars[SCALARS + 2 * SLOTS + 2];
  Origin scalar_from[SCALARS + 2 * SLOTS + 2];
  std::unique_ptr<u8[], decltype(&free)> stack_bytes{nullptr, &free};
  u64 stack_size = 0;
  u32 stack_lanes = 0, top = 0;
};
static_assert(offsetof(State, v) ==
                  offsetof(State, temp) + TEMP_ROWS * LANES * 4,
              "row_of() counts through both");

} // namespace gpuexec::emulator::amdgpu::definedness

#endif // GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_SHADOW_H
