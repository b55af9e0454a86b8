//===-- replay/recorder/describe.h - Recorded calls, for people -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_DESCRIBE_H
#define GPUEXEC_REPLAY_RECORDER_DESCRIBE_H

#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// What one lane asks and gets. Which lanes call together may change from run
/// to run.
struct LaneCall {
  unsigned lane;
  std::string request;             ///< as of a call of this lane alone
  std::vector<std::string> answer; ///< by step
};
/// A call's lanes, in order.
std::vector<LaneCall> split(const RecordedCall &call);
/// The answer to a call of these lanes together, in order.
std::string join_answers(llvm::ArrayRef<const LaneCall *> lanes);

/// `OPEN(path "x", flags 0, mode 0)`: the call as its first lane makes it. One
/// line of printable text, whatever the bytes are.
std::string describe(const RecordedCall &call);

/// The first bytes of a text, in quotation marks, and how many there are.
std::string quoted(llvm::StringRef bytes);

/// `wave 3, lanes 0x1`: who calls; empty where nobody knows.
std::string describe_caller(const RecordedCall &call);

/// What makes two requests differ, with the first lane and the first bytes that
/// do; addresses do not count. Empty when they are the same.
std::string difference(const RecordedCall &expected, const RecordedCall &found);

/// The same for their answers.
std::string answer_difference(const RecordedCall &expected,
                              const RecordedCall &found);

} // namespace gpuexec::record

#endif
