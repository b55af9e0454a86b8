//===-- replay/core/items.h - The values of a recorded call ------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the notes of a request or an answer (rpc/server/journal.h) into named
// values, by the opcode's sequence. Texts contain bytes of the recording as
// they are: the caller makes them printable.
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
  unsigned step; ///< number of the answer's step, in the order of the notes
  bool is_number;
  uint64_t number;
  struct bytes bytes;
  struct bytes packed; ///< its bytes in the notes; empty in damaged ones
};
/// All zero: none. The owner frees `all`.
struct items {
  struct item *all;
  size_t count, room;
  bool damaged; ///< the notes end early; then the last item is named "damaged"
};

/// Replace the content of `items` by the values of a request, or of an answer.
/// A call of an unknown opcode has one string, "request" or "answer".
void request_items(struct items *items, const struct recorded_call *call);
void answer_items(struct items *items, const struct recorded_call *call);

/// One lane's part of a call. Calls are compared lane by lane, because the
/// lanes that call together may differ from run to run. The owner frees both
/// buffers.
struct lane_call {
  unsigned lane;
  struct buffer request; ///< the notes that this lane alone would have
  struct buffer answer;  ///< its packed values, one string for each step
};
/// Splits a call into its lanes, in their order, one for each bit of the mask.
/// free_lanes() frees them.
struct lane_call *split_call(const struct recorded_call *call);
void free_lanes(struct lane_call *lanes, size_t count);
/// Appends the answer of a call that these lanes make together.
void join_answers(struct buffer *to, const struct lane_call *const *lanes,
                  size_t count);

/// Appends the call of the first lane: `OPEN(path "x", flags 0, mode 0)`.
void describe_call(struct buffer *to, const struct recorded_call *call);
/// Appends the caller: `wave 3, lanes 0x1`; nothing if it is not known.
void describe_caller(struct buffer *to, const struct recorded_call *call);
/// Appends the first difference of two requests: its lane and bytes. Nothing if
/// they can differ only in addresses.
void describe_difference(struct buffer *to,
                         const struct recorded_call *expected,
                         const struct recorded_call *found);
/// Appends the first value that differs. False, and appends nothing, if there
/// is none.
bool describe_items(struct buffer *to, const struct items *expected,
                    const struct items *found);
/// Appends the name of an opcode, or its number.
void describe_opcode(struct buffer *to, uint32_t opcode);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_ITEMS_H
