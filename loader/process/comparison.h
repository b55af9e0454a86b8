//===-- loader/process/comparison.h - gpuexec --compare ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_PROCESS_COMPARISON_H
#define GPUEXEC_LOADER_PROCESS_COMPARISON_H

#include "loader/process/exit_result.h"
#include "loader/process/options.h"

namespace gpuexec {

/// Prints the first calls at which the two recordings of the options differ.
/// Status: 0 if they do not differ, 1 if they do. Replays both up to these
/// calls, in processes of their own, to print where the programs were.
/// `signal_fd` as for run_process().
ExitResult run_comparison(const RunOptions &options, llvm::StringRef command,
                          int signal_fd);

} // namespace gpuexec

#endif
