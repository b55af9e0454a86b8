//===-- replay/recorder/handles.h - Names that the host gave ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors, streams, directories and processes have numbers that depend on
// what else was open at that moment: of two runs, the same file may have other
// ones.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_HANDLES_H
#define GPUEXEC_REPLAY_RECORDER_HANDLES_H

#include "replay/recorder/core.h"
#include <map>
#include <string>
#include <string_view>

namespace gpuexec::record {

/// What makes the answers to two calls differ; empty when they are the same.
/// Names and addresses are given as they come: they mean the same where both
/// have one, or neither.
std::string answer_difference(const recorded_call &expected,
                              const recorded_call &found);

/// What a value names.
enum class NameKind { none, descriptor, handle, directory, process };

/// Which names of one run are which of another one. A lane that was given a
/// name means that one by it, as long as it does not close it: another lane may
/// be given the number again before the recording says that it is free.
class HandleMap {
public:
  /// Two calls that are the same, with both answers, of the same caller.
  void given(const recorded_call &then, const recorded_call &now);
  /// The request of a call of the second run with the names of the first one.
  std::string renamed(const recorded_call &call) const;
  bool empty() const { return then_by_now.empty(); }

private:
  struct Key {
    uint32_t wave; ///< 0: the last that anybody was given
    unsigned lane;
    NameKind kind;
    uint64_t now;
    auto operator<=>(const Key &) const = default;
  };
  std::map<Key, uint64_t> then_by_now;
};

} // namespace gpuexec::record

#endif
