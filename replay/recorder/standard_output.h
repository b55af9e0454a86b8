//===-- replay/recorder/standard_output.h - What waves print ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several waves print to one stream through one buffer: who writes what out
// depends on their order. Such calls are not compared one by one; what was
// printed is, as a set of lines in any order.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_STANDARD_OUTPUT_H
#define GPUEXEC_REPLAY_RECORDER_STANDARD_OUTPUT_H

#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// A call that writes to standard output (1) or standard error (2).
struct OutputCall {
  int stream;
  std::vector<llvm::StringRef> texts; ///< of its lanes, in order
  bool newline = false;               ///< behind each of them
  unsigned words;                     ///< of the answer
};

/// None for any other call.
std::optional<OutputCall> output_call(const RecordedCall &call);

/// The answer to it when all was written.
std::string answer_of(const OutputCall &call);

/// Everything that was printed.
class PrintedText {
public:
  void add(const OutputCall &call);
  uint64_t size() const { return text[0].size() + text[1].size(); }
  /// A line that only one of the two has.
  struct Difference {
    int stream;
    bool missing; ///< it was recorded, and is not there
    std::string line;
  };
  /// How it differs from what was recorded. Lines may come in any order. Where
  /// several waves put lines together, their bytes may. `more`: there may be
  /// more than was recorded.
  std::optional<Difference> difference(const PrintedText &recorded,
                                       bool more) const;

private:
  std::string text[2];
};

/// The same in words.
std::string to_text(const PrintedText::Difference &difference);

} // namespace gpuexec::record

#endif
