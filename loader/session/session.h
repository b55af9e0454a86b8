//===-- loader/session/session.h - One run, from file to status -*- C++ -*-===//
// Reads the image, opens the device, runs the program and turns however it ends
// into an exit status. Never ends the process and never throws away output that
// the program has handed over.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SESSION_SESSION_H
#define GPUEXEC_LOADER_SESSION_SESSION_H

#include "loader/command_line/options.h"
#include "loader/command_line/personality.h"
#include "loader/program/phases.h"
#include <atomic>

namespace gpuexec {

struct Ending {
  int status = 0;
  int signal = 0;     ///< not 0: end by this signal, as `status` says
  bool clean = false; ///< all threads are done: an ordinary return will do
  bool ours = false;  ///< the failure is gpuexec's, not the program's
};

/// Comes over `signal_fd` like a signal's number: gpuexec itself cannot go on,
/// and has said why (last_resort.h).
inline constexpr int own_failure_number = 0;

/// `personality` says how messages begin; `signal_fd` yields the signals (as
/// 4-byte numbers) that should end the run. Messages go to standard error.
Ending run_session(const Options &options, const Personality &personality,
                   int signal_fd, Phases &phases);

/// Prints an error as "COMMAND: error: REASON" and gives its exit status.
int report(llvm::StringRef command, llvm::Error error);

/// report(), as an ending.
Ending own_failure(llvm::StringRef command, llvm::Error error);

} // namespace gpuexec

#endif
