//===-- emulator/amdgpu/interpret/level.cpp - Choosing the handlers -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUEXEC_EMULATOR_LEVEL=v2|v3|v4 chooses a lower level than the processor's
// best, for tests. Instead of a level that was not compiled, or that the
// processor lacks, the best one below it is used.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/interpret/level.h"
#include "emulator/machine/environment.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu {

static const Level &choose() {
  llvm::StringRef wanted =
      choice_from_environment("GPUEXEC_EMULATOR_LEVEL", {"v2", "v3", "v4"});
  int most = wanted.empty() ? 4 : wanted[1] - '0';
  const Level *level = nullptr; // the lowest one that was compiled, at least
#ifdef HAVE_LEVEL_V4
  if (!level || (most >= 4 && __builtin_cpu_supports("x86-64-v4")))
    level = &level_v4();
#endif
#ifdef HAVE_LEVEL_V3
  if (!level || most < 4 || !__builtin_cpu_supports("x86-64-v4"))
    level = &level_v3();
#endif
#ifdef HAVE_LEVEL_V2
  if (!level || most < 3 || !__builtin_cpu_supports("x86-64-v3"))
    level = &level_v2();
#endif
  return *level;
}

const Level &best_level() {
  static const Level &level = choose();
  return level;
}

void assign_handlers(Inst &inst, const Level &level) {
  if (inst.kind == MicroOpKind::check)
    return; // definedness/instrument.cpp has set its handlers
  if (inst.kind != MicroOpKind::operation) {
    std::fill_n(inst.fn, unsigned(SHAPES),
                level.micro_ops[unsigned(inst.kind)]);
    return;
  }
  const OperationHandlers &handlers =
      level.operations[unsigned(inst.operation)];
  if (inst.variant == Variant::writes_exec)
    std::fill_n(inst.fn, unsigned(SHAPES), handlers.writes_exec);
  else
    std::copy_n(inst.variant == Variant::saturating ? handlers.saturating
                                                    : handlers.fn,
                unsigned(SHAPES), inst.fn);
}

} // namespace gpuexec::emulator::amdgpu
