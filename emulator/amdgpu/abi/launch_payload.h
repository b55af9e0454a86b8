//===-- emulator/amdgpu/abi/launch_payload.h - What a kernel is told -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine hands a payload on without reading it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_ABI_LAUNCH_PAYLOAD_H
#define GPUEXEC_EMULATOR_AMDGPU_ABI_LAUNCH_PAYLOAD_H

#include "emulator/machine/wave.h"

namespace gpuexec::emulator::amdgpu {

/// Addresses of the C library's functions that --check=uninit treats specially
/// (gpu/start_up.h has their names). They are looked up when the image is
/// loaded. 0: the image has no such function.
struct KnownFunctions {
  uint64_t allocate = 0; ///< (alignment, size): returns undefined memory
  /// (x, address, size): the host will read all bytes of that memory.
  uint64_t send[3] = {0, 0, 0};
};

/// Addresses that a kernel may ask for in its user SGPRs: Dispatch::payload
/// points to one, or is null. LLVM's "User Guide for AMDGPU Backend", section
/// "Initial Kernel Execution State".
struct LaunchPayload {
  uint64_t kernarg = 0;     ///< kernel arguments
  uint64_t packet = 0;      ///< dispatch packet that the device may read
  uint64_t queue = 0;       ///< amd_queue_t
  uint64_t dispatch_id = 0; ///< the packet's number in its queue
  KnownFunctions known;     ///< of the kernel's image, with --check=uninit
};
inline constexpr LaunchPayload NO_PAYLOAD;

inline const LaunchPayload &payload_of(const Dispatch &dispatch) {
  return dispatch.payload
             ? *static_cast<const LaunchPayload *>(dispatch.payload)
             : NO_PAYLOAD;
}

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_ABI_LAUNCH_PAYLOAD_H
