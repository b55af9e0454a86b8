//===-- lending/isolated/child.h - Inside the isolated process --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process that runs the machine code does first and last. Everything
// that it must not have is given up here.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_ISOLATED_CHILD_H
#define GPUEXEC_LENDING_ISOLATED_CHILD_H

#include <sys/types.h>

namespace gpuexec::isolated {

/// Where the ends of the channels are in the isolated process. Standard error
/// is a pipe; there is nothing else.
inline constexpr int CONTROL_FD = 3, LAUNCHES_FD = 5;

/// Descriptors of the isolated process, before they have their numbers.
struct Descriptors {
  int error = -1; ///< a pipe that the other process prints
  /// Two pipes' ends each: to read and to write; become FD and FD + 1.
  int control[2] = {-1, -1}, launches[2] = {-1, -1};
};

/// Starts the process: its number, 0 in it, -1 with errno when there is none.
/// It dies with the thread that starts it, ignores what a terminal sends to
/// both, has no descriptors but those five and no environment but the
/// emulator's variables.
pid_t fork_isolated(const Descriptors &descriptors);

} // namespace gpuexec::isolated

#endif
