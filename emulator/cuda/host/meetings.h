//===-- emulator/cuda/host/meetings.h - Lanes that meet --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_HOST_MEETINGS_H
#define GPUEXEC_EMULATOR_CUDA_HOST_MEETINGS_H

#include "emulator/ptx/host/abi.h"

namespace gpuexec::cuda::host {

/// Does what a warp's meeting does for `active` lanes: writes their results.
void meet(const ptx::host::Meeting &meeting, uint8_t *slots, uint32_t active);

/// The lanes that a lane expects at a warp's meeting.
uint32_t members(const ptx::host::Meeting &meeting, const uint8_t *slots,
                 uint32_t lane);

} // namespace gpuexec::cuda::host

#endif
