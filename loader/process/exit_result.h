//===-- loader/process/exit_result.h - How the process is to end -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuexec's own exit statuses follow env(1) and timeout(1). This is the only
// folder that knows them: a job's Result is turned into an ExitResult here.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_EXIT_RESULT_H
#define GPUEXEC_LOADER_PROCESS_EXIT_RESULT_H

#include "loader/job/job.h"

namespace gpuexec {

namespace status {
inline constexpr int TimedOut = 124;
inline constexpr int Failed = 125;      ///< gpuexec or the device's driver
inline constexpr int NotRunnable = 126; ///< the file is no image for us
inline constexpr int NotFound = 127;
/// Ended by signal N, as a shell reports it.
inline constexpr int signalled(int signal) { return 128 + signal; }
} // namespace status

/// gpuexec is also installed under the names of LLVM's loaders. Under these
/// names every failure of the loader itself is status 1, as with them.
struct Personality {
  llvm::StringRef command = "gpuexec"; ///< first word of messages
  bool llvm = false;                   ///< one of LLVM's loaders

  /// From argv[0], which must outlive the result.
  static Personality from_command(llvm::StringRef argv0);
  /// The exit status for a failure that has `status` under the name gpuexec.
  int failure_status(int status) const;
};

/// How main() ends the process.
struct ExitResult {
  int status = 0;
  int signal = 0;     ///< not 0: end by this signal; `status` is 128 + signal
  bool clean = false; ///< all threads are done: an ordinary return will do
  bool ours = false;  ///< the failure is gpuexec's, not the program's
};

/// Sent through the pipe of signals in place of a signal's number when gpuexec
/// itself cannot go on; the message has been printed (last_resort.h).
inline constexpr int own_failure_number = 0;

/// The result of a run that a signal ends, or own_failure_number. Threads still
/// run.
ExitResult stopped_by(int signal);

/// Prints what there is to say about a job's end, each message on one line that
/// begins with `command`, to standard error.
ExitResult report(llvm::StringRef command, const Result &result);

/// Prints an error as "COMMAND: error: REASON": gpuexec itself has failed.
ExitResult own_failure(llvm::StringRef command, llvm::Error error);

} // namespace gpuexec

#endif
