//===-- replay/recorder/items.h - The values of a recorded call -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_ITEMS_H
#define GPUEXEC_REPLAY_RECORDER_ITEMS_H

#include "replay/recorder/recording.h"
#include "llvm/ADT/bit.h"
#include <string_view>

namespace gpuexec::record {

/// A value of a request or an answer.
struct Item {
  std::string name;
  unsigned lane;
  bool is_number;
  uint64_t number;
  llvm::StringRef bytes;
  unsigned step = 0; ///< in the order of the notes
  bool operator==(const Item &) const = default;
};
inline constexpr std::string_view DAMAGED = "damaged";
using Items = std::vector<Item>;

/// Of bytes of any origin; where they are damaged the last value has the name
/// DAMAGED. The values refer to the call's bytes.
Items request_items(const RecordedCall &call);
Items answer_items(const RecordedCall &call);

/// As it is noted.
void pack(std::string &to, const Item &item);

/// As in opcodes.def; empty for an opcode that is not there.
std::string_view name_of_opcode(uint32_t opcode);

/// Calls f(lane) for the lanes of a mask.
template <typename F> void for_each_lane(uint64_t mask, F f) {
  for (; mask; mask &= mask - 1)
    f(unsigned(llvm::countr_zero(mask)));
}

} // namespace gpuexec::record

#endif
