//===-- emulator/amdgpu/launch.h - What a launch tells a kernel -*- C++ -*-===//
// The machine hands these on unread: they are AMD's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_LAUNCH_H
#define GPUEXEC_EMULATOR_AMDGPU_LAUNCH_H

#include <cstdint>

namespace gpuexec::emulator::amdgpu {

/// Addresses that a kernel may ask for in its user SGPRs: Dispatch::payload
/// points to one, or is null. LLVM's "User Guide for AMDGPU Backend", section
/// "Initial Kernel Execution State".
struct LaunchPayload {
  uint64_t kernarg = 0;     ///< kernel arguments
  uint64_t packet = 0;      ///< dispatch packet that the device may read
  uint64_t queue = 0;       ///< amd_queue_t
  uint64_t dispatch_id = 0; ///< the packet's number in its queue
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_LAUNCH_H
