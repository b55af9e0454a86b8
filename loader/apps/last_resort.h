//===-- loader/apps/last_resort.h - When gpuexec itself fails --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When gpuexec runs out of memory or crashes, it ends with status 125 and one
// line on standard error, never with a status that the program could have had.
// The program's output is flushed first: the failing thread writes to a pipe
// that the main thread reads (process.cpp), and blocks, because it may hold
// locks. When the main thread does not answer in time, the failing thread ends
// the process. Private to main.cpp.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_APPS_LAST_RESORT_H
#define GPUEXEC_LOADER_APPS_LAST_RESORT_H

namespace gpuexec {

/// Installs the handlers: failures end the process with `status`. The calling
/// thread is the main thread, which waits for the others. arguments: of main().
void prepare_last_resort(int status, char **arguments);
/// Sets the pipe that a failing thread writes own_failure_number
/// (exit_result.h) to. Without it, and when the main thread itself fails, the
/// process ends at once.
void set_last_resort_pipe(int write_end);
/// This process may start again where support/run_again.h says so: it runs one
/// program of its own, and has read nothing that is gone then. A worker of a
/// server, say, may not.
void permit_run_again();

} // namespace gpuexec

#endif
