//===-- emulator/amdgpu/interpret/matrix.h - Matrix instructions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once; the handlers of all levels call it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_INTERPRET_MATRIX_H
#define GPUEXEC_EMULATOR_AMDGPU_INTERPRET_MATRIX_H

#include "emulator/amdgpu/decode/state.h"

namespace gpuexec::emulator::amdgpu {

/// Executes v_mfma_* and v_smfmac_*. src[0], src[1]: the first rows of A and B;
/// src[2]: the first row of C, or a value for all of C; dst: the first row of
/// D. Sparse ones: src[2] has the indices, and dst is C as well as D. imm: see
/// MATRIX_FLUSHES (decode/inst.h).
void multiply_matrices(State &s, const Inst *i);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_INTERPRET_MATRIX_H
