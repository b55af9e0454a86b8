//===-- emulator/cuda/host/faults.h - Faults of kernels --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels run in threads of the program's process: a signal that one of their
// instructions causes ends the launch, not the process. Signals of all other
// code go where they would have gone.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_HOST_FAULTS_H
#define GPUEXEC_EMULATOR_CUDA_HOST_FAULTS_H

#include <cstdint>

namespace gpuexec::cuda::host {

struct Fault {
  int signal = 0; ///< 0: there was none
  uint64_t address = 0;
};

/// Runs `work(data)` in this thread until it ends or an instruction of it
/// faults. `work` must be such that it may be left anywhere in a kernel.
Fault run_guarded(void (*work)(void *), void *data);

} // namespace gpuexec::cuda::host

#endif
