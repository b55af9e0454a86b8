//===-- gpu/emulated_processors.h - The GPUs that are emulated --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_GPU_EMULATED_PROCESSORS_H
#define GPUEXEC_GPU_EMULATED_PROCESSORS_H

namespace gpuexec::gpu {

/// The AMD processors that the emulator emulates, separated by commas, in the
/// order in which it numbers their devices.
inline constexpr char EMULATED_PROCESSORS[] =
    "gfx942,gfx90a,gfx1100,gfx1201,gfx1030,gfx1010";

} // namespace gpuexec::gpu

#endif
