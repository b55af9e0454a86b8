//===-- emulator/amdgpu/definedness/shadow.h - What is undefined -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For --check=uninit: which bits of a wave's registers, stack and LDS are
// undefined, and from where they were loaded. An operand's offset in State
// leads to its shadow. Lanes that the wave does not have count as defined. In
// the shadow of registers, a bit that is set is undefined. In the shadow of
// memory, a bit that is set is defined: fresh pages of zeros are a shadow of
// undefined memory.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_SHADOW_H
#define GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_SHADOW_H

#include "emulator/amdgpu/decode/state.h"

#include <memory>
#include <vector>

namespace gpuexec::emulator::amdgpu::definedness {

inline constexpr u8 DEFINED = 0xff; // shadow of a byte of memory

/// The flat address from which undefined bits were loaded (for stack and LDS,
/// one in the private or shared aperture); 0 if that is not known.
using Origin = u64;

class Shadow {
public:
  /// Defines all registers and undefines the stack, for a new wave. `lanes`:
  /// the lanes that the wave has; `private_size`: bytes of stack of each. `lds`
  /// is the shadow of the block's LDS, which belongs to the block.
  void start(u64 lanes, u32 private_size, char *lds, u32 lds_size);

  // The shadows of vector registers and temporary rows have numbers. This is
  // the number for the operand `o`, which has bit ROW set, or for the row
  // `more` rows behind it.
  static unsigned row_of(Operand o, unsigned more = 0) {
    unsigned row = unsigned(o & ~ROW) - unsigned(offsetof(State, temp));
    row = row / (LANES * 4) + more;
    return row < ROWS ? row : ROWS - 1;
  }
  const u32 *row(unsigned r) const { return rows[r]; }
  /// False if row r has no undefined bits; true if it may have.
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
  /// Defines the bits of `mask` in `lanes`.
  void define(unsigned r, u64 lanes, u32 mask = ~0u);
  /// Undefines all of a row.
  void undefine(unsigned r);
  Origin origin(unsigned r) const { return row_origin[r]; }
  /// What else is known of the values in those lanes of a row that have
  /// undefined bits; nothing of the other lanes.
  struct Range {
    bool is_count = false; // a result of v_ffbl_b32: -1 to 31
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

  // The private segment: stack() is the shadow of a byte of a lane's stack.
  bool has_stack(unsigned lane, u64 offset, u32 bytes) const {
    return lane < stack_lanes &&
           (offset + bytes + 3) * stack_lanes < stack_size;
  }
  u8 *stack(unsigned lane, u32 offset) {
    return stack_bytes.get() + u64(offset & ~3u) * stack_lanes + lane * 4 +
           (offset & 3);
  }
  /// Undefines the stacks of all lanes from `offset` on.
  void drop_stack(u32 offset);
  /// Notes that the stack was written up to `end`. drop_stack() undefines the
  /// stack up to the highest such end.
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
