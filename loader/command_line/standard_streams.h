//===-- loader/command_line/standard_streams.h - Flushing output ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At exit llvm::outs() and llvm::errs() end the process with status 1 if a
// write has failed. Our tools promise other statuses, also for a full disk.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_STANDARD_STREAMS_H
#define GPUEXEC_LOADER_COMMAND_LINE_STANDARD_STREAMS_H

#include "llvm/ADT/StringRef.h"

namespace gpuexec {

/// Flushes standard output, as the last step of `command`. When that fails it
/// prints an error and returns false. A closed pipe is no failure, and neither
/// is a standard error that cannot be written.
bool finish_standard_streams(llvm::StringRef command);

} // namespace gpuexec

#endif // GPUEXEC_LOADER_COMMAND_LINE_STANDARD_STREAMS_H
