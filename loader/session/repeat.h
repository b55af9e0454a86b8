//===-- loader/session/repeat.h - The same program again --------*- C++ -*-===//
// --repeat, --until-fail and --junit: each run is a gpuexec of its own, so that
// no run can spoil the next one, and a hang or a crash is one result among
// others.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SESSION_REPEAT_H
#define GPUEXEC_LOADER_SESSION_REPEAT_H

#include "loader/command_line/options.h"
#include "loader/session/session.h"

namespace gpuexec {

/// True when the options ask for anything that is here.
bool wants_runs(const Options &options);

/// Runs the program as often as asked; the ending is that of the first run that
/// failed, else of the last. `signal_fd` as for run_session(): the signal goes
/// to the run, and no further one begins. A line about the runs goes to
/// standard error when there was more than one.
Ending run_repeatedly(const Options &options, llvm::StringRef command,
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

/// "exit status 3", "timed out", "SIGSEGV (device fault)" ...
std::string describe_status(int status);

} // namespace gpuexec

#endif
