//===-- emulator/cuda/driver/dispatcher.h - Runs kernels --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One queue of the HSA runtime and what a launch needs beside it. One thread at
// a time uses a dispatcher.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_DISPATCHER_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_DISPATCHER_H

#include "emulator/cuda/driver/code.h"
#include "emulator/cuda/driver/hsa.h"
#include "emulator/cuda/driver/types.h"
#include "emulator/cuda/host/library.h"
#include "support/thread.h"

#include <array>
#include <atomic>

namespace gpuexec::cuda {

class Services;

/// One launch of a kernel.
struct Launch {
  std::string name;
  const KernelFacts *facts = nullptr;
  const host::Kernel *host = nullptr; ///< null: it runs as waves
  void *const *variables = nullptr;   ///< what `host` needs of its library
  uint64_t kernel_object = 0;
  std::array<uint32_t, 3> blocks{1, 1, 1}, threads{1, 1, 1};
  uint32_t dynamic_shared = 0;
  uint32_t stack = 0;           ///< bytes of a thread, where it is not known
  std::string arguments;        ///< the explicit ones, at their offsets
  Services *services = nullptr; ///< what the module asks of the host, or null
};

class Dispatcher {
public:
  explicit Dispatcher(const Hsa &hsa) : hsa(hsa) {}
  Dispatcher(const Dispatcher &) = delete;
  ~Dispatcher();
  /// Runs the kernel to its end. A fault is reported on standard error and
  /// returned as CUDA documents it.
  CUresult run(const Launch &launch);

private:
  bool make_queue();
  void drop_queue();
  bool set_arguments(const Launch &launch);
  void enqueue(const Launch &launch);
  CUresult wait(const Launch &launch);
  CUresult fault(const Launch &launch);
  CUresult run_on_host(const Launch &launch);

  const Hsa &hsa;
  hsa_queue_t *queue = nullptr;
  hsa_signal_t completion{};
  std::atomic<int> queue_status{HSA_STATUS_SUCCESS};
  char *kernarg = nullptr;
  size_t kernarg_size = 0;
};

} // namespace gpuexec::cuda

#endif
