//===-- emulator/amdgpu/decode/dpp.h - Lanes that read others ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data-parallel primitives: which lane a lane's first operand comes from. AMD's
// ISA guides, "DPP".
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_DPP_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_DPP_H

#include "emulator/amdgpu/ops/types.h"

namespace gpuexec::emulator::amdgpu {

/// Inst::imm of the micro-op dpp.
struct Dpp {
  static constexpr unsigned ALL_ROWS = 15, ALL_BANKS = 15;

  unsigned control = 0;                        // dpp_ctrl; not of DPP8
  unsigned rows = ALL_ROWS, banks = ALL_BANKS; // masks: those that may write
  bool bound_control = true; // lanes without a source write, and read zero
  bool fetches_inactive = false;
  bool is_dpp8 = false;
  ops::u32 lanes = 0; // DPP8: three bits for each of eight lanes
  unsigned registers = 1;

  [[gnu::always_inline]] constexpr ops::u64 pack() const {
    return control | rows << 9 | banks << 13 | unsigned(bound_control) << 17 |
           registers << 18 | unsigned(fetches_inactive) << 20 |
           unsigned(is_dpp8) << 21 | ops::u64(lanes) << 32;
  }
  [[gnu::always_inline]] static constexpr Dpp unpack(ops::u64 imm) {
    Dpp dpp;
    dpp.control = imm & 0x1ff;
    dpp.rows = imm >> 9 & 15;
    dpp.banks = imm >> 13 & 15;
    dpp.bound_control = imm >> 17 & 1;
    dpp.registers = imm >> 18 & 3;
    dpp.fetches_inactive = imm >> 20 & 1;
    dpp.is_dpp8 = imm >> 21 & 1;
    dpp.lanes = ops::u32(imm >> 32);
    return dpp;
  }
  /// True if all active lanes write.
  [[gnu::always_inline]] constexpr bool writes_every_lane() const {
    return rows == ALL_ROWS && banks == ALL_BANKS && bound_control;
  }
  /// The lane, active or not, that `lane` reads; -1: none.
  [[gnu::always_inline]] constexpr int source(int lane) const {
    return is_dpp8 ? (lane & ~7) | int(lanes >> (3 * (lane & 7)) & 7)
                   : controlled_source(lane);
  }
  /// True if `lane` may write. `reads`: it has a source lane from which it may
  /// read (fetches_inactive).
  [[gnu::always_inline]] constexpr bool writes(unsigned lane,
                                               bool reads) const {
    return (rows >> (lane / 16) & 1) && (banks >> (lane % 16 / 4) & 1) &&
           (reads || bound_control);
  }

private:
  [[gnu::always_inline]] constexpr int controlled_source(int lane) const {
    const int in_row = lane & 15, row_base = lane & ~15;
    if (control <= 0xff) // quad_perm
      return (lane & ~3) + int(control >> (2 * (lane & 3)) & 3);
    const int n = int(control & 15);
    switch (control & 0x1f0) {
    case 0x100: // row_shl
      return in_row + n < 16 ? lane + n : -1;
    case 0x110: // row_shr
      return in_row >= n ? lane - n : -1;
    case 0x120: // row_ror
      return row_base + ((in_row - n) & 15);
    case 0x130: // wave shifts and rotations by one
      switch (n) {
      case 0:
        return lane < 63 ? lane + 1 : -1;
      case 4:
        return (lane + 1) & 63;
      case 8:
        return lane - 1;
      default:
        return (lane - 1) & 63;
      }
    case 0x140:
      switch (n) {
      case 0: // row_mirror
        return row_base + 15 - in_row;
      case 1: // row_half_mirror
        return (lane & ~7) + 7 - (lane & 7);
      case 2: // row_bcast:15
        return row_base - 1;
      default: // row_bcast:31
        return lane < 32 ? -1 : 31;
      }
    case 0x160: // row_xmask, from RDNA1 on
      return row_base + (in_row ^ n);
    default: // row_newbcast; row_share from RDNA1 on
      return row_base + n;
    }
  }
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_DPP_H
