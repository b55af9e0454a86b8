//===-- loader/device/cuda/fault_report.h - Where a fault was ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's driver reports only the kind of a fault, unless environment
// variables tell it to write a core dump (cuda-gdb's manual, 'GPU core dump
// support'). It reads them when it is initialised. They cost nothing before a
// fault; writing the dump takes some tenths of a second, or seconds if very
// many threads have faulted.
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
  /// Sets the environment variables, which a driver reads that is initialised
  /// from now on. No other thread may use the environment until
  /// driver_is_ready().
  FaultReport();
  /// Removes the driver's core dump.
  ~FaultReport();
  FaultReport(const FaultReport &) = delete;
  FaultReport &operator=(const FaultReport &) = delete;

  /// Restores the environment, so that programs that this one starts write no
  /// core dumps.
  void driver_is_ready();
  /// After a fault: returns the lines of describe_core_dump(), or a line that
  /// says why there are none. Waits for the driver's file until `timeout`.
  std::string take(std::chrono::milliseconds timeout);

private:
  std::string path;
  std::vector<std::pair<const char *, std::optional<std::string>>> before;
};

} // namespace gpuexec::cuda

#endif
