//===-- loader/process/exit_result.h - How the process is to end -*- C++ -*-===//
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

struct ExitResult {
  int status = 0;
  int signal = 0;     ///< not 0: end by this signal, as `status` says
  bool clean = false; ///< all threads are done: an ordinary return will do
  bool ours = false;  ///< the failure is gpuexec's, not the program's
};

/// Prints what there is to say about a job's end, each message on one line that
/// begins with `command`, to standard error.
ExitResult report(llvm::StringRef command, const Result &result);

/// Prints an error as "COMMAND: error: REASON": gpuexec itself has failed.
ExitResult own_failure(llvm::StringRef command, llvm::Error error);

} // namespace gpuexec

#endif
