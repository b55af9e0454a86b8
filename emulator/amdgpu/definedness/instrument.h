//===-- emulator/amdgpu/definedness/instrument.h - Adding the check -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code::decode calls this for code that runs under --check=uninit.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_INSTRUMENT_H
#define GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_INSTRUMENT_H

#include "emulator/amdgpu/decode/uses.h"

#include <deque>
#include <vector>

namespace gpuexec::emulator::amdgpu::definedness {

struct Plan;

/// Puts a micro-op `check` before each micro-op of a block's instructions.
class Instrumentation {
public:
  /// `plans` outlives the micro-ops.
  explicit Instrumentation(std::deque<Plan> &plans) : plans(plans) {}
  /// Does so for one instruction: the micro-ops from `begin` on.
  void add(std::vector<MicroOp> &ops, size_t begin);

private:
  std::deque<Plan> &plans;
};

} // namespace gpuexec::emulator::amdgpu::definedness

#endif // GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_INSTRUMENT_H
