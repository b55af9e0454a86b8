//===-- toolchain/gpucc/run.h - Runs clang, and tidies up -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's driver is ended by a signal before it removes its temporary files. It
// gets a folder for them here, which is removed however it ends.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_RUN_H
#define GPUEXEC_GPUCC_RUN_H

#include "toolchain/gpucc/plan.h"

namespace gpuexec {

/// Runs the command and waits, with TMPDIR naming a folder that is gone
/// afterwards. Returns the status to end with: that of the command, 128+N when
/// signal N has ended it, 1 when it cannot be started. When INT, TERM, HUP or
/// QUIT comes the command and all that it has started end, the folder is
/// removed, and the same signal ends this process: then it does not return.
int run_and_tidy_up(Command command);

} // namespace gpuexec

#endif
