//===-- emulator/amdgpu/decode/whole_registers.h - Saving all lanes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that keeps spilled scalars in lanes of a register saves all lanes
// of it: it turns all lanes on, stores, and turns off again those that were
// off. In a wave that works with one lane this is a copy of some rows, and EXEC
// is the same behind it as before.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_WHOLE_REGISTERS_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_WHOLE_REGISTERS_H

#include "emulator/amdgpu/decode/inst.h"

namespace gpuexec::emulator::amdgpu {

/// The number of micro-ops of such a sequence if one begins with `i`, else 0.
/// The sequence is: s_or_saveexec_b64 X, -1; loads or stores of whole registers
/// at a scalar base and an offset in the private segment, or in a buffer that
/// may be the private segment; s_mov_b64 exec, X. In a wave of 32 lanes it has
/// s_or_saveexec_b32 and s_mov_b32.
unsigned whole_registers_at(const Inst *i);

/// True for the loads and stores of a sequence; waits are in it too.
bool moves_whole_register(const Inst &inst);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_WHOLE_REGISTERS_H
