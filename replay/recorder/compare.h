//===-- replay/recorder/compare.h - Two recordings side by side -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where do two runs part: on two devices, or as two compilers made them? The
// calls of the second one are matched with those of the first one as the
// replayer matches those of a program (matcher.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_COMPARE_H
#define GPUEXEC_REPLAY_RECORDER_COMPARE_H

#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// In texts "expected" is what the first recording has, "found" what the second
/// one has. All texts are one line of printable characters.
struct Difference {
  std::string what;
  /// The calls that differ, as they are counted in each recording from 0 on.
  std::optional<size_t> first, second;
};

struct Comparison {
  /// What may differ between devices and compilers.
  std::vector<std::string> notes;
  /// In this order, each where there is one: what the programs were given;
  /// the first answer of the host that differs, if it comes before the call;
  /// the first call; how they ended. None: they are the same.
  std::vector<Difference> differences;
};

/// Recordings that were cut off are compared up to there.
Comparison compare(const Recording &first, const Recording &second);

} // namespace gpuexec::record

#endif
