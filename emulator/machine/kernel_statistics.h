//===-- emulator/machine/kernel_statistics.h - --stats ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of all waves, summed per kernel, as a table or as JSON.
// Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_KERNEL_STATISTICS_H
#define GPUEXEC_EMULATOR_MACHINE_KERNEL_STATISTICS_H

#include "emulator/machine/launch.h"

#include <mutex>

namespace gpuexec::emulator {

class KernelStatistics {
public:
  /// Sums over all launches of a kernel.
  struct Sum {
    const DeviceWords *words = &PLAIN_WORDS;
    uint64_t launches = 0, threads = 0;
    uint64_t ticks = 0; // of CLOCK_HZ
    Counters counters;
    std::map<std::string, Counters> regions; // of interest
    std::set<std::string> inexact;           // instructions
    std::set<std::string> unsupported;       // as text; each ended a launch
  };

  /// Adds the counters of a launch that is over.
  void add(const Launch &launch);
  std::string text(bool json) const;

private:
  mutable std::mutex mutex;
  std::map<std::string, Sum> kernels; // by name
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_KERNEL_STATISTICS_H
