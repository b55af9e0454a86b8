//===-- emulator/amdgpu/baseline/choice.h - A stencil for a micro-op ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_BASELINE_CHOICE_H
#define GPUEXEC_EMULATOR_AMDGPU_BASELINE_CHOICE_H

#include "emulator/amdgpu/baseline/stencil.h"
#include "emulator/amdgpu/interpret/routines.h"

namespace gpuexec::emulator::amdgpu::baseline {

/// The stencil that does what `inst` does, or null. `on`: whether the lane is.
const Stencil *choose_stencil(const Inst &inst, bool on);

/// The stencil that does what `inst` does in a wave of many lanes, or null. One
/// that calls a routine calls choose_routine()'s, which reads literals from
/// SLOT_LITERAL.
const Stencil *choose_wave_stencil(const Inst &inst);
/// The routine for `inst`, or null. `masked`: it works on the lanes that EXEC
/// says; otherwise on all.
Routine choose_routine(const Inst &inst, bool masked);
/// Special::put_literal has to come before it.
bool reads_literal_slot(const Inst &inst);

/// `special` is not none, and has a stencil for these lanes.
const Stencil &special_stencil(Special special, Lanes lanes = Lanes::first);

/// Whether `inst` does nothing while the lane is off.
bool is_nothing_without_lane(const Inst &inst);
/// Whether its stencil jumps to Inst::target.
bool takes_direct_target(const Inst &inst);
bool is_call(const Inst &inst);        // s_call_b64
bool is_conditional(const Inst &inst); // branch
/// Ends with jumps by the new EXEC.
bool writes_exec(const Inst &inst);
/// Writes the address of the next instruction: a call, s_getpc.
bool saves_address_behind(const Inst &inst);

/// Of a micro-op that counts: the number of its basic block, or 0.
u32 numbered_block(const Inst &inst);

/// How a source's bits are changed: (x & keep) ^ flip.
struct Signs64 {
  u64 keep = ~u64(0), flip = 0;
};
Signs64 signs_of_source(const Inst &inst, unsigned k);

} // namespace gpuexec::emulator::amdgpu::baseline

#endif // GPUEXEC_EMULATOR_AMDGPU_BASELINE_CHOICE_H
