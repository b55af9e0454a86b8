//===-- toolchain/gpucc/run.h - Runs clang, and tidies up -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signal ends clang's driver before it removes its temporary files. gpucc
// gives it a folder for them and removes the folder however clang ends.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_RUN_H
#define GPUEXEC_GPUCC_RUN_H

#include "toolchain/gpucc/plan.h"

namespace gpuexec {

/// Runs the command and waits for it. TMPDIR names a folder that is removed
/// afterwards. Returns gpucc's exit status: the command's, 128+N when signal N
/// ended the command, 1 when it cannot be started. On SIGINT, SIGTERM, SIGHUP
/// or SIGQUIT ends the command and its descendants, removes the folder, and
/// ends this process by the same signal.
int run_and_tidy_up(Command command);

/// Likewise for several commands, of which the first that fails is the last.
/// TEMPORARY_FOLDER in their arguments is that folder.
int run_and_tidy_up(std::vector<Command> commands);

/// Prints the commands to standard error, each in a line, as a shell reads
/// them.
void print_commands(const std::vector<Command> &commands);

} // namespace gpuexec

#endif
