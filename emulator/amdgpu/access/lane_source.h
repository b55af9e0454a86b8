//===-- emulator/amdgpu/access/lane_source.h - Lanes read others -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lane from which a lane's result comes, for instructions that move data
// between lanes. The interpreter and --check=uninit use it. decode/dpp.h has
// the rules of DPP.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_SOURCE_H
#define GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_SOURCE_H

#include "emulator/amdgpu/decode/inst.h"

namespace gpuexec::emulator::amdgpu::access {

/// v_permlane16: the low four bits of `selection` name a lane in the lane's own
/// row of sixteen. v_permlanex16 (other_row): a lane in the other row of the
/// pair of rows.
[[gnu::always_inline]] constexpr unsigned
permlane16_source(unsigned lane, u32 selection, bool other_row) {
  return ((lane & ~15u) ^ (other_row ? 16 : 0)) | (selection & 15);
}

/// The modifiers of v_permlane16 and v_permlanex16 (op_sel).
struct Permlane16 {
  bool fetches_inactive; // lanes also read inactive lanes
  bool zeroes;           // a lane without a source gets 0, not its old value
  [[gnu::always_inline]] static constexpr Permlane16 of(u32 mods) {
    return {bool(mods & mod_opsel(0)), bool(mods & mod_opsel(1))};
  }
};

/// v_permlane64: the lane in the other half of the wave. In a wave of 32 lanes
/// each lane reads itself.
[[gnu::always_inline]] constexpr unsigned permlane64_source(unsigned lane,
                                                            u32 last_lane) {
  return (lane + 32) & last_lane;
}

/// v_swap_b16: the first bit of each of the two halves that change places, one
/// in dst and one in src[0].
struct SwappedHalves {
  unsigned dst, src;
  [[gnu::always_inline]] static constexpr SwappedHalves of(u32 mods) {
    return {mods & MOD_DST_HIGH ? 16u : 0, mods & mod_opsel(0) ? 16u : 0};
  }
};

/// ds_permute, ds_bpermute: the lane that a byte address names: its number
/// times 4.
[[gnu::always_inline]] constexpr unsigned
lane_at_address(u32 address, u64 offset, u32 last_lane) {
  return (address + u32(offset)) >> 2 & last_lane;
}

/// ds_swizzle: `pattern` is the instruction's offset.
[[gnu::always_inline]] constexpr unsigned swizzle_source(u32 pattern,
                                                         unsigned lane) {
  return pattern & 0x8000
             ? (lane & ~3u) + (pattern >> (2 * (lane & 3)) & 3)
             : (lane & ~31u) +
                   ((((lane & 31) & pattern) | (pattern >> 5 & 31)) ^
                    (pattern >> 10 & 31));
}

} // namespace gpuexec::emulator::amdgpu::access

#endif // GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_SOURCE_H
