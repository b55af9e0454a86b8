//===-- loader/process/process.h - The process around a job -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the job that the command line asks for and turns its result into an exit
// status. This is the place for what concerns the whole process: signals, the
// time limit, confinement, reports, processes that the program has started.
// Never ends the process and never throws away output that the program has
// handed over.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_PROCESS_H
#define GPUEXEC_LOADER_PROCESS_PROCESS_H

#include "loader/process/exit_result.h"
#include "loader/process/options.h"

namespace gpuexec {

/// Runs the job of the options. `personality` says how messages begin;
/// `signal_fd` yields the signals (as 4-byte numbers) that should end the run.
/// Messages go to standard error.
ExitResult run_process(const RunOptions &options,
                       const Personality &personality, int signal_fd,
                       std::shared_ptr<Phases> phases);

} // namespace gpuexec

#endif
