//===-- loader/process/listening.h - Work that can be ended -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file may be long, or a pipe that nobody writes: whoever reads one for the
// user listens to signals and the clock meanwhile.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_LISTENING_H
#define GPUEXEC_LOADER_PROCESS_LISTENING_H

#include "loader/process/exit_result.h"
#include "loader/process/supervisor.h"

namespace gpuexec {

/// --timeout, and when it is over.
struct TimeLimit {
  explicit TimeLimit(std::optional<std::chrono::duration<double>> limit);
  double seconds = 0;
  std::optional<Supervisor::Clock::time_point> deadline; ///< none: no limit
};

/// Runs `work` on another thread and waits for it. The work's own error, or an
/// end by a signal or the limit, is the result; nothing when the process is to
/// go on. `what` is being read, for the message. After an end the work goes on
/// until the process ends: it owns what it uses.
std::optional<ExitResult> listen_during(std::function<llvm::Error()> work,
                                        llvm::StringRef command,
                                        llvm::StringRef what, int signal_fd,
                                        const TimeLimit &limit);

} // namespace gpuexec

#endif
