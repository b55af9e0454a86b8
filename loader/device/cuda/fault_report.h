//===-- loader/device/cuda/fault_report.h - Where a fault was ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's driver says of a fault no more than its kind, unless it is told to
// write a core dump (cuda-gdb's manual, 'GPU core dump support'). It reads that
// from the environment when it is initialised. Asking costs nothing before a
// fault; writing takes some tenths of a second, seconds where very many threads
// met it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_FAULT_REPORT_H
#define GPUEXEC_LOADER_DEVICE_CUDA_FAULT_REPORT_H

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuexec::cuda {

class FaultReport {
public:
  /// Tells a driver that is initialised from now on, through the environment of
  /// this process, to which nobody else may look meanwhile.
  FaultReport();
  /// Removes what the driver wrote.
  ~FaultReport();
  FaultReport(const FaultReport &) = delete;
  FaultReport &operator=(const FaultReport &) = delete;

  /// Restores the environment: programs that this one starts shall write no
  /// core dump.
  void driver_is_ready();
  /// After a fault: the lines that say where it was, or one that says why not.
  std::string take(std::chrono::milliseconds timeout);

private:
  std::string path;
  std::vector<std::pair<const char *, std::optional<std::string>>> before;
};

} // namespace gpuexec::cuda

#endif
