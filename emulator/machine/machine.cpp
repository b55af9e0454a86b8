//===-- emulator/machine/machine.cpp - An emulated GPU system -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/machine.h"

namespace gpuexec::emulator {

Machine::Machine(const Options &options)
    : options(options), allocations(pages, memory, options) {
  if (options.memory)
    pages.use_shared(reinterpret_cast<uint64_t>(options.memory),
                     options.memory_size);
}

Scheduler &Machine::scheduler() {
  if (Scheduler *there = scheduler_if_any())
    return *there;
  std::lock_guard guard(mutex);
  if (!owned_scheduler) {
    Scheduler::Options wanted;
    wanted.threads = options.lockstep ? 1 : options.threads;
    wanted.lockstep = options.lockstep;
    wanted.host_calls = options.host_calls;
    owned_scheduler = std::make_unique<Scheduler>(memory, wanted);
    running.store(owned_scheduler.get(), std::memory_order_release);
  }
  return *owned_scheduler;
}

std::string Machine::where() {
  constexpr size_t PLACES = 32, WAVES = 1 << 16;
  Scheduler *there = scheduler_if_any();
  return there ? describe(there->where(WAVES), PLACES) : "";
}

} // namespace gpuexec::emulator
