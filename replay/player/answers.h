//===-- replay/player/answers.h - Answers from a recording ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If the program does something else than recorded, the process ends with a
// message (replay/core/match.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_ANSWERS_H
#define GPUEXEC_REPLAY_PLAYER_ANSWERS_H

#include "replay/core/match.h"

struct answers {
  const struct recording *recording;
  struct matcher *matcher;
  int lost_output; ///< errno of writing standard output
};
/// `recording` must outlive the result. `one_wave`: the program has one wave.
struct answers *make_answers(const struct recording *recording, bool one_wave);

/// How a program ends, in the words of recordings.
struct end {
  const char *kind; ///< "exited", "signalled", "faulted"
  int64_t value;
};

/// FOUND_ANSWER: `answer` is the recorded one. FOUND_LATER: ask again later.
/// FOUND_MEMORY: serve the call as if nothing were recorded. FOUND_END: here an
/// alarm or a closed pipe ended the recorded program; `end` says which.
enum found { FOUND_ANSWER, FOUND_LATER, FOUND_MEMORY, FOUND_END };
/// Looks for the answer of a call. It is valid until the next answer_call().
enum found answer_call(struct answers *answers,
                       const struct recorded_call *call, struct bytes *answer,
                       struct end *end);

/// The program has ended: writes the rest of the output, and fails when the
/// recording does not end like that.
void finish_replay(struct answers *answers, struct end end);

#endif // GPUEXEC_REPLAY_PLAYER_ANSWERS_H
