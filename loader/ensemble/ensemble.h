//===-- loader/ensemble/ensemble.h - Many runs of one program ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec --ensemble FILE IMAGE`: runs a program once for each command line,
// several at a time (docs/ensemble.md).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_ENSEMBLE_H
#define GPUEXEC_LOADER_ENSEMBLE_ENSEMBLE_H

#include "loader/process/exit_result.h"
#include "loader/process/options.h"
#include <functional>

namespace gpuexec::ensemble {

/// What the command line's process does for an ensemble.
struct Host {
  llvm::StringRef command; ///< what messages begin with
  /// Has signals written to a pipe; returns its end for reading. Called once
  /// all input has been read.
  int (*catch_signals)();
  /// Runs one instance to its end, in a process that was forked for it.
  std::function<ExitResult(const RunOptions &)> run;
};

/// Runs the ensemble of the options. The status is the number of instances that
/// have failed, 101 for more than 100, or what --halt makes of it.
ExitResult run(const RunOptions &options, const Host &host);

} // namespace gpuexec::ensemble

#endif
