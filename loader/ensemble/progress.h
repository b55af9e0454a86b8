//===-- loader/ensemble/progress.h - How far an ensemble is -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_ENSEMBLE_PROGRESS_H
#define GPUEXEC_LOADER_ENSEMBLE_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <string>

namespace gpuexec::ensemble {

/// Counts instances, and shows a line at a terminal a few times a second.
class Progress {
public:
  using Clock = std::chrono::steady_clock;

  Progress(size_t total, bool is_shown)
      : total(total), is_shown(is_shown), begin(Clock::now()) {}

  size_t done = 0, failed = 0, succeeded = 0;
  const size_t total;

  /// "12 of 1000 have ended, 1 failed, 8 run, 117/s, about 0:08 left".
  std::string text(size_t running) const;
  void show(size_t running);
  /// Removes the line, so that something else can be printed.
  void hide();

private:
  const bool is_shown;
  bool is_visible = false;
  const Clock::time_point begin;
  Clock::time_point last_shown{};
};

} // namespace gpuexec::ensemble

#endif
