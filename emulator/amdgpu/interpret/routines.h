//===-- emulator/amdgpu/interpret/routines.h - What compiled waves call --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines are what compiled code of waves with many lanes calls for an
// operation. A routine returns to its caller; a handler goes on with the next
// instruction. A routine gets the addresses of its operands, and there is one
// for each kind of operands (row or scalar). Operations that take long, or are
// rare, have no routine: compiled code leaves them to the interpreter.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_INTERPRET_ROUTINES_H
#define GPUEXEC_EMULATOR_AMDGPU_INTERPRET_ROUTINES_H

#include "emulator/amdgpu/decode/inst.h"

#include <cstddef>

namespace gpuexec::emulator::amdgpu {

/// `d`: the row of the result; `a`, `b`, `c`: sources, rows or scalars. For a
/// load or store, `d` is the row of data, `a` that of addresses, `b` the scalar
/// base. Only for the default float mode. Returns the State's address. A load
/// or store may set bit 0 of it: then it has done nothing, and the caller must
/// call the interpreter's handler.
using Routine = uintptr_t (*)(State &, const Inst *, u32 *d, const u32 *a,
                              const u32 *b, const u32 *c);

struct RoutineKey {
  u16 operation = 0;     // OperationId
  u8 scalars = 0;        // bit k: source k is a scalar; loads: 1 with a base
  bool modified = false; // float sources have sign modifiers (Inst::mods)
  bool masked = false;   // for any EXEC; else only for 64 active lanes
  auto operator<=>(const RoutineKey &) const = default;
};
struct RoutineRow {
  RoutineKey key;
  Routine routine; // null: there is none
};
/// The routines of a level, in any order.
struct RoutineTable {
  const RoutineRow *rows;
  size_t count;
};

RoutineTable routines_v2();
RoutineTable routines_v3();
RoutineTable routines_v4();

/// The routine of the best level that this processor can run, or null.
Routine find_routine(const RoutineKey &key);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_INTERPRET_ROUTINES_H
