//===-- emulator/cuda/driver/limits.h - Limits of the device ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_LIMITS_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_LIMITS_H

namespace gpuexec::cuda {

/// CUDA 12.4's number, as cuDriverGetVersion() gives it.
inline constexpr int DRIVER_VERSION = 12040;
/// Bytes of shared memory that a block may have: without asking, and when the
/// program asks by CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES. The second
/// is what a block of the AMD GPU below has.
inline constexpr unsigned SHARED_OF_BLOCK = 48 << 10;
inline constexpr unsigned LARGEST_SHARED_OF_BLOCK = 64 << 10;
inline constexpr unsigned LARGEST_BLOCK = 1024; // threads
inline constexpr unsigned LARGEST_BLOCK_Z = 64, LARGEST_GRID_YZ = 65535;

} // namespace gpuexec::cuda

#endif
