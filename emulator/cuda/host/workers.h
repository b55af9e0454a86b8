//===-- emulator/cuda/host/workers.h - Threads that run blocks -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process has one set of them, which all streams share.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_HOST_WORKERS_H
#define GPUEXEC_EMULATOR_CUDA_HOST_WORKERS_H

#include "emulator/cuda/host/block.h"
#include "emulator/cuda/host/faults.h"

namespace gpuexec::cuda::host {

enum class Outcome {
  done,
  no_memory, ///< for what blocks need
  faulted,
};

struct Ending {
  Outcome outcome = Outcome::done;
  Fault fault;
  std::array<uint32_t, 3> block{}; ///< which faulted
};

/// Runs all blocks of a launch, in this thread and in others, and waits for
/// their end.
Ending run_grid(const Grid &grid);

} // namespace gpuexec::cuda::host

#endif
