//===-- loader/program/phases.h - Times of a run's phases -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of a run; each begins where the last one ended. Used by --verbose,
// --timings and --trace. One thread calls done(); any thread may call all().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROGRAM_PHASES_H
#define GPUEXEC_LOADER_PROGRAM_PHASES_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace gpuexec {

class Phases {
public:
  using Clock = std::chrono::steady_clock;
  struct Phase {
    std::string name;
    Clock::time_point begin, end;
    double milliseconds() const {
      return std::chrono::duration<double, std::milli>(end - begin).count();
    }
  };

  explicit Phases(Clock::time_point start) : last(start) {}

  /// Ends the phase `name`, which began with the end of the one before.
  void done(llvm::StringRef name) {
    std::lock_guard lock(mutex);
    Clock::time_point now = Clock::now();
    phases.push_back({name.str(), last, now});
    last = now;
    if (listener)
      listener(phases.back());
  }
  /// Sets the function that is called with each phase when it ends.
  void listen(std::function<void(const Phase &)> function) {
    listener = std::move(function);
  }
  std::vector<Phase> all() const {
    std::lock_guard lock(mutex);
    return phases;
  }

private:
  mutable std::mutex mutex;
  Clock::time_point last;
  std::vector<Phase> phases;
  std::function<void(const Phase &)> listener;
};

} // namespace gpuexec

#endif
