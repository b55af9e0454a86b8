//===-- emulator/machine/report.h - A fault in words ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_MACHINE_REPORT_H
#define GPUEXEC_EMULATOR_MACHINE_REPORT_H

#include "emulator/machine/launch.h"

#include <deque>
#include <mutex>

namespace gpuexec::emulator {

/// Completes a report whose fault and site are set: nearest allocation and
/// text.
void complete(FaultReport &report, const AddressSpace &memory);

/// The signal that ends a native program for the same reason.
int signal_of(const Fault &fault);

/// "thread (3,0,0)" or "threads (0,0,0) to (3,0,0), 4 of them" for the lanes of
/// a wave.
std::string threads_of(const WaveSite &site, uint64_t lanes);

/// The program counters that describe() looks up in site.symbols, in its order.
std::vector<uint64_t> named_pcs(const WaveSite &site);

/// One paragraph per wave: kernel, block, wave, state, function and line.
std::string describe(const WaveSite &site);
/// One paragraph for each of the first `shown` places, with the number of waves
/// there. Most waves are often at one place: where they wait for a thread.
std::string describe(std::vector<WaveSite> sites, size_t shown);

/// The texts of the last faults and errors. Thread-safe.
class FaultReports {
public:
  FaultReports();
  /// Text from an image is made printable. `signal` ends a native program that
  /// did the same; 0: no program did anything wrong.
  void add(llvm::StringRef text, int signal = 0);
  /// The last text; null when there is none. It stays valid until KEPT more
  /// were added.
  const char *last() const;
  /// The signal that was added with the last text.
  int last_signal() const;
  /// GPUEXEC_EMULATOR_REPORTS=stderr: add() prints each text, for clients that
  /// know no more than the API's status.
  const bool prints;

private:
  static constexpr size_t KEPT = 16;
  mutable std::mutex mutex;
  std::deque<std::unique_ptr<std::string>> texts;
  int signal_of_last = 0;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_REPORT_H
