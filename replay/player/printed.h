//===-- replay/player/printed.h - What several waves print ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several waves print to one stream through one buffer: who writes what out
// depends on their order. Such calls are not compared one by one; what was
// printed is, as a set of lines in any order.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_PRINTED_H
#define GPUEXEC_REPLAY_PLAYER_PRINTED_H

#include "replay/player/recording.h"

/// A call that writes to standard output (1) or standard error (2).
struct output_call {
  int stream;
  struct bytes texts[64]; ///< of its lanes, in order
  unsigned count;
  bool newline;   ///< behind each of them
  unsigned words; ///< of the answer
};

/// False for any other call.
bool read_output_call(const struct recorded_call *call,
                      struct output_call *output);
/// The answer to it when all was written.
void pack_output_answer(struct buffer *to, const struct output_call *output);

/// Everything that was printed.
struct printed {
  struct buffer text[2];
};
void add_printed(struct printed *to, const struct output_call *output);
/// fail() when it differs from what was recorded. `more`: there may be more.
void compare_printed(const struct printed *recorded, const struct printed *now,
                     bool more, const char *name);

#endif // GPUEXEC_REPLAY_PLAYER_PRINTED_H
