//===-- replay/recorder/compare.h - Two recordings side by side -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the first differences of two recorded runs, for example on two devices
// or of programs made by two compilers. The calls of the second run are matched
// with those of the first one as the replayer matches those of a program
// (replay/core/match.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_COMPARE_H
#define GPUEXEC_REPLAY_RECORDER_COMPARE_H

#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// In the texts "expected" precedes the first recording's value, "found" the
/// second one's. Each text is one line of printable characters.
struct Difference {
  std::string what;
  /// The indices of the calls that differ, in each recording, from 0 on.
  std::optional<size_t> first, second;
};

struct Comparison {
  /// Differences that are normal between devices and compilers.
  std::vector<std::string> notes;
  /// Other differences; none: the runs are the same. In this order, as far as
  /// there are any: the launches; the first answer of the host that differs, if
  /// it precedes the first call that differs; that call; the ends.
  std::vector<Difference> differences;
};

/// Compares two recordings; one that was cut off up to its last call.
Comparison compare(const Recording &first, const Recording &second);

} // namespace gpuexec::record

#endif
