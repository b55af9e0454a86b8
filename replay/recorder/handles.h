//===-- replay/recorder/handles.h - Names that the host gave ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors, streams, directories and processes have numbers that depend on
// what else was open at that moment: of two runs, the same file may have other
// ones.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_HANDLES_H
#define GPUEXEC_REPLAY_RECORDER_HANDLES_H

#include "replay/recorder/items.h"
#include <map>

namespace gpuexec::record {

/// Does a value of an answer only name something, or an address? Then two of
/// them mean the same if both are there, or neither is.
bool is_name(const RecordedCall &call, const Item &item);
/// The same name or none, for what is_name().
bool name_alike(const Item &a, const Item &b);

/// Which names of one run are which of another one. A lane that was given a
/// name means that one by it, as long as it does not close it: another lane may
/// be given the number again before the recording says that it is free.
class HandleMap {
public:
  /// Two calls that are the same, with both answers, of the same caller.
  void given(const RecordedCall &then, const RecordedCall &now);
  /// The request of a call of the second run with the names of the first one.
  std::string renamed(const RecordedCall &call) const;
  bool empty() const { return then_by_now.empty(); }

private:
  enum class Kind { none, descriptor, handle, directory, process };
  static Kind kind_of(uint32_t opcode, std::string_view name, bool in_answer);
  struct Key {
    uint32_t wave; ///< 0: the last that anybody was given
    unsigned lane;
    Kind kind;
    uint64_t now;
    auto operator<=>(const Key &) const = default;
  };
  std::map<Key, uint64_t> then_by_now;
  friend bool is_name(const RecordedCall &call, const Item &item);
};

} // namespace gpuexec::record

#endif
