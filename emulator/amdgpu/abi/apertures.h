//===-- emulator/amdgpu/abi/apertures.h - Flat addresses --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_ABI_APERTURES_H
#define GPUEXEC_EMULATOR_AMDGPU_ABI_APERTURES_H

#include <cstdint>

namespace gpuexec::emulator::amdgpu {

/// Flat addresses of LDS and of the private segment begin here, above every
/// host address. The aperture registers (src_shared_base, src_private_base) and
/// amd_queue_t hold the upper 32 bits.
inline constexpr uint64_t SHARED_APERTURE = uint64_t(0x00010000) << 32;
inline constexpr uint64_t PRIVATE_APERTURE = uint64_t(0x00020000) << 32;
inline constexpr uint64_t APERTURE_SIZE = uint64_t(1) << 32;

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_ABI_APERTURES_H
