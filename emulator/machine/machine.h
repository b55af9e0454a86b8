//===-- emulator/machine/machine.h - An emulated GPU system -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
#include "support/fixed_addresses.h"

namespace gpuexec::emulator {

class Machine {
public:
  /// Keeps a reference to `options`, which the caller may change later.
  explicit Machine(const Options &options);

  /// Created by the first call.
  Scheduler &scheduler();
  /// Null before the first call of scheduler().
  Scheduler *scheduler_if_any() const {
    return running.load(std::memory_order_acquire);
  }
  /// Stops all launches. Nothing can be launched afterwards.
  void stop() { owned_scheduler.reset(); }
  /// Where all waves are, as text; empty if nothing was ever launched.
  std::string where();

  /// The allocator for an image of `size` bytes. Processes that load the same
  /// images have them at the same addresses, if those are free: compiled code
  /// that is kept on disk contains addresses of the image.
  PageAllocator &pages_for_image(uint64_t size) {
    return options.memory || size > LARGEST_FIXED_IMAGE ? pages : image_pages;
  }

  const Options &options;

private: // In this order: what is below uses what is above.
  static constexpr uint64_t IMAGE_ARENA = 16 << 20;
  // With little address space (ulimit -v), two arenas have no room beside a
  // huge image.
  static constexpr uint64_t LARGEST_FIXED_IMAGE = uint64_t(1) << 30;
  PageAllocator image_pages{IMAGE_ARENA, FIXED_IMAGES};

public:
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
