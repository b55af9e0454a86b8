//===-- loader/command_line/standard_streams.h - The tool's own words -----===//
// LLVM's streams end the process with a status of their own when they could not
// be written. A tool's status is a promise: a full disk must not change it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_STANDARD_STREAMS_H
#define GPUEXEC_LOADER_COMMAND_LINE_STANDARD_STREAMS_H

#include "llvm/ADT/StringRef.h"

namespace gpuexec {

/// The last thing that `command` does: writes out what it has printed itself.
/// False, and said on standard error, when that failed; a reader who has gone
/// is no failure. What could not be said on standard error is let go.
bool finish_standard_streams(llvm::StringRef command);

} // namespace gpuexec

#endif // GPUEXEC_LOADER_COMMAND_LINE_STANDARD_STREAMS_H
