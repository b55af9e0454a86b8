//===-- emulator/machine/machine.h - An emulated GPU system -----*- C++ -*-===//
// What every API in front of the emulator needs: memory, a scheduler, reports
// and statistics. The API makes one, hands it launches and adds its own objects
// (agents, queues, modules).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_MACHINE_H
#define GPUEXEC_EMULATOR_MACHINE_MACHINE_H

#include "emulator/machine/allocations.h"
#include "emulator/machine/kernel_statistics.h"
#include "emulator/machine/options.h"
#include "emulator/machine/page_allocator.h"
#include "emulator/machine/report.h"
#include "emulator/machine/scheduler.h"

namespace gpuexec::emulator {

class Machine {
public:
  /// The options stay the caller's, who may change them.
  explicit Machine(const Options &options);

  /// Made when it is first needed.
  Scheduler &scheduler();
  /// Null when there is none yet.
  Scheduler *scheduler_if_any() const {
    return running.load(std::memory_order_acquire);
  }
  /// Stops what runs. Nothing can be launched afterwards.
  void stop() { owned_scheduler.reset(); }
  /// Where all waves are, as text; empty when nothing was ever launched.
  std::string where();

  const Options &options;
  // In this order: what is below uses what is above.
  PageAllocator pages;
  AddressSpace memory;
  Allocations allocations;
  KernelStatistics statistics;
  FaultReports reports;

private:
  std::mutex mutex;
  std::unique_ptr<Scheduler> owned_scheduler;
  std::atomic<Scheduler *> running{nullptr};
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_MACHINE_H
