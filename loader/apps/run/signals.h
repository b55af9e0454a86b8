//===-- loader/apps/run/signals.h - Signals of the process ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_APPS_RUN_SIGNALS_H
#define GPUEXEC_LOADER_APPS_RUN_SIGNALS_H

#include "loader/process/program_signals.h"

namespace gpuexec {

/// Has signals that would end this process written to a pipe instead, as 4-byte
/// numbers, and so SIGQUIT, which asks where the program is. Returns the pipe's
/// reading end; -1 when there is none, and the signals keep their meaning. The
/// second of the signals that end it does so at once. Those that the parent has
/// switched off (nohup) stay off. SIGPIPE keeps its default: the server writes
/// for the program, and a program whose reader has gone ends quietly.
int catch_signals();

/// The signals that a program has handlers for, which then do not end this
/// process. Once in a process; null when there is no pipe.
std::shared_ptr<SignalSource> program_signals();

} // namespace gpuexec

#endif
