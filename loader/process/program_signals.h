//===-- loader/process/program_signals.h - Signals of a program -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals belong to the process: a command says how it gives them to a program
// that has handlers (RunOptions::job.server.signals).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_PROGRAM_SIGNALS_H
#define GPUEXEC_LOADER_PROCESS_PROGRAM_SIGNALS_H

#include "rpc/services/options.h"

namespace gpuexec {

using rpc::SignalSource;
using rpc::SignalUse;

} // namespace gpuexec

#endif
