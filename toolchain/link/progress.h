//===-- toolchain/link/progress.h - A long link shows itself ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At a terminal a link of more than two seconds shows how many pieces of the
// program are compiled, in a line that it erases at the end.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_LINK_PROGRESS_H
#define GPUEXEC_TOOLCHAIN_LINK_PROGRESS_H

#include "llvm/Support/raw_ostream.h"
#include <chrono>

namespace gpuexec {

class Progress {
public:
  using Clock = std::chrono::steady_clock;
  /// A link that takes less time shows no progress.
  static constexpr std::chrono::seconds QUIET_TIME{2};

  /// `terminal`: `os` is a terminal; otherwise nothing is shown. `begin`: the
  /// time when the link began.
  Progress(llvm::raw_ostream &os, bool terminal, Clock::time_point begin)
      : os(os), terminal(terminal), begin(begin) {}
  ~Progress() {
    if (shown)
      os << "\r\033[K";
  }

  /// Shows that `done` of `all` pieces are compiled. Not thread-safe.
  void show(size_t done, size_t all, Clock::time_point now = Clock::now()) {
    if (!terminal || now - begin < QUIET_TIME)
      return;
    os << "\r\033[Kgpucc: " << done << " of " << all
       << " parts of the program compiled";
    os.flush();
    shown = true;
  }

private:
  llvm::raw_ostream &os;
  const bool terminal;
  const Clock::time_point begin;
  bool shown = false;
};

} // namespace gpuexec

#endif
