//===-- loader/process/repeat.h - The same program again --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --repeat, --until-fail and --junit. Each run is a process of its own: it
// cannot damage the next run, and a hang or a crash is a result like others.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_REPEAT_H
#define GPUEXEC_LOADER_PROCESS_REPEAT_H

#include "loader/process/exit_result.h"
#include "loader/process/options.h"

namespace gpuexec {

/// True when one of these options is given.
bool wants_runs(const RunOptions &options);

/// Runs the program as often as asked. The result is that of the first run that
/// failed, else of the last. `signal_fd` as for run_process(): a signal goes to
/// the run under way, and no further one begins. A line about the runs goes to
/// standard error when there was more than one.
ExitResult run_repeatedly(const RunOptions &options, llvm::StringRef command,
                          int signal_fd);

/// One finished run, for the report.
struct RunResult {
  int status = 0;
  double seconds = 0;
  std::string output, error_output; ///< the last part, when it was collected
};

/// JUnit's XML, as test runners read it. Bytes that XML cannot hold become
/// question marks.
std::string junit_xml(llvm::StringRef image, llvm::ArrayRef<RunResult> results);

/// What a status of gpuexec means: "exit status 3", "timed out", "device fault"
/// ...
std::string describe_status(int status);

} // namespace gpuexec

#endif
