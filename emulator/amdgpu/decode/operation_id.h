//===-- emulator/amdgpu/decode/operation_id.h - Instructions by number ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An enumerator for each row of the table of instructions, named as the
// instruction. The rows are those of ops/*.def, in this order.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_OPERATION_ID_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_OPERATION_ID_H

#include <cstdint>

namespace gpuexec::emulator::amdgpu {

// clang-format off
enum class OperationId : uint16_t {
  none,
#define VALU(name) name,
#define VPK(name, half) name,
#define VPK32(name, half) name,
#define VMIX(name) name,
#include "emulator/amdgpu/ops/valu.def"
#define SALU(name) name,
#define SALU_SAVEEXEC(name, logic) name,
#define SALU_WREXEC(name, logic) name,
#include "emulator/amdgpu/ops/salu.def"
#define LOAD(space, name, bytes, is_signed, half) name,
#define STORE(space, name, bytes, half) name,
#define LOAD_TWO(name, bytes, unit) name,
#define STORE_TWO(name, bytes, unit) name,
#define ATOMIC(space, name, operation, type) name,
#define SCALAR_LOAD(space, name, words) name,
#define SCALAR_LOAD_PART(space, name, type) name,
#define LANE_PERMUTE(name, handler) name,
#include "emulator/amdgpu/ops/memory.def"
#define SPECIAL(name, class, handler, uses, stencil, jit, shadow) name,
#define JUMP(name, terminator, handler, uses, stencil, shadow) name,
#define BRANCH_IF(name, condition, shadow) name,
#define PACKED_PAIRS(name, handler, shadow) name,
#define NOTHING(name, class, order) name,
#define FENCE(name, order) name,
#include "emulator/amdgpu/ops/special.def"
  COUNT
};
// clang-format on
inline constexpr unsigned OPERATIONS = unsigned(OperationId::COUNT);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_OPERATION_ID_H
