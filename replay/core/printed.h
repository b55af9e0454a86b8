//===-- replay/core/printed.h - Output of several waves ----------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several waves print to one stream through one buffer; which wave writes which
// bytes depends on their order. Therefore such calls are not compared one by
// one: all output is compared at the end, as a set of lines in any order.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_PRINTED_H
#define GPUEXEC_REPLAY_CORE_PRINTED_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include "replay/core/recording.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A call that writes to standard output (1) or standard error (2).
struct output_call {
  int stream;
  struct bytes texts[64]; ///< of its lanes, in order
  unsigned count;
  bool newline;   ///< a newline follows each text
  unsigned words; ///< of the answer
};

/// Reads a call that writes to a standard stream. False for any other call.
bool read_output_call(const struct recorded_call *call,
                      struct output_call *output);
/// Appends the answer that the call has if all was written.
void pack_output_answer(struct buffer *to, const struct output_call *output);

/// All output of a run, by stream. The owner frees both texts.
struct printed {
  struct buffer text[2];
};
void add_printed(struct printed *to, const struct output_call *output);
size_t printed_size(const struct printed *printed);

/// A line that only one of two runs printed.
struct printed_difference {
  int stream;
  bool missing;      ///< it was recorded, and is not there
  struct bytes line; ///< in the text that has it
};
/// Finds the first difference; false if there is none. Lines may come in any
/// order, and so may the bytes of lines that several waves have put together.
/// `more`: `now` may have more lines than were recorded.
bool compare_printed(const struct printed *recorded, const struct printed *now,
                     bool more, struct printed_difference *difference);
void describe_printed(struct buffer *to,
                      const struct printed_difference *difference);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_PRINTED_H
