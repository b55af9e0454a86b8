//===-- replay/core/items.h - The values of a recorded call ------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the bytes of a request and of an answer mean, as gpuexec's host notes
// them (rpc/server/journal.h), read from the opcode's sequence. Texts hold
// bytes of the recording as they are: who prints them makes them printable.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_ITEMS_H
#define GPUEXEC_REPLAY_CORE_ITEMS_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include "replay/core/recording.h"
#include "replay/core/sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A number or a string of one lane.
struct item {
  struct bytes name;
  unsigned lane;
  unsigned step; ///< of an answer, in the order of the notes
  bool is_number;
  uint64_t number;
  struct bytes bytes;
  struct bytes packed; ///< as the notes have it; empty in damaged ones
};
/// All zero: none. The owner frees `all`.
struct items {
  struct item *all;
  size_t count, room;
  bool damaged; ///< the notes end early; then the last item is named "damaged"
};

/// Replace what `items` holds. A call of an unknown opcode has one string,
/// "request" or "answer".
void request_items(struct items *items, const struct recorded_call *call);
void answer_items(struct items *items, const struct recorded_call *call);

/// What one lane asks and gets. Which lanes call together may change from run
/// to run. The owner frees both buffers.
struct lane_call {
  unsigned lane;
  struct buffer request; ///< as of a call of this lane alone
  struct buffer answer;  ///< its packed values, one string for each step
};
/// The lanes of a call, in order, as many as the mask has; in memory that
/// free_lanes() gives back.
struct lane_call *split_call(const struct recorded_call *call);
void free_lanes(struct lane_call *lanes, size_t count);
/// Appends the answer to a call of these lanes together.
void join_answers(struct buffer *to, const struct lane_call *const *lanes,
                  size_t count);

/// `OPEN(path "x", flags 0, mode 0)`: the call as its first lane makes it.
void describe_call(struct buffer *to, const struct recorded_call *call);
/// `wave 3, lanes 0x1`: who calls. Nothing where nobody knows.
void describe_caller(struct buffer *to, const struct recorded_call *call);
/// What makes two requests differ, with the first lane and the first bytes that
/// do. Nothing where only addresses can.
void describe_difference(struct buffer *to,
                         const struct recorded_call *expected,
                         const struct recorded_call *found);
/// The first value that differs; false, and nothing is appended, without one.
bool describe_items(struct buffer *to, const struct items *expected,
                    const struct items *found);
/// The name of an opcode, or its number.
void describe_opcode(struct buffer *to, uint32_t opcode);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_ITEMS_H
