//===-- emulator/machine/host_calls.h - The client's calls ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves that wait for the client's answer leave a worker without work. It can
// then serve the client's side itself: two threads that wake each other cost
// more than most answers, and on a busy machine a time slice each.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_HOST_CALLS_H
#define GPUEXEC_EMULATOR_MACHINE_HOST_CALLS_H

#include <atomic>
#include <mutex>

namespace gpuexec::emulator {

/// The client's function that looks for calls and serves them. From any thread.
class HostCalls {
public:
  /// Returns not 0 when it served something.
  using Serve = int (*)(void *context);

  /// From now on serve() calls this function; null: none. Returns when no
  /// thread runs the function that was set before. Not to be called by that
  /// function.
  void set(Serve wanted, void *with) {
    std::lock_guard guard(lock);
    function = wanted;
    context = with;
    there.store(wanted != nullptr, std::memory_order_relaxed);
  }

  /// Calls the client's function; true when it served something. At once false
  /// when there is none, or when another thread is in it.
  bool serve() {
    if (!there.load(std::memory_order_relaxed))
      return false;
    std::unique_lock guard(lock, std::try_to_lock);
    return guard && function && function(context);
  }

private:
  std::mutex lock; // held while the function runs
  Serve function = nullptr;
  void *context = nullptr;
  std::atomic<bool> there = false;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_HOST_CALLS_H
