//===-- emulator/amdgpu/interpret/level.h - Handlers for a processor ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that execute decoded instructions. They are compiled once per
// x86-64 level; the best level for this machine is chosen at start-up.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_INTERPRET_LEVEL_H
#define GPUEXEC_EMULATOR_AMDGPU_INTERPRET_LEVEL_H

#include "emulator/amdgpu/decode/inst.h"
#include "emulator/amdgpu/interpret/routines.h"

namespace gpuexec::emulator::amdgpu {

/// The handlers of one row of the instruction table.
struct OperationHandlers {
  Handler fn[SHAPES] = {};         // Variant::plain
  Handler saturating[SHAPES] = {}; // null when there is none
  Handler writes_exec = nullptr;
};

struct Level {
  const char *name;
  const OperationHandlers *operations; // by OperationId
  Handler micro_ops[unsigned(MicroOpKind::COUNT)];
  void (*enter)(State &, const Inst *);
  RoutineTable (*routines)();
};

/// The best level that this processor can run.
const Level &best_level();
const Level &level_v2();
const Level &level_v3();
const Level &level_v4();

/// Fills in the handlers of a decoded micro-op.
void assign_handlers(Inst &inst, const Level &level);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_INTERPRET_LEVEL_H
