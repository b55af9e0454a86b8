//===-- emulator/amdgpu/decode/block_end.h - Where blocks end ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_BLOCK_END_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_BLOCK_END_H

#include "emulator/amdgpu/decode/operation.h"

namespace gpuexec::emulator::amdgpu {

/// True if control never goes from the micro-op to the next one.
inline bool ends_block(const Inst &inst) {
  switch (inst.kind) {
  case MicroOpKind::operation:
    return ends_block(operation(inst).terminator);
  case MicroOpKind::link:
  case MicroOpKind::unsupported:
  case MicroOpKind::illegal:
  case MicroOpKind::leave_code:
    return true;
  default:
    return false;
  }
}

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_BLOCK_END_H
