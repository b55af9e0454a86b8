//===-- loader/process/own_run.h - gpuexec starts gpuexec -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run in a process of its own: it cannot damage the next one, and a hang or a
// crash is a result like others.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_OWN_RUN_H
#define GPUEXEC_LOADER_PROCESS_OWN_RUN_H

#include "support/descriptor.h"
#include <string>
#include <sys/types.h>
#include <vector>

namespace gpuexec {

/// Reads an output stream of a run and keeps its last part in a string of the
/// caller.
struct Tee {
  UniqueFd from;
  int to = -1; ///< a descriptor to which all of it is copied; -1: none
  std::string *kept = nullptr;

  /// Copies what one read() returns. False at the end of the stream, or when
  /// nothing can be read now.
  bool copy();
};

struct OwnRun {
  pid_t process = -1;
  Tee out, error;
  int failure = 0; ///< errno when no process could be started
};

enum class OwnOutput {
  shown,     ///< goes where ours goes
  collected, ///< is kept as well
  kept,      ///< is kept only
};

/// Starts this executable with these arguments, of which argv[0] is the first
/// and a null pointer the last. It gets the standard descriptors and those of
/// `passed`. `out` and `error` must outlive the run, unless the output is only
/// shown.
OwnRun start_own_run(const std::vector<const char *> &arguments,
                     OwnOutput output, std::string &out, std::string &error,
                     const std::vector<int> &passed = {});

/// Waits for the end of the run. Returns its status as a shell has it. A signal
/// that arrives through `signal_fd` meanwhile is sent to the run and, unless it
/// is SIGQUIT, stored in `signal`.
int finish_own_run(OwnRun &run, int signal_fd, int &signal);

} // namespace gpuexec

#endif
