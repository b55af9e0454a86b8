//===-- replay/player/items.h - The values of a recorded call -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the bytes of a request and of an answer mean, as gpuexec's host notes
// them (rpc/server/journal.h), read from the opcode's sequence.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_ITEMS_H
#define GPUEXEC_REPLAY_PLAYER_ITEMS_H

#include "replay/player/recording.h"
#include "replay/player/sequence.h"

/// A number or a string of one lane.
struct item {
  struct bytes name;
  unsigned lane;
  unsigned step; ///< of an answer, in the order of the notes
  bool is_number;
  uint64_t number;
  struct bytes bytes;
  struct bytes packed; ///< as it is in the notes
};
struct items {
  struct item *all;
  size_t count, capacity;
  bool damaged; ///< the notes end early
};

/// Replace what `items` holds.
void request_items(struct items *items, const struct recorded_call *call);
void answer_items(struct items *items, const struct recorded_call *call);

/// `OPEN(path "x", flags 0, mode 0)`: the call as its first lane makes it, as a
/// string in `to`.
void describe_call(struct buffer *to, const struct recorded_call *call);
/// What makes two requests differ; "" where only addresses can.
void describe_difference(struct buffer *to,
                         const struct recorded_call *expected,
                         const struct recorded_call *found);

#endif // GPUEXEC_REPLAY_PLAYER_ITEMS_H
