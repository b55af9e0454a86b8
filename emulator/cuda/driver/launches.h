//===-- emulator/cuda/driver/launches.h - Launches as work ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_LAUNCHES_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_LAUNCHES_H

#include "emulator/cuda/driver/context.h"
#include "emulator/cuda/driver/graph.h"

namespace gpuexec::cuda {

/// What a program says of a launch. The arguments are in one of the two forms
/// of cuLaunchKernel().
struct LaunchRequest {
  CUfunction function = nullptr;
  std::array<uint32_t, 3> blocks{}, threads{};
  unsigned shared = 0;
  void **parameters = nullptr, **extra = nullptr;
  bool is_cooperative = false;
};

/// Checks the launch and makes its work, which may be done often. `call`,
/// unless null, gets the launch as a node of a graph describes it.
CUresult prepare(Context &context, const LaunchRequest &request,
                 Stream::Work &work, KernelCall *call);

} // namespace gpuexec::cuda

#endif
