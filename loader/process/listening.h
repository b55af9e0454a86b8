//===-- loader/process/listening.h - Reading files, interruptibly -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that the user names may be long, or a pipe that nobody writes to. It
// is read in a thread of its own, so that signals and the time limit can end
// gpuexec meanwhile.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_LISTENING_H
#define GPUEXEC_LOADER_PROCESS_LISTENING_H

#include "loader/process/exit_result.h"
#include "loader/process/supervisor.h"

namespace gpuexec {

/// The value of --timeout, and the time at which it is over.
struct TimeLimit {
  explicit TimeLimit(std::optional<std::chrono::duration<double>> limit);
  double seconds = 0;
  std::optional<Supervisor::Clock::time_point> deadline; ///< none: no limit
};

/// Runs `work`, which reads the file `what`, on another thread and waits for
/// it. Returns how the process must end: by the work's error, a signal or the
/// limit; empty when the work has succeeded. After a signal or the limit the
/// work goes on until the process ends, so it must own what it uses.
std::optional<ExitResult> listen_during(std::function<llvm::Error()> work,
                                        llvm::StringRef command,
                                        llvm::StringRef what, int signal_fd,
                                        const TimeLimit &limit);

} // namespace gpuexec

#endif
