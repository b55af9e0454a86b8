//===-- replay/recorder/describe.h - Recorded calls, for people -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function returns one line of printable text, whatever the bytes are.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_DESCRIBE_H
#define GPUEXEC_REPLAY_RECORDER_DESCRIBE_H

#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// `OPEN(path "x", flags 0, mode 0)`: the call as its first lane makes it.
std::string describe(const RecordedCall &call);

/// The first bytes of a text, in quotation marks, and how many there are.
std::string quoted(llvm::StringRef bytes);

/// The caller, `wave 3, lanes 0x1`; empty if it is not known.
std::string describe_caller(const RecordedCall &call);

} // namespace gpuexec::record

#endif
