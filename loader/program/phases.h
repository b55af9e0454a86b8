//===-- loader/program/phases.h - Where a run's time goes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One stopwatch for the run: each phase begins where the last ended. Shared by
// --verbose, --timings and --trace. One thread writes; reading is for after.
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

  /// Everything since the last call was `name`.
  void done(llvm::StringRef name) {
    std::lock_guard lock(mutex);
    Clock::time_point now = Clock::now();
    phases.push_back({name.str(), last, now});
    last = now;
    if (listener)
      listener(phases.back());
  }
  /// Called with every phase when it ends.
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
