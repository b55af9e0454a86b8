//===-- emulator/amdgpu/definedness/instrument.h - Adding the check -*- C++
//-*-===//
// What the decoder calls for code that runs under --check=uninit.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_INSTRUMENT_H
#define GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_INSTRUMENT_H

#include "emulator/amdgpu/decode.h"
#include "emulator/amdgpu/uses.h"

#include <deque>

namespace gpuexec::emulator::amdgpu::definedness {

struct Plan;

/// Puts the check's steps before those of a block's instructions, one
/// instruction after the other.
class Instrumentation {
public:
  /// `plans` outlives the steps.
  explicit Instrumentation(std::deque<Plan> &plans) : plans(plans) {}
  /// The steps from `begin` on are those of one instruction.
  void add(std::vector<Step> &steps, size_t begin, const OpcodeInfo &info);

private:
  bool plan(const Inst &step, const OpcodeInfo &info, Plan &made);
  std::deque<Plan> &plans;
};

} // namespace gpuexec::emulator::amdgpu::definedness

#endif // GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_INSTRUMENT_H
