//===-- emulator/amdgpu/code_cache/inst_reference.h - Names of Insts ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Micro-ops are found again in another process by where their instruction is.
// Which blocks an instruction belongs to depends on the order in which code was
// reached, so one that is missing from its block is looked for where that block
// goes on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_INST_REFERENCE_H
#define GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_INST_REFERENCE_H

#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/code_cache/kept_region.h"

namespace gpuexec::emulator::amdgpu::code_cache {

/// The name of a micro-op of `code`.
InstReference refer_to(Code &code, const Inst *inst);

/// The micro-op of that name; null when there is none that does the same.
/// Decodes what was not decoded yet (Code::look_at).
const Inst *find(Code &code, const InstReference &reference);

} // namespace gpuexec::emulator::amdgpu::code_cache

#endif // GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_INST_REFERENCE_H
