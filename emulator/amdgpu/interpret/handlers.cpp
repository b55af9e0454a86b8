//===-- emulator/amdgpu/interpret/handlers.cpp - All handlers of a level --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once per x86-64 level, with LEVEL set to the level's name and the
// -march of that level. Everything here but the function that returns the table
// has internal linkage, so that the linker can never mix code of two levels.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/access/atomics.h"
#include "emulator/amdgpu/access/buffer.h"
#include "emulator/amdgpu/access/lane_address.h"
#include "emulator/amdgpu/access/lane_data.h"
#include "emulator/amdgpu/access/lane_source.h"
#include "emulator/amdgpu/decode/dpp.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/register_parts.h"
#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/interpret/cold_paths.h"
#include "emulator/amdgpu/interpret/level.h"
#include "emulator/amdgpu/interpret/matrix.h"
#include "emulator/amdgpu/ops/salu.h"
#include "emulator/amdgpu/ops/valu.h"

#include <immintrin.h>
#include <tuple>
#include <type_traits>
#include <utility>

// In this order: each builds on those before it.
// clang-format off
#include "emulator/amdgpu/interpret/operands.h"
#include "emulator/amdgpu/interpret/lanes.h"
#include "emulator/amdgpu/interpret/scalar.h"
#include "emulator/amdgpu/interpret/packed.h"
#include "emulator/amdgpu/interpret/memory_access.h"
#include "emulator/amdgpu/interpret/memory_rows.h"
#include "emulator/amdgpu/interpret/gather.h"
#include "emulator/amdgpu/interpret/ordered.h"
#include "emulator/amdgpu/interpret/loads_stores.h"
#include "emulator/amdgpu/interpret/atomics.h"
#include "emulator/amdgpu/interpret/buffers.h"
#include "emulator/amdgpu/interpret/control.h"
#include "emulator/amdgpu/interpret/cross_lane.h"
#include "emulator/amdgpu/interpret/micro_ops.h"
// clang-format on

namespace gpuexec::emulator::amdgpu::LEVEL {

// clang-format off
static constexpr OperationHandlers HANDLERS[] = {
  {},
#define VALU(name) lane_handlers<ops::name, false>(),
#define VALU_SAT(name) with_saturating(lane_handlers<ops::name, false>(), lane_handlers<ops::name##_sat, false>()),
#define VALU_KEEP_HIGH(name) lane_handlers<ops::name, true>(),
#define VALU_KEEP_HIGH_SAT(name) with_saturating(lane_handlers<ops::name, true>(), lane_handlers<ops::name##_sat, true>()),
#define VPK(name, half) packed_handlers<ops::half>(),
#define VPK_SAT(name, half) with_saturating(packed_handlers<ops::half>(), packed_handlers<ops::half##_sat>()),
#define VPK32(name, half) packed_handlers<ops::half>(),
#define VMIX(name) mix_handlers<ops::name, false>(),
#define VMIX_HIGH(name) mix_handlers<ops::name, true>(),
#include "emulator/amdgpu/ops/valu.def"
#define SALU(name) scalar_handlers<ops::name>(),
#define SALU_SAVEEXEC(name, logic) every_shape(exec_logic<ops::logic, true>),
#define SALU_WREXEC(name, logic) every_shape(exec_logic<ops::logic, false>),
#include "emulator/amdgpu/ops/salu.def"
#define LOAD(space, name, bytes, is_signed, half) \
  memory_handlers<TransferIn<Space::space, LaneData<bytes, is_signed, Half::half>, false>>(),
#define STORE(space, name, bytes, half) \
  memory_handlers<TransferIn<Space::space, LaneData<bytes, false, Half::half>, true>>(),
#define LOAD_TWO(name, bytes, unit) memory_handlers<Two<LaneData<bytes>, false>>(),
#define STORE_TWO(name, bytes, unit) memory_handlers<Two<LaneData<bytes>, true>>(),
#define ATOMIC(space, name, operation, type) \
  memory_handlers<AtomicIn<Space::space, AtomicUpdate<AtomicOperation::operation, type, Space::space == Space::lds>>>(),
#define SCALAR_LOAD(space, name, words) every_shape(scalar_load<words, Space::space>),
#define SCALAR_LOAD_PART(space, name, type) \
  every_shape(scalar_load_part<type, Space::space>),
#define LANE_PERMUTE(name, handler) every_shape(handler, skip),
#include "emulator/amdgpu/ops/memory.def"
#define SPECIAL(name, class, handler, uses, stencil, jit, shadow) every_shape(handler),
#define MASKED(name, class, handler, uses, stencil, jit, shadow) every_shape(handler, skip),
#define JUMP(name, terminator, handler, uses, stencil, shadow) every_shape(handler),
#define BRANCH_IF(name, condition, shadow) every_shape(conditional<Condition::condition>),
#define PACKED_PAIRS(name, handler, shadow) every_shape(handler),
#define NOTHING(name, class, order) {},
#define FENCE(name, order) {},
#include "emulator/amdgpu/ops/special.def"
};
// clang-format on
static_assert(sizeof(HANDLERS) / sizeof(HANDLERS[0]) == OPERATIONS);

static void enter(State &s, const Inst *i) {
  i->fn[s.shape](s, i);
#if defined(__AVX__)
  // Without this, SSE instructions of the caller would be slow.
  _mm256_zeroupper();
#endif
}

} // namespace gpuexec::emulator::amdgpu::LEVEL

namespace gpuexec::emulator::amdgpu {
#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define STRING2(a) #a
#define STRING(a) STRING2(a)
const Level &PASTE(level_, LEVEL)() {
#define HANDLER(name) LEVEL::name,
  static constexpr Level level = {
      STRING(LEVEL),
      LEVEL::HANDLERS,
      {nullptr, nullptr, GPUEXEC_MICRO_OPS(HANDLER)}, // operation, check
      LEVEL::enter,
      PASTE(routines_, LEVEL),
  };
  return level;
}
} // namespace gpuexec::emulator::amdgpu
