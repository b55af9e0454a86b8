//===-- replay/recorder/handles.h - Handles that the host gave --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors, streams, directories and processes are named by numbers. A
// number depends on what else was open at that moment, so the same file may
// have different numbers in two runs.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_HANDLES_H
#define GPUEXEC_REPLAY_RECORDER_HANDLES_H

#include "replay/recorder/core.h"
#include <map>
#include <string>
#include <string_view>

namespace gpuexec::record {

/// The first difference of two answers; empty if they are the same. Names and
/// addresses do not differ if both answers have one, or neither has.
std::string answer_difference(const recorded_call &expected,
                              const recorded_call &found);

/// The kind of object that a value names.
enum class NameKind { none, descriptor, handle, directory, process };

/// Maps names of a second run to names of a first one. A lane uses the name
/// that it was given until it closes it: before the recording shows that a
/// number is free, another lane may have been given it again.
class HandleMap {
public:
  /// Notes the names in the answers of two matching calls of the same caller.
  void given(const recorded_call &then, const recorded_call &now);
  /// The request of a call of the second run, with the first run's names.
  std::string renamed(const recorded_call &call) const;
  bool empty() const { return then_by_now.empty(); }

private:
  struct Key {
    uint32_t wave; ///< 0: the name that any caller was given last
    unsigned lane;
    NameKind kind;
    uint64_t now;
    auto operator<=>(const Key &) const = default;
  };
  std::map<Key, uint64_t> then_by_now;
};

} // namespace gpuexec::record

#endif
