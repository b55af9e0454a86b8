//===-- emulator/amdgpu/interpret/routines.h - What compiled waves call --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of a wave that compiled code works for: an operation is a function
// that returns, instead of going on with the next instruction as a handler
// does. It gets its operands' addresses, and there is one for each kind of
// operands. Operations that take long, or are rare, have none: the way to the
// interpreter and back takes less than they do.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_INTERPRET_ROUTINES_H
#define GPUEXEC_EMULATOR_AMDGPU_INTERPRET_ROUTINES_H

#include "emulator/amdgpu/decode/inst.h"

#include <cstddef>

namespace gpuexec::emulator::amdgpu {

/// `d`: the row of the result; `a`, `b`, `c`: sources, rows or scalars. Of
/// memory, `d` is the row of data, `a` that of addresses, `b` the scalar base.
/// The float mode is the default one. Returns the state's address; with bit 0
/// set if nothing was done, and the interpreter's handler has to do it (memory
/// alone).
using Routine = uintptr_t (*)(State &, const Inst *, u32 *d, const u32 *a,
                              const u32 *b, const u32 *c);

struct RoutineKey {
  u16 operation = 0;     // OperationId
  u8 scalars = 0;        // bit k: source k is one; of memory: with a base
  bool modified = false; // floats, with signs changed
  bool masked = false;   // for any EXEC; else for 64 active lanes
  auto operator<=>(const RoutineKey &) const = default;
};
struct RoutineRow {
  RoutineKey key;
  Routine routine; // null: there is none
};
/// In any order.
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
